"""Disagreements decided one by one, and the gold set built of them."""

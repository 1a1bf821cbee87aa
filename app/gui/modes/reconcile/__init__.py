"""Reconcile mode: one disagreement at a time, towards a gold set."""

"""Reconciliation: from the differences of two sides to decisions."""

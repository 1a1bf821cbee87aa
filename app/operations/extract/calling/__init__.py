"""Calls to models: which are made, what is taken over, and the ledger they stand in."""

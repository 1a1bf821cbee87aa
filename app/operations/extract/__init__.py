"""Extraction by the rules and by models, and the record of every call."""

"""Right of the text: why it was decided so, the guideline, and the gold set."""

"""How alike quotes are: the formulas, for many pairs at once."""

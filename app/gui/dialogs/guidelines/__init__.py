"""Guidelines amended: a draft with its example, and the list of what was amended."""

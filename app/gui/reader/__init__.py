"""The reader: a report's text with its spans painted under it."""

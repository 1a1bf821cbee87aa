"""Pictures of reports, and the folders and archives that they come in."""

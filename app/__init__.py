"""The application half: project file, formats, agreement, command line."""

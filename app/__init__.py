"""The application half: project file, formats, agreement, command line."""

__version__ = "0.1.0"

"""The application half: project file, formats, agreement, reconciliation, operations, command line, window."""

__version__ = "0.1.0"

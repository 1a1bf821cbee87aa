"""The application half: project file, formats, measures, operations, command line, window."""

__version__ = "0.1.0"

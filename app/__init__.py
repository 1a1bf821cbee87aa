"""The application half: project file, formats, measures, operations, command line, window."""

__version__ = "0.1.0"
# What records say made them.
PROGRAM = f"Casespan {__version__}"

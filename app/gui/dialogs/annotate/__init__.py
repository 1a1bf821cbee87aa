"""Dialogs on what stands in the open report."""

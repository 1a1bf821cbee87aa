"""Dialogs on what comes in and goes out."""

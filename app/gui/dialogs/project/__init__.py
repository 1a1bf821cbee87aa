"""Dialogs on the project: its file, its copies, its reports, its history."""

"""Copies of a project's file: kept by age, encrypted, rescued."""

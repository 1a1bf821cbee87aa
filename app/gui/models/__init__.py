"""What lists and tables of the window show."""

"""A project as such: opened, listed, checked, undone; who holds what in it."""

"""Commands that bring annotations out of a project and projects together."""

"""What is in a project: words, spans and figures."""

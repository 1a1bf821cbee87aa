"""What is checked of a span that somebody marks, kind by kind."""

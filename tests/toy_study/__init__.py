"""A study of three questions: all that one has to say, in less than a hundred lines."""

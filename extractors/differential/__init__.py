"""From findings to diseases that explain them: an index of diseases, and a ranking with its reasons."""

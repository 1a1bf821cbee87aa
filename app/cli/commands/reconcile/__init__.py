"""Commands that compare what several have annotated, and decide between them."""

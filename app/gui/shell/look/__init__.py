"""How the window looks, and what it remembers of that."""

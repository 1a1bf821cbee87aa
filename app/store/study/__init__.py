"""What studies ask, and how people rate what was answered."""

"""What opens over the window: others alike, corrections, and decisions that no longer apply."""

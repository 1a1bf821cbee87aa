"""Rating an output: the output itself, the twelve items, the means."""

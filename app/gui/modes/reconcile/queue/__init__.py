"""The queue as it is worked off: what there is, where one is in it, what one decides, and its list."""

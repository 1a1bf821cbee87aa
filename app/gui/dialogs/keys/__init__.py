"""The keys of all commands: looked up, changed, printed."""

"""The window: the only room that speaks Qt."""

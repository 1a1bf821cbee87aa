"""The open project as the window holds it: one thread, long work, the report on the page, undo."""

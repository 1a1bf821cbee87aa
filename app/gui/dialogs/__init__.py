"""What the window asks and tells beside the page."""

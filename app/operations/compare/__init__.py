"""Two annotation sets side by side: read, measured, shown and written."""

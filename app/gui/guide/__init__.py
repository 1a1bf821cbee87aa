"""The guide: pages that come with the program, read and searched in a window of their own; and the tour."""

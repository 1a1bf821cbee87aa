"""Figures in the window: thumbnails beside the text, and the large view with its regions."""

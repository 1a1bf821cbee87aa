"""Annotating: the palette, the guideline, the span at the caret, the lists beside the text."""

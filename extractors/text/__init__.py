"""The text itself: tokens, sentences, sections, and where it must not be cut."""

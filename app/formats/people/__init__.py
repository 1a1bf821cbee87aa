"""Annotated reports for people to read: as a page, a PDF and a Word document, marked alike."""

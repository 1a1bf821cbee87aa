"""The names of the formats that can be read and written."""

from __future__ import annotations

from app.formats import READ_FORMATS
from app.formats import WRITE_FORMATS as ANNOTATION_FORMATS

# What a model said, word for word, to be played again without it.
REPLIES = "replies"
WRITE_FORMATS = (*ANNOTATION_FORMATS, REPLIES)

__all__ = ["ANNOTATION_FORMATS", "READ_FORMATS", "REPLIES", "WRITE_FORMATS"]

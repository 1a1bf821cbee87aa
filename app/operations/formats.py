"""The names of the formats that can be read and written."""

from __future__ import annotations

from app.formats import READ_FORMATS, WRITE_FORMATS

__all__ = ["READ_FORMATS", "WRITE_FORMATS"]

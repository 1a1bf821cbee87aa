"""Which format a file is in, judged by its first bytes; file names lie."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from app.formats.format import Format
    from app.formats.packages import Payload

_HEAD = 4096
_XML = re.compile(r"<[?!A-Za-z]")
_JSON = re.compile(r'[\[{]\s*(?:[\[{"\]}]|$)')
_KNOWN_OTHERS = (
    (b"%PDF", "a PDF; get the article's XML, or save its text"),
    (b"PK\x03\x04", "a Word document or a ZIP archive; save it as plain text, or unpack it"),
    (b"\xd0\xcf\x11\xe0", "an old Word document; save it as plain text"),
    (b"{\\rtf", "an RTF document; save it as plain text"),
    (b"\x89PNG", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (
        b"SQLite format 3",
        "a database; reports are imported from files, such as JATS XML, text or JSON",
    ),
)


def detect(payload: Payload, formats: Sequence[Format]) -> Format:
    """The format that a file is in; raises FormatError for what is plainly none of them, or empty."""
    data = payload.data
    if payload.companion is not None:
        return next(one for one in formats if one.companion and payload.source.lower().endswith(one.suffixes))
    if not data.strip():
        raise FormatError("The file is empty.")
    for magic, what in _KNOWN_OTHERS:
        if data.startswith(magic):
            raise FormatError(f"The file is {what}.")
    return max(formats, key=lambda one: one.detect(data))


def is_xml(data: bytes) -> bool:
    """Whether it begins as XML does."""
    return bool(_XML.match(_first_characters(data)))


def is_json(data: bytes) -> bool:
    """Whether it begins as JSON does."""
    return bool(_JSON.match(_first_characters(data)))


def _first_characters(data: bytes) -> str:
    """The beginning of the file without marks and blanks; only its ASCII characters need to be right."""
    start = data[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff") or start.count(0) * 3 > len(start):
        start = start.replace(b"\xff\xfe", b"").replace(b"\xfe\xff", b"").replace(b"\0", b"")
    return start.decode("latin-1").lstrip()

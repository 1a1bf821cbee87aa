"""Which format a file is in, judged by its first bytes; file names lie."""

from __future__ import annotations

import json
import re

from extractors.model.errors import FormatError

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
        "a database; reports are imported from JATS XML, text, CaseReportBench JSON or JSON Lines",
    ),
)


def detect(data: bytes) -> str:
    """ "jats", "jsonl", "crb" or "text"; raises FormatError for what is plainly none of them, or empty."""
    if not data.strip():
        raise FormatError("The file is empty.")
    for magic, what in _KNOWN_OTHERS:
        if data.startswith(magic):
            raise FormatError(f"The file is {what}.")
    head = _first_characters(data)
    if _XML.match(head):
        return "jats"
    if _JSON.match(head):
        return "jsonl" if head.startswith("{") and _is_json_line(data) else "crb"
    return "text"


def _is_json_line(data: bytes) -> bool:
    """Whether the first line is an object with annotations, as `write_jsonl` writes them."""
    try:
        first = json.loads(data.lstrip().partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "annotations" in first


def _first_characters(data: bytes) -> str:
    """The beginning of the file without marks and blanks; only its ASCII characters need to be right."""
    start = data[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff") or start.count(0) * 3 > len(start):
        start = start.replace(b"\xff\xfe", b"").replace(b"\xfe\xff", b"").replace(b"\0", b"")
    return start.decode("latin-1").lstrip()

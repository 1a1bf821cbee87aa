"""Places in a report (code points) and in Qt's documents (UTF-16 units), and the text Qt may be given."""

from __future__ import annotations

import re

# A Qt document ends a paragraph or opens a frame or an object at these, or cannot hold them (half a pair);
# a byte order mark at the start is swallowed on the way into Qt, or turns the bytes of all others round.
_SPECIAL_ALONE = "\r\u2028\u2029\ufdd0\ufdd1\ufffc\ufeff\ufffe"
_SPECIAL = re.compile(f"[{_SPECIAL_ALONE}\ud800-\udfff]")
_SHOWN = {"\r": "\u21b5", "\u2028": "\u21b5", "\u2029": "\u00b6", "\ufeff": "\u2060"}
_REPLACEMENT = "\ufffd"


def shown_text(text: str) -> str:
    """`text` as a Qt document can hold it: of the same length, with characters special to Qt made visible."""
    return text if _is_plain(text) else _SPECIAL.sub(lambda match: _SHOWN.get(match[0], _REPLACEMENT), text)


def _is_plain(text: str) -> bool:
    """Whether there is nothing special, in a tenth of the time that the expression takes to find out."""
    if any(char in text for char in _SPECIAL_ALONE):
        return False
    try:
        text.encode("utf-16-le")
    except UnicodeEncodeError:
        return False
    return True

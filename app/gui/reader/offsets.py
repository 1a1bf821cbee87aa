"""Places in a report (code points) and in Qt's documents (UTF-16 units), and the text Qt may be given."""

from __future__ import annotations

import re
from bisect import bisect_left

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
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


class Offsets:
    """Translates between code points and UTF-16 units of one text, in O(log n), or at once without emoji.

    The document may have a unit `before` the text and one `after` it: there the text begins and ends.
    """

    def __init__(self, text: str, *, before: bool = False, after: bool = False) -> None:
        self._length = len(text)
        self._before, self._after = int(before), int(after)
        self._astral: list[int] = []
        # Counting units is ten times as fast as looking for pairs, which most texts do not have.
        if len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text):
            self._astral = [match.start() for match in _ASTRAL.finditer(text)]
        self._units = [place + before for before, place in enumerate(self._astral)]

    @property
    def units(self) -> int:
        """Length of the text in UTF-16 units."""
        return self._length + len(self._astral)

    def to_qt(self, code_point: int) -> int:
        """The UTF-16 offset of a code point offset; raises IndexError outside the text."""
        if not 0 <= code_point <= self._length:
            raise IndexError(f"offset {code_point} is outside a text of {self._length} characters")
        if not self._astral:
            return code_point + self._before
        return code_point + bisect_left(self._astral, code_point) + self._before

    def to_code_point(self, utf16: int) -> int:
        """The code point offset of a UTF-16 offset, the character's start inside a pair; else as `to_qt`."""
        if not 0 <= utf16 <= self.units + self._before + self._after:
            raise IndexError(f"offset {utf16} is outside a text of {self.units} UTF-16 units")
        utf16 = min(max(utf16 - self._before, 0), self.units)
        if not self._astral:
            return utf16
        return utf16 - bisect_left(self._units, utf16)

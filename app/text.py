"""Words for people: counted nouns, cut lines, times, sizes, and what a terminal may be shown."""

from __future__ import annotations

import re
from bisect import bisect_left
from pathlib import Path

from extractors.model.errors import FormatError

_GIGABYTE, _MEGABYTE = 1e9, 1e6
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
# What XML forbids: control characters, halves of surrogate pairs, and two that are no characters.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# What a terminal or a browser would obey rather than show: controls, breaks, turns of direction, halves.
_UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def xml_text(text: str) -> str:
    """A text with the replacement character for each that XML cannot hold."""
    return _UNFIT.sub("\ufffd", text)


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 report`, `2 reports`, `2 addresses`."""
    many = plural or noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {noun if number == 1 else many}"


def as_label(key: str) -> str:
    """A key of data as people read it: "Follow up" of "follow_up"."""
    return key.replace("_", " ").capitalize()


def shortened(text: str, width: int) -> str:
    """The text on at most `width` columns, with an ellipsis where it was cut."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def duration(seconds: float) -> str:
    """A length of time as people say it: "40 s", "12 min", "3 h 5 min"."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def size_in_words(size: int) -> str:
    """A number of bytes as people say it, "?" for 0."""
    if not size:
        return "?"
    return f"{size / _GIGABYTE:.1f} GB" if size > _GIGABYTE / 10 else f"{size / _MEGABYTE:.1f} MB"


def one_line(text: str) -> str:
    """A name or sentence from outside as it can be shown: on one line, what nobody sees as U+FFFD."""
    return _UNSHOWN.sub("\ufffd", text)


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

    def to_utf16(self, code_point: int) -> int:
        """The UTF-16 offset of a code point offset; raises IndexError outside the text."""
        if not 0 <= code_point <= self._length:
            raise IndexError(f"offset {code_point} is outside a text of {self._length} characters")
        if not self._astral:
            return code_point + self._before
        return code_point + bisect_left(self._astral, code_point) + self._before

    def to_code_point(self, utf16: int) -> int:
        """The code point offset of a UTF-16 offset, its character's start in a pair; else as `to_utf16`."""
        if not 0 <= utf16 <= self.units + self._before + self._after:
            raise IndexError(f"offset {utf16} is outside a text of {self.units} UTF-16 units")
        utf16 = min(max(utf16 - self._before, 0), self.units)
        if not self._astral:
            return utf16
        return utf16 - bisect_left(self._units, utf16)


def text_of_file(path: Path) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; raises FormatError."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise FormatError(f"{path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FormatError(f"{path}, line {line}, is no text in UTF-8; save the file as UTF-8.") from None

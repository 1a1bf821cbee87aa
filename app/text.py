"""Words for people: counted nouns, cut lines, times, sizes, and what a terminal may be shown."""

from __future__ import annotations

import re

_GIGABYTE, _MEGABYTE = 1e9, 1e6
# What a terminal or a browser would obey rather than show: controls, breaks, turns of direction, halves.
_UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 report`, `2 reports`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


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

"""What work came to, in the sentences that the command line and the window both say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

_GIGABYTE, _MEGABYTE = 1e9, 1e6


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 report`, `2 reports`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(seconds: float) -> str:
    """A length of time as people say it: "40 s", "12 min", "3 h 5 min"."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def shortened(text: str, width: int) -> str:
    """The text on at most `width` columns, with an ellipsis where it was cut."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def size_in_words(size: int) -> str:
    """A number of bytes as people say it, "?" for 0."""
    if not size:
        return "?"
    return f"{size / _GIGABYTE:.1f} GB" if size > _GIGABYTE / 10 else f"{size / _MEGABYTE:.1f} MB"

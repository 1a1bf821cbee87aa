"""Words for people: counted nouns, cut lines, sizes, and what a terminal may be shown."""

from __future__ import annotations

_GIGABYTE, _MEGABYTE = 1e9, 1e6


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 report`, `2 reports`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def shortened(text: str, width: int) -> str:
    """The text on at most `width` columns, with an ellipsis where it was cut."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def size_in_words(size: int) -> str:
    """A number of bytes as people say it, "?" for 0."""
    if not size:
        return "?"
    return f"{size / _GIGABYTE:.1f} GB" if size > _GIGABYTE / 10 else f"{size / _MEGABYTE:.1f} MB"

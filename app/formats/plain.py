"""Strings from outside, made fit to keep and to show: the same rules for every reader."""

from __future__ import annotations

import re

# What a terminal may obey and no reader sees: C0, delete and C1 but for blanks, line ends and page breaks.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_HALF = re.compile(r"[\ud800-\udfff]")


def one_newline(text: str) -> str:
    """`text` with one newline per line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def without_controls(text: str) -> str:
    """`text` without control characters; blanks, tabs and line ends stay. For headings."""
    return _CONTROL.sub("", text)


def title_line(text: str) -> str:
    """`text` on one line and without control characters. For titles."""
    return whole_characters(without_controls(" ".join(text.split())))


def control_notes(text: str) -> tuple[str, ...]:
    """A note where a report's text, which is kept as it is, holds control characters."""
    found = _CONTROL.findall(text)
    if not found:
        return ()
    kinds = ", ".join(f"U+{ord(char):04X}" for char in sorted(set(found)))
    number = "a control character" if len(found) == 1 else f"{len(found)} control characters"
    return (f"The text holds {number} ({kinds}), kept as given.",)


def has_half_characters(text: str) -> bool:
    """Whether `text` holds lone surrogates, which no file and no database takes."""
    return _HALF.search(text) is not None


def whole_characters(text: str) -> str:
    """`text` with the replacement character for each lone surrogate."""
    return _HALF.sub("\ufffd", text)

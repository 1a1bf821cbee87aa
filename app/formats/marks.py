"""Marks that travel in a text while it is put together and say where something came to stand in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

Marks: TypeAlias = dict[str, tuple[int, int]]

# Control characters that cannot occur in XML; citations have others (app/formats/jats/citations.py).
MARK, _NAMED, _END = "\x0e", "\x0f", "\x10"
_ANY = re.compile(rf"{MARK}([^{_NAMED}]*){_NAMED}|{_END}")


def mark(pieces: list[str], name: str) -> None:
    """Mark the text that the pieces are, so that its place is known by `name`."""
    pieces[0] = f"{MARK}{name}{_NAMED}{pieces[0]}"
    pieces[-1] += _END


def unmarked(text: str) -> tuple[str, Marks]:
    """The text without its marks, and the place of each."""
    pieces: list[str] = []
    length = at = 0
    begun: list[tuple[str, int]] = []
    places: Marks = {}
    for found in _ANY.finditer(text):
        pieces.append(text[at : found.start()])
        length += found.start() - at
        at = found.end()
        if found[0] != _END:
            begun.append((found[1], length))
        elif begun:
            name, start = begun.pop()
            if start < length:
                places[name] = (start, length)
    return "".join((*pieces, text[at:])), places


def tidied(text: str, tidy: Callable[[str], str]) -> str:
    """What `tidy` makes of a text as if it had no marks, with them again where their words now stand.

    `tidy` takes words out and changes blanks, and adds nothing else.
    """
    plain, places = unmarked(text)
    done = tidy(plain)
    # Where marks are no hindrance, the words that were taken out are the same ones with and without them.
    through, kept = unmarked(tidy(text))
    source, places = (through, kept) if _bare(through) == _bare(done) else (plain, places)
    tokens: list[tuple[int, int, str]] = []
    for name, (start, end) in places.items():
        words = source[start:end].split()
        if not words:
            continue
        begin = _ordinal(source, done, start)
        until = _ordinal(source, done, end)
        first, last = _place(done, begin, until)
        if first < last:
            tokens += [(first, -last, f"{MARK}{name}{_NAMED}"), (last, 1 - first, _END)]
    # Of marks at one place ends come first, then those that reach further.
    tokens.sort(key=lambda one: (one[0], one[2] != _END, one[1]))
    pieces: list[str] = []
    at = 0
    for place, _, token in tokens:
        pieces += [done[at:place], token]
        at = place
    return "".join((*pieces, done[at:]))


def _bare(text: str) -> str:
    return "".join(text.split())


def _ordinal(source: str, done: str, place: int) -> int:
    """How many characters, blanks apart, stand in `done` before what stands at a place of `source`."""
    before, whole = _bare(source[:place]), _bare(done)
    if whole.startswith(before):
        return len(before)
    at = 0
    for char in before:
        at += at < len(whole) and whole[at] == char
    return at


def _place(text: str, begin: int, until: int) -> tuple[int, int]:
    """From the character of the first number to before that of the second, blanks not counted."""
    places = [place for place, char in enumerate(text) if not char.isspace()]
    if begin >= until or until > len(places):
        return 0, 0
    return places[begin], places[until - 1] + 1

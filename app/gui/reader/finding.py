"""Finds words in a text as a reader means them: whatever the case, the accents and the width of blanks."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from extractors.text.boundaries import IGNORED, cuts_word

_IGNORED = re.compile(f"[{IGNORED}]+")
# A letter before it is taken along: what follows may be its accent.
_NOT_ASCII = re.compile("[\x00-\x7f]?[^\x00-\x7f]+")
_DOTLESS = "\u0131"


class _Folded(NamedTuple):
    """A text made comparable; for each of its characters where the sign begins from which it came."""

    text: str
    origins: tuple[int, ...] | range


def find_all(text: str, words: str, whole: bool = False) -> list[tuple[int, int]]:
    """Where `words` stand in `text`, as (start, end) in code points of `text`, in order, never overlapping.

    Case does not matter, one blank matches any run of blanks, and accents matter only if `words` has some.
    Places never part a letter from its accents. `whole` leaves out what begins or ends inside a word.
    """
    accents = _has_accents(words)
    parts = [re.escape(part) for part in _fold(words, accents).text.split()]
    if not parts:
        return []
    folded = _folded(text, accents)
    origins = folded.origins
    found: list[tuple[int, int]] = []
    for match in re.finditer(r"\s+".join(parts), folded.text):
        start = origins[match.start()]
        # The sign that is found last may go on in characters of which nothing is left.
        following = bisect_right(origins, origins[match.end() - 1])
        end = origins[following] if following < len(origins) else len(text)
        if accents and following != match.end():
            continue
        if found and start < found[-1][1]:
            continue
        if not whole or not (cuts_word(text, start) or cuts_word(text, end)):
            found.append((start, end))
    return found


def _has_accents(words: str) -> bool:
    return _DOTLESS in words or any(map(unicodedata.combining, unicodedata.normalize("NFD", words)))


@lru_cache(maxsize=2)
def _folded(text: str, accents: bool) -> _Folded:
    """`text` folded, kept for the next search in the same report."""
    return _fold(text, accents)


def _fold(text: str, accents: bool) -> _Folded:
    if text.isascii():
        return _Folded(text.lower(), range(len(text)))
    pieces: list[str] = []
    origins: list[int] = []
    place = 0
    for match in _NOT_ASCII.finditer(text):
        pieces.append(text[place : match.start()].lower())
        origins.extend(range(place, match.start()))
        for start, end in _signs(text, match.start(), match.end()):
            sign = _fold_sign(text[start:end], accents)
            pieces.append(sign)
            origins.extend([start] * len(sign))
        place = match.end()
    pieces.append(text[place:].lower())
    origins.extend(range(place, len(text)))
    return _Folded("".join(pieces), tuple(origins))


def _signs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The characters of a piece of text, each with the accents that follow it."""
    starts = [start, *(at for at in range(start + 1, end) if not unicodedata.combining(text[at]))]
    return list(zip(starts, [*starts[1:], end], strict=True))


@lru_cache(maxsize=4096)
def _fold_sign(sign: str, accents: bool) -> str:
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFD", _IGNORED.sub("", sign)).casefold())
    if accents:
        return decomposed
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return plain.replace(_DOTLESS, "i")

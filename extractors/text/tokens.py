"""Tokens of a text with their offsets, and the normalised key in which quotes are looked up."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from extractors.text.boundaries import IGNORED, MARKS

_QUOTES = "\"'`´«»‘’‚‛“”„‟‹›′″‵‶＂＇"
_DASHES = "-‐‑‒–—―−⁃﹘﹣－"
_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+(?![\d])(?:[.·]\d+)?|\d+(?:[.·]\d+)?)"
    rf"|(?P<word>(?:[^\W\d_])(?:[^\W\d_]|[{IGNORED}{MARKS}])*)"
    rf"|(?P<symbol>[{_QUOTES}]+|[^\s{IGNORED}][{MARKS}]*)"
)
_STRIP = re.compile(f"[{IGNORED}{MARKS}]")
_SYMBOLS = {ord(dash): "-" for dash in _DASHES} | {ord("º"): "°", ord("˚"): "°", ord("⁄"): "/", ord("∕"): "/"}
WORD, NUMBER, SYMBOL = "word", "number", "symbol"


@lru_cache(maxsize=65536)
def normalise(token: str) -> str:
    """One token without case, accents, ligatures and typographic variants of dashes, quotes and signs."""
    if token.isascii():
        return "'" if token[0] in _QUOTES else token.lower()
    if token[0] in _QUOTES:
        return "'"
    plain = unicodedata.normalize("NFKD", token.translate(_SYMBOLS)).casefold().translate(_SYMBOLS)
    return _STRIP.sub("", plain).replace(" ", "") or token


@dataclass(slots=True)
class Tokens:
    """The tokens of a text as parallel lists: code point offsets, normalised spelling and kind.

    `key` joins the normalised spellings, with a blank only where white space divides two words or two
    numbers: white space around punctuation does not count. `places` are the offsets of the tokens in `key`.
    """

    text: str
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    norms: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    key: str = ""
    places: list[int] = field(default_factory=list)

    def token_at(self, place: int) -> int:
        """Index of the token that holds the key's character at `place`."""
        return bisect_right(self.places, place) - 1


def tokenise(text: str) -> Tokens:
    """Cut a text into words, numbers and single signs; everything but white space is in some token."""
    tokens = Tokens(text)
    parts: list[str] = []
    length = 0
    before, before_end = SYMBOL, 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or SYMBOL
        start, end = match.span()
        norm = normalise(match.group())
        if kind == before != SYMBOL and start > before_end:
            parts.append(" ")
            length += 1
        tokens.starts.append(start)
        tokens.ends.append(end)
        tokens.norms.append(norm)
        tokens.kinds.append(kind)
        tokens.places.append(length)
        parts.append(norm)
        length += len(norm)
        before, before_end = kind, end
    tokens.key = "".join(parts)
    return tokens

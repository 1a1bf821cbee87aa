"""Tokens of a text with their offsets, and the normalised key in which quotes are looked up."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

_IGNORED = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
_MARKS = "\u0300-\u036f"
_QUOTES = "\"'`´«»‘’‚‛“”„‟‹›′″‵‶＂＇"
_DASHES = "-‐‑‒–—―−⁃﹘﹣－"
_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+(?![\d])(?:[.·]\d+)?|\d+(?:[.·]\d+)?)"
    rf"|(?P<word>(?:[^\W\d_])(?:[^\W\d_]|[{_IGNORED}{_MARKS}])*)"
    rf"|(?P<symbol>[{_QUOTES}]+|[^\s{_IGNORED}][{_MARKS}]*)"
)
_STRIP = re.compile(f"[{_IGNORED}{_MARKS}]")
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


def _joins(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M" or bool(_STRIP.match(char))


def cuts_number(text: str, place: int) -> bool:
    """Whether an edge at `place` would part the digits of one number: 1|3, 9|.8, 1,|200."""
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    if left.isdigit() and right.isdigit():
        return True
    if left.isdigit() and right in ".·,":
        after = text[place + 1 : place + 5]
        return (
            after[:1].isdigit()
            if right != ","
            else after[:3].isdigit() and len(after) > 2 and not after[3:].isdigit()
        )
    if left in ".·," and right.isdigit() and place > 1 and text[place - 2].isdigit():
        after = text[place : place + 4]
        return left != "," or (after[:3].isdigit() and len(after) > 2 and not after[3:].isdigit())
    return False


def is_edge(text: str, place: int) -> bool:
    """Whether `place` lies between tokens: not inside a word, a number or a letter with its accents."""
    if not 0 < place < len(text):
        return True
    if _joins(text[place - 1]) and _joins(text[place]):
        return False
    return not cuts_number(text, place)

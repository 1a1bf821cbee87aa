"""A report that does not fit into one prompt, divided into parts that overlap; nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
Count: TypeAlias = Callable[[str], int]
OVERLAP = 80

_PARAGRAPH = re.compile(r"\n+")
_BLANK = re.compile(r"\s+")


def split(
    text: str, spans: Sequence[Span], count: Count, room: int, overlap: int = OVERLAP
) -> list[tuple[Span, ...]]:
    """The spans, divided into parts of at most `room` tokens each, as `count` has them.

    Spans are code points of `text`, in order, and do not overlap: those of the sections to be shown. Where
    they do not fit together they are parted between sections; a section too long for a part of its own
    between paragraphs, then sentences, then words, and where a word is too long, between characters. Every
    part but the first begins with whole sentences that came before, or the end of one, of at most `overlap`
    tokens and a quarter of the room. Together the parts hold every character of the spans; a single
    character is a part even where it takes more than the room. Tokens of pieces are added up, so that a part
    may differ by a few from its own count.
    """
    shown = [span for span in spans if span[0] < span[1]]
    packer = _Packer(text, shown, count, room, min(overlap, room // 4))
    for span in shown:
        packer.place(span)
    return packer.parts()


class _Packer:
    """Fills one part after the other; a part is a stretch of the text, seen through the spans."""

    def __init__(self, text: str, shown: list[Span], count: Count, room: int, overlap: int) -> None:
        self._text, self._shown, self._count = text, shown, count
        self._room, self._overlap = room, overlap
        # Of each part: where its overlap begins, where it begins itself, and where it ends.
        self._stretches: list[tuple[int, int, int]] = []
        self._used = 0

    def parts(self) -> list[tuple[Span, ...]]:
        """What each stretch shows of the spans."""
        return [tuple(_clipped(self._shown, first, end)) for first, _, end in self._stretches]

    def place(self, span: Span, level: int = 0) -> None:
        """Put `span` into the part under way, or a new one, or in pieces into as many as it takes."""
        size = self._size(span)
        if self._stretches and self._used + size <= self._room:
            self._extend(span[1], size)
            return
        lead, cost = self._lead(span[0])
        if cost + size <= self._room or span[1] - span[0] == 1:
            self._open(span, lead, cost + size)
            return
        for piece in _LEVELS[level](self._text, span):
            self.place(piece, level + 1)

    def _extend(self, end: int, size: int) -> None:
        lead, start, _ = self._stretches[-1]
        self._stretches[-1] = lead, start, end
        self._used += size

    def _open(self, span: Span, lead: int, used: int) -> None:
        self._stretches.append((lead, *span))
        self._used = used

    def _lead(self, start: int) -> tuple[int, int]:
        """Where a part that begins at `start` takes its overlap from, and how many tokens that takes."""
        lead, cost = start, 0
        if not self._stretches:
            return lead, cost
        for span in reversed(_clipped(self._shown, self._stretches[-1][1], start)):
            for sentence in reversed(_sentences(self._text, span)):
                size = self._size(sentence)
                if cost + size > self._overlap:
                    return (lead, cost) if cost else self._tail(sentence)
                lead, cost = sentence[0], cost + size
        return lead, cost

    def _tail(self, sentence: Span) -> tuple[int, int]:
        """The last words of a sentence that is too long as a whole."""
        lead, cost = sentence[1], 0
        for word in reversed(_words(self._text, sentence)):
            size = self._size(word)
            if cost + size > self._overlap:
                break
            lead, cost = word[0], cost + size
        return lead, cost

    def _size(self, span: Span) -> int:
        return self._count(self._text[span[0] : span[1]])


def _clipped(spans: Iterable[Span], first: int, end: int) -> list[Span]:
    return [(max(s, first), min(e, end)) for s, e in spans if max(s, first) < min(e, end)]


def _paragraphs(text: str, span: Span) -> list[Span]:
    return _cut(span, (match.end() for match in _PARAGRAPH.finditer(text, *span)))


def _sentences(text: str, span: Span) -> list[Span]:
    # Only where a report must be divided: importing the rules' package takes tens of milliseconds.
    from extractors.text.sentences import sentences

    found = sentences(text[span[0] : span[1]])
    return _cut(span, (span[0] + start for start, _ in found[1:]))


def _words(text: str, span: Span) -> list[Span]:
    # A word keeps the blank before it, as tokens do.
    return _cut(span, (match.start() for match in _BLANK.finditer(text, *span)))


def _characters(text: str, span: Span) -> list[Span]:
    return _cut(span, range(span[0] + 1, span[1]))


def _cut(span: Span, places: Iterable[int]) -> list[Span]:
    """`span` cut at the places that lie within it; the pieces hold all of it."""
    edges = [span[0], *(place for place in places if span[0] < place < span[1]), span[1]]
    return list(pairwise(edges))


_LEVELS: tuple[Callable[[str, Span], list[Span]], ...] = (_paragraphs, _sentences, _words, _characters)

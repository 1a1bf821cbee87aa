"""Polarity of spans that somebody else marked: the same cues as the rules use for their own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache, partial

from extractors.model.finding import Polarity
from extractors.rules import assertion
from extractors.rules.clauses import Clause, clauses
from extractors.rules.lexicon import Lexicon, load_lexicon
from extractors.rules.reading import Reading, read
from extractors.text.repair import repair
from extractors.text.sentences import sentences


class PolarityReader:
    """Says of places in a text whether what stands there is present, negated or uncertain. Load once."""

    def __init__(self) -> None:
        self._lexicon = load_lexicon()
        # Quotes of one text come category by category.
        self._text_of = lru_cache(maxsize=4)(partial(_Text, self._lexicon))

    def polarities(self, text: str, spans: Sequence[tuple[int, int]]) -> list[Polarity]:
        """One polarity per span (start, end: code points of `text`), in the order given."""
        return [self._text_of(text).polarity(*span) for span in spans]


class _Text:
    """A text and its sentences, each of which is read once, however many spans stand in it."""

    def __init__(self, lexicon: Lexicon, text: str) -> None:
        self._lexicon, self._repaired = lexicon, repair(text)
        self._borders = sentences(self._repaired.text)
        self._starts = [start for start, _ in self._borders]
        self._read_once = cache(self._read)

    def polarity(self, start: int, end: int) -> Polarity:
        start, end = self._repaired.forth(start, end)
        sentence = self._borders[max(0, bisect_right(self._starts, start) - 1)]
        first = min(sentence[0], start)
        reading, parts = self._read_once(first, max(sentence[1], end))
        return _polarity(reading, parts, (start - first, end - first))

    def _read(self, first: int, last: int) -> tuple[Reading, list[Clause]]:
        reading = read(self._repaired.text[first:last], self._lexicon)
        return reading, list(clauses(reading, 0, len(reading.words)))


def _polarity(reading: Reading, parts: list[Clause], place: tuple[int, int]) -> Polarity:
    token = max(0, bisect_right(reading.starts, place[0]) - 1)
    # Of clauses that stand in order, the one that the token is in.
    at = bisect_right(parts, token, key=lambda part: part.first) - 1
    if at < 0 or token >= parts[at].last:
        return "present"
    return assertion.polarity(reading, (parts[at].first, len(reading.words)), place)

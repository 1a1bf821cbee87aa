"""Polarity of spans that somebody else marked: the same cues as the rules use for their own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, partial

from extractors.model.finding import Polarity
from extractors.rules import context
from extractors.rules.clauses import Clause, clauses
from extractors.rules.lexicon import load_lexicon
from extractors.rules.reading import Reading, read
from extractors.text.repair import repair
from extractors.text.sentences import sentences


class PolarityReader:
    """Says of places in a text whether what stands there is present, negated or uncertain. Load once."""

    def __init__(self) -> None:
        self._lexicon = load_lexicon()

    def polarities(self, text: str, spans: Sequence[tuple[int, int]]) -> list[Polarity]:
        """One polarity per span (start, end: code points of `text`), in the order given."""
        repaired = repair(text)
        text, spans = repaired.text, [repaired.forth(*span) for span in spans]
        borders = sentences(text)
        starts = [start for start, _ in borders]
        # Many spans stand in one sentence; it is read once.
        read_once = cache(partial(self._read, text))
        found: list[Polarity] = []
        for start, end in spans:
            sentence = borders[max(0, bisect_right(starts, start) - 1)]
            first = min(sentence[0], start)
            reading, parts = read_once(first, max(sentence[1], end))
            found.append(_polarity(reading, parts, (start - first, end - first)))
        return found

    def _read(self, text: str, first: int, last: int) -> tuple[Reading, list[Clause]]:
        reading = read(text[first:last], self._lexicon)
        return reading, list(clauses(reading, 0, len(reading.words)))


def _polarity(reading: Reading, parts: list[Clause], place: tuple[int, int]) -> Polarity:
    token = max(0, bisect_right(reading.starts, place[0]) - 1)
    # Of clauses that stand in order, the one that the token is in.
    at = bisect_right(parts, token, key=lambda part: part.first) - 1
    if at < 0 or token >= parts[at].last:
        return "present"
    return context.polarity(reading, (parts[at].first, len(reading.words)), place)

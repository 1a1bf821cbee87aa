"""Polarity of spans that somebody else marked: the same cues as the rules use for their own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from extractors.model.finding import Polarity
from extractors.rules import context
from extractors.rules.clauses import clauses
from extractors.rules.lexicon import load_lexicon
from extractors.rules.reading import read
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
        return [
            self._polarity(text, span, borders[max(0, bisect_right(starts, span[0]) - 1)]) for span in spans
        ]

    def _polarity(self, text: str, span: tuple[int, int], sentence: tuple[int, int]) -> Polarity:
        first = min(sentence[0], span[0])
        reading = read(text[first : max(sentence[1], span[1])], self._lexicon)
        place = (span[0] - first, span[1] - first)
        token = max(0, bisect_right(reading.starts, place[0]) - 1)
        clause = next((c for c in clauses(reading, 0, len(reading.words)) if c.first <= token < c.last), None)
        if clause is None:
            return "present"
        return context.polarity(reading, (clause.first, len(reading.words)), place)

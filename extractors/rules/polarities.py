"""Polarity of spans that somebody else marked: the same cues as the rules use for their own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

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
        return [
            "present"
            if clause is None
            else context.polarity(reading, (clause.first, len(reading.words)), place)
            for reading, clause, place in self.clauses_at(text, spans)
        ]

    def clauses_at(
        self, text: str, spans: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[Reading, Clause | None, tuple[int, int]]]:
        """For each span its sentence as read, the clause in it that the span begins in, its place there."""
        repaired = repair(text)
        text, spans = repaired.text, [repaired.forth(*span) for span in spans]
        borders = sentences(text)
        starts = [start for start, _ in borders]
        for span in spans:
            sentence = borders[max(0, bisect_right(starts, span[0]) - 1)]
            first = min(sentence[0], span[0])
            reading = read(text[first : max(sentence[1], span[1])], self._lexicon)
            place = (span[0] - first, span[1] - first)
            token = max(0, bisect_right(reading.starts, place[0]) - 1)
            of_sentence = clauses(reading, 0, len(reading.words))
            yield reading, next((c for c in of_sentence if c.first <= token < c.last), None), place

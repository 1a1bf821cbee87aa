"""Quotes that were given for a report to findings in it: places, polarity, and what has no place."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from extractors.grounding import Grounder
from extractors.model.finding import Finding, Grounding

if TYPE_CHECKING:
    from extractors.model.document import Document
    from extractors.rules import PolarityReader
    from extractors.tasks.replies import ReplyQuote

Part: TypeAlias = "tuple[Sequence[ReplyQuote], Sequence[tuple[int, int]]]"


class ReportReader:
    """Reads quotes, a model's or imported ones, against one report; prepared once for all of them."""

    def __init__(self, document: Document, polarities: PolarityReader) -> None:
        self._text = document.text
        self._grounder = Grounder(document.text, document.sections)
        self._polarities = polarities

    def place_quotes(
        self, parts: Sequence[Part], *, repeats: bool = False
    ) -> list[tuple[Finding, Grounding]]:
        """One category's quotes with their places, part by part of what was shown of the report.

        A part is its quotes and the spans that it showed, in which their places are looked for first. Every
        quote is kept in the order given, `ungrounded` and `conflict` ones too. What comes again at the same
        place, or with the same words and no place, is kept once, with the field it had first (parts overlap),
        unless `repeats` are kept. Polarity is read off the text, "present" where there is no place.
        """
        kept: dict[Hashable, tuple[ReplyQuote, Grounding]] = {}
        for quotes, shown in parts:
            groundings = self._grounder.ground_all([quote.quote for quote in quotes], shown)
            for quote, grounding in zip(quotes, groundings, strict=True):
                place = quote.quote if grounding.start is None else (grounding.start, grounding.end)
                same = len(kept) if repeats else (quote.category, place)
                kept.setdefault(same, (quote, grounding))
        spans = [(g.start, g.end) for _, g in kept.values() if g.start is not None and g.end is not None]
        polarities = iter(self._polarities.polarities(self._text, spans))
        found = []
        for quote, grounding in kept.values():
            at, said = (grounding.start, grounding.end), (grounding.status, grounding.reason)
            polarity = "present" if grounding.start is None else next(polarities)
            finding = Finding(quote.category, quote.quote, *at, quote.field, polarity, *said)
            found.append((finding, grounding))
        return found

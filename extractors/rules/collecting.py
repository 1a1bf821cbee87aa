"""What a report gave so far, category by category, and when a category is open at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from extractors.finding import Polarity

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A quote's place in the document, whether something strong spoke for it, its field and polarity."""

    span: Span
    strong: bool
    field: str
    polarity: Polarity


@dataclass(slots=True)
class Collection:
    """Candidates by category."""

    found: dict[str, list[Candidate]] = field(default_factory=dict)

    def add(self, category: str, candidate: Candidate) -> None:
        self.found.setdefault(category, []).append(candidate)

    def kept(self, category: str) -> Iterator[Candidate]:
        """The category's candidates in text order, none nested; none where nothing strong opened it."""
        candidates = self.found.get(category, [])
        if not any(candidate.strong for candidate in candidates):
            return
        end = -1
        for candidate in sorted(candidates, key=lambda c: (c.span[0], -c.span[1])):
            if candidate.span[1] > end:
                end = candidate.span[1]
                yield candidate

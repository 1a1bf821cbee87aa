"""What a report gave so far, category by category, and when a category is open at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from extractors.model.finding import Polarity

# What may stand between two quotes that are one: "speech was normal and there was no tremor".
_LINK = re.compile(
    r"[,;]?\s*(?:and|but|while|as well as)?\s*(?:there (?:was|were)|s?he (?:was|had)|was|were|had)?\s*"
)
# In words: findings of one organ are told item by item, results, courses and histories in longer pieces.
_LONGEST_JOINED = {"Lab_Image": 30, "History": 30, "Pregnancy": 30}
_LONGEST_FINDING = 12
_LONGEST_LINK = 24

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

    def kept(self, category: str, text: str) -> Iterator[Candidate]:
        """The category's quotes of `text` in its order, neighbours joined, none nested.

        None at all where nothing strong opened the category.
        """
        candidates = self.found.get(category, [])
        if not any(candidate.strong for candidate in candidates):
            return
        longest = _LONGEST_JOINED.get(category, _LONGEST_FINDING)
        last: Candidate | None = None
        for candidate in sorted(candidates, key=lambda c: (c.span[0], -c.span[1])):
            if last is None:
                last = candidate
            elif candidate.span[1] <= last.span[1]:
                continue
            elif _are_one(text, last.span, candidate.span, longest):
                last = replace(last, span=(last.span[0], candidate.span[1]))
            else:
                yield last
                last = candidate
        if last is not None:
            yield last


def _are_one(text: str, first: Span, second: Span, longest: int) -> bool:
    """Neighbouring clauses of one category are one quote of at most `longest` words."""
    if second[0] - first[1] > _LONGEST_LINK or not _LINK.fullmatch(text, first[1], max(first[1], second[0])):
        return False
    return len(text[first[0] : second[1]].split()) <= longest

"""What a report gave so far, category by category, and when a category is open at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from extractors.model.finding import Polarity
from extractors.model.scheme import Grain

# What may stand between two quotes that are one: "speech was normal and there was no tremor".
_LINK = re.compile(
    r"[,;]?\s*(?:and|but|while|as well as)?\s*(?:there (?:was|were)|s?he (?:was|had)|was|were|had)?\s*"
)
_LONGEST_LINK = 24
# In words: findings are joined only while they stay short, passages while one reads them as one.
_LONGEST: dict[Grain, int] = {"phrase": 12, "sentence": 30, "passage": 60}
_LONGEST_STORY = 130
# Over so many characters of something else, brackets left out, a passage goes on within a sentence, into the
# next one, and, where it tells a story or one image, over a sentence between.
_WITHIN, _INTO, _OVER = 150, 50, {"story": 300, "image": 120}
# What ends a sentence of a description and begins the next.
_BETWEEN = 12
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A quote's place in the document, whether something strong spoke for it, its field and polarity.

    `sentence` numbers the sentences; only what has the same `topic` makes a passage, over a sentence between
    where it is of a `kind` that goes on: "story" or "image". What "goes on" describes what the
    sentence before did, what is "measured" has values.
    """

    span: Span
    strong: bool
    field: str
    polarity: Polarity
    sentence: int = 0
    topic: str = ""
    kind: str = ""


@dataclass(slots=True)
class Collection:
    """Candidates by category, and how large each category's quotes are."""

    grains: dict[str, Grain]
    found: dict[str, list[Candidate]] = field(default_factory=dict)
    # Whether the report has come to what was examined and found.
    examined: bool = False

    def add(self, category: str, candidate: Candidate) -> None:
        self.found.setdefault(category, []).append(candidate)

    def kept(self, category: str, text: str) -> Iterator[Candidate]:
        """The category's quotes of `text` in its order, neighbours joined, none nested.

        None at all where nothing strong opened the category.
        """
        candidates = self.found.get(category, [])
        if not any(candidate.strong for candidate in candidates):
            return
        grain = self.grains.get(category, "sentence")
        if any(candidate.kind == "measured" for candidate in candidates):
            # Beside values, what is only named ("fever") is told in the history.
            candidates = [candidate for candidate in candidates if candidate.kind == "measured"]
        last: Candidate | None = None
        for candidate in sorted(candidates, key=lambda c: (c.span[0], -c.span[1])):
            if last is None:
                last = candidate
            elif candidate.span[1] <= last.span[1]:
                continue
            elif _are_one(text, last, candidate, grain):
                span = (last.span[0], candidate.span[1])
                last = replace(last, span=span, sentence=candidate.sentence)
            else:
                yield last
                last = candidate
        if last is not None:
            yield last


def _are_one(text: str, first: Candidate, second: Candidate, grain: Grain) -> bool:
    """Whether neighbours are one quote: clauses that hang together, or sentences that make a passage."""
    end, start = first.span[1], second.span[0]
    longest, limit = _LONGEST[grain], -1
    if grain == "passage" and first.topic == second.topic:
        longest = _LONGEST_STORY if first.kind == "story" else longest
        if first.sentence == second.sentence:
            limit = _WITHIN
        else:
            limit = max(_OVER.get(first.kind, 0), _INTO if second.sentence - first.sentence == 1 else 0)
    elif grain == "sentence" and second.kind == "goes on":
        longest, limit = _LONGEST["passage"], _BETWEEN
    between = text[end:start]
    if "\n" in between or len(_BRACKETS.sub("", between)) > limit:
        if start - end > _LONGEST_LINK or not _LINK.fullmatch(text, end, max(end, start)):
            return False
        longest = _LONGEST[grain]
    return text.count(" ", first.span[0], second.span[1]) < longest

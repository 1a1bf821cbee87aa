"""What a report gave so far, category by category, and when a category is open at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from extractors.model.finding import Polarity
from extractors.model.scheme import Grain

# What may stand between two quotes that are one: "speech was normal and there was no tremor".
_LINK = re.compile(
    r"[,;]?\s*(?:and|but|while|as well as)?\s*(?:there (?:was|were)|s?he (?:was|had)|was|were|had)?\s*"
)
_LONGEST_LINK = 24
# In words: findings are joined only while they stay short, passages while one reads them as one.
_LONGEST: dict[Grain, int] = {"phrase": 12, "sentence": 30, "passage": 100}
_LONGEST_STORY = 130
# What is told of different images, or of a description, hangs together less far.
_LONGEST_MIXED = 50
# Over so many characters of something else, brackets left out, a passage goes on within a sentence, into the
# next one, and, where it tells a story or one image, over a sentence between.
_WITHIN, _INTO, _OVER = 150, 50, {"story": 450, "image": 120}
# What ends a sentence of a description and begins the next.
_BETWEEN = 12
_RESULTS = ("", "image", "lead")
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")

Span = tuple[int, int]


class Candidate(NamedTuple):
    """A quote's place in the document, whether something strong spoke for it, its field and polarity.

    `sentence` numbers the sentences; only what has the same `topic` makes a passage, over a sentence between
    where it is of a `kind` that goes on: "story" or "image". What "goes on" describes what the
    sentence before did, what is "measured" has values. A "lead" says that a test was done, and is nothing
    without what it showed.
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
        for candidate in _with_leads(text, sorted(candidates, key=lambda c: (c.span[0], -c.span[1])), grain):
            if last is None:
                last = candidate
            elif candidate.span[1] <= last.span[1]:
                continue
            elif _are_one(text, last, candidate, grain):
                span = (last.span[0], candidate.span[1])
                given = _said_together(last.polarity, candidate.polarity)
                last = last._replace(span=span, sentence=candidate.sentence, polarity=given)
            else:
                yield last
                last = candidate
        if last is not None:
            yield last


def _said_together(first: Polarity, second: Polarity) -> Polarity:
    """The polarity of two quotes as one: what is there counts more than what is not."""
    if first == second:
        return first
    return "present" if "present" in (first, second) else "uncertain"


def _with_leads(text: str, candidates: list[Candidate], grain: Grain) -> list[Candidate]:
    """The candidates with what leads over to them; what leads nowhere is left out."""
    kept: list[Candidate] = []
    for candidate in reversed(candidates):
        if candidate.kind != "lead":
            kept.append(candidate)
        elif kept and _are_one(text, candidate, kept[-1], grain):
            kept[-1] = kept[-1]._replace(span=(candidate.span[0], kept[-1].span[1]))
    return kept[::-1]


def _are_one(text: str, first: Candidate, second: Candidate, grain: Grain) -> bool:
    """Whether neighbours are one quote: clauses that hang together, or sentences that make a passage."""
    end, start = first.span[1], second.span[0]
    if grain == "phrase" and first.polarity != second.polarity and end < start:
        return False  # "steatosis, but no cirrhosis"
    longest, limit = _LONGEST[grain], -1
    mixed = first.topic != second.topic
    if grain == "passage" and not (mixed and (first.kind not in _RESULTS or second.kind not in _RESULTS)):
        longest = _LONGEST_STORY if first.kind == "story" else _LONGEST_MIXED if mixed else longest
        if first.sentence == second.sentence:
            limit = _WITHIN
        else:
            limit = max(_OVER.get(first.kind, 0), _INTO if second.sentence - first.sentence == 1 else 0)
    elif grain == "sentence" and second.kind == "goes on":
        longest, limit = _LONGEST_MIXED, _BETWEEN
    between = text[end:start]
    if "\n" in between or len(_BRACKETS.sub("", between)) > limit:
        if start - end > _LONGEST_LINK or not _LINK.fullmatch(text, end, max(end, start)):
            return False
        longest = _LONGEST[grain]
    return text.count(" ", first.span[0], second.span[1]) < longest

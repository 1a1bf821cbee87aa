"""What an annotator or extractor says about a report: a quote, its category, and its place in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Polarity = Literal["present", "negated", "uncertain"]
GroundingStatus = Literal["exact", "normalised", "fuzzy", "conflict", "ungrounded"]
POLARITIES: tuple[Polarity, ...] = ("present", "negated", "uncertain")
PLACED: frozenset[GroundingStatus] = frozenset({"exact", "normalised", "fuzzy"})


@dataclass(frozen=True, slots=True)
class Grounding:
    """Where a quote stands in a text, and how sure that is.

    `start` and `end` are code points of the text, both None where `status` is "conflict" or "ungrounded".
    `score` is the similarity 0-100 of quote and place. `places` lists every equally good place (start,
    end), the chosen one among them, where there is more than one. `reason` is empty for an exact match,
    otherwise a sentence. `candidate` is the best rejected place (start, end) of a conflicting or ungrounded
    quote, if there is one.
    """

    status: GroundingStatus
    start: int | None
    end: int | None
    score: float
    reason: str = ""
    places: tuple[tuple[int, int], ...] = ()
    candidate: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One quote in one category; `field` is "" where unknown, `start` and `end` None without a place."""

    category: str
    quote: str
    start: int | None
    end: int | None
    field: str = ""
    polarity: Polarity = "present"
    grounding: GroundingStatus = "exact"
    reason: str = ""

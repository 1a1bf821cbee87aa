"""Every pair of several annotators: headline scores for each, and the reports that one alone looked at."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import combinations

from app.agreement.compare import finding_headlines
from app.agreement.measures import Measure, shown_in
from app.agreement.types import Profile, ReportPair, Row
from app.messages import annotated_by_one, nothing_shared
from extractors.model.progress import Progress


@dataclass(frozen=True, slots=True)
class PairScores:
    """Two of several annotators: the average over categories, from the left's side.

    `documents` counts the reports that both looked at, `left_only` and `right_only` those of one alone.
    Where both looked at none, `average` is None and `sentence` says so.
    """

    left: str
    right: str
    profile: Profile
    documents: int
    left_only: int
    right_only: int
    average: Row | None
    sentence: str = ""

    def score(self, measure: str) -> float | None:
        """A score of the average, None where it is undefined."""
        return self.average.scores[measure] if self.average else None

    def reason(self, measure: str) -> str:
        """Why that score is undefined, "" where it is not."""
        return self.average.reasons.get(measure, "") if self.average else self.sentence


def ordered_pairs(names: Sequence[str], profile: Profile) -> list[tuple[str, str]]:
    """The pairs to measure: the paper profile looks from left to right, so that each pair counts twice."""
    pairs = list(combinations(names, 2))
    if profile == "strict":
        return pairs
    return [(left, right) for left in names for right in names if left != right]


def scoring_pair(
    reports: Sequence[ReportPair],
    categories: Sequence[str],
    left: str,
    right: str,
    profile: Profile,
    only: tuple[int, int] = (0, 0),
) -> Generator[Progress, None, PairScores]:
    """One pair over the reports that both looked at; `only` counts those of the left and the right alone."""
    average = None
    if reports:
        average = yield from finding_headlines(reports, categories, left, right, profile)
    sentence = "" if average else nothing_shared(left, right)
    return PairScores(left, right, profile, len(reports), *only, average, sentence)


def pair_measures(profile: Profile) -> tuple[Measure, ...]:
    """The measures that stand in a line for a pair, the first of them alone where there is little room."""
    found = shown_in("pairs", profile)
    # What the profile is about comes first, then what it has alone.
    return tuple(
        sorted(found, key=lambda one: (one.leads != profile, profile == "strict" and bool(one.paper)))
    )


def direction(profile: Profile) -> str:
    """In which direction a pair is read."""
    if profile == "paper":
        return "The paper profile looks from the left to the right, so every pair stands here both ways."
    return "The strict profile is the same both ways, except that precision and recall change places."


def one_sided(pair: PairScores) -> list[str]:
    """Said once for a pair: how many reports one of the two alone looked at."""
    if pair.profile == "paper" and pair.left > pair.right:
        return []
    return annotated_by_one(pair.left, pair.left_only, pair.right, pair.right_only)

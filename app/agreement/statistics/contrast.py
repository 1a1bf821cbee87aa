"""Agreement of two sides in one group of reports against another group, with the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.agreement.cells import measure_cells, scores_of, sum_of
from app.agreement.compare import OVERLAP, RESAMPLES, SEED, reason, unplaced_side
from app.agreement.measures import Measure, shown_in
from app.agreement.statistics.intervals import LEAST_REPORTS, Array, drawn_weights, percentile_intervals
from app.agreement.types import PROFILES, Profile, ReportPair

CONTRASTED: tuple[tuple[Profile, Measure], ...] = tuple(
    sorted(
        ((profile, measure) for profile in PROFILES for measure in shown_in("contrast", profile)),
        key=lambda one: one[1].leads is None,
    )
)


@dataclass(frozen=True, slots=True)
class Score:
    """A score with its 95 % bootstrap interval, None where undefined, which `reason` then explains."""

    value: float | None
    interval: tuple[float, float] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ContrastRow:
    """One measure in both groups; `difference` is the first group's score less the second's."""

    profile: Profile
    measure: str
    first: Score
    second: Score
    difference: Score


@dataclass(frozen=True, slots=True)
class Contrast:
    """How far `left` agrees with `right` in two groups of reports; `first` and `second` count the reports."""

    left: str
    right: str
    first: int
    second: int
    rows: tuple[ContrastRow, ...]


def contrast(
    first: Sequence[ReportPair],
    second: Sequence[ReportPair],
    categories: Sequence[str],
    left: str,
    right: str,
) -> Contrast:
    """Score both groups, all reports and categories of a group taken together.

    Intervals are the middle 95 % of tables drawn from the reports of a group with replacement, those of the
    differences from both groups at once, each drawn by itself; None below five reports in a group.
    """
    groups = [
        _Group(reports, categories, profile, left, right, seed)
        for profile in dict.fromkeys(profile for profile, _ in CONTRASTED)
        for reports, seed in ((first, SEED), (second, SEED + 1))
    ]
    rows = []
    for profile, measure in CONTRASTED:
        one, other = (group for group in groups if group.profile == profile)
        scores = one.score(measure), other.score(measure), _difference(one, other, measure)
        rows.append(ContrastRow(profile, measure.key, *scores))
    return Contrast(left, right, len(first), len(second), tuple(rows))


class _Group:
    """Reports of one group, measured in one profile."""

    def __init__(
        self,
        reports: Sequence[ReportPair],
        categories: Sequence[str],
        profile: Profile,
        left: str,
        right: str,
        seed: int,
    ) -> None:
        self.profile = profile
        self._reports, self._sides, self._seed = len(reports), (left, right), seed
        self._measures = measures = [measure for of, measure in CONTRASTED if of == profile]
        self._measured = measure_cells(reports, categories, profile, OVERLAP, measures) if reports else []
        self._cells = [one.cell for one in self._measured]
        self._scores = scores_of([sum_of(self._measured, measures)], measures)[0]

    def score(self, measure: Measure) -> Score:
        """The score of the whole group."""
        value = self._scores[measure.key]
        if measure.places and unplaced_side(self._cells, *self._sides):
            value = None
        if value is None:
            return Score(None, None, reason(measure, self._cells, *self._sides))
        drawn = self.drawn(measure)
        return Score(value, None if drawn is None else percentile_intervals(drawn)[0])

    def drawn(self, measure: Measure) -> Array | None:
        """Scores of tables drawn from the reports, (resamples, 1); None where too few have a say."""
        import numpy as np

        place = self._measures.index(measure)
        vectors = np.zeros((self._reports, len(self._measured[0].vectors[place])))
        for one in self._measured:
            vectors[one.report] += one.vectors[place]
        if np.count_nonzero(~np.isnan(measure.value(*vectors.T))) < LEAST_REPORTS:
            return None
        weights = drawn_weights(self._reports, RESAMPLES, self._seed)
        sums = (weights @ vectors[:, [place]] for place in range(vectors.shape[1]))
        return measure.value(*sums)


def _difference(one: _Group, other: _Group, measure: Measure) -> Score:
    first, second = one.score(measure), other.score(measure)
    if first.value is None or second.value is None:
        return Score(None, None, first.reason or second.reason)
    drawn, others = one.drawn(measure), other.drawn(measure)
    both = None if drawn is None or others is None else percentile_intervals(drawn - others)[0]
    return Score(first.value - second.value, both)

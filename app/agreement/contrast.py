"""Agreement of two sides in one group of reports against another group, with the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.agreement.bootstrap import LEAST_REPORTS, percentile_intervals, replicates
from app.agreement.cells import measure_cells
from app.agreement.compare import OVERLAP, RESAMPLES, SEED
from app.agreement.reasons import reason, unplaced_side
from app.agreement.types import Profile, ReportPair

if TYPE_CHECKING:
    from app.agreement.bootstrap import Array

CONTRASTED: tuple[tuple[Profile, str], ...] = (("paper", "tsr"), ("strict", "f1"), ("paper", "span_f1"))


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
        rows.append(
            ContrastRow(
                profile, measure, one.score(measure), other.score(measure), _difference(one, other, measure)
            )
        )
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
        self._measured = measure_cells(reports, categories, profile, OVERLAP, joined=False) if reports else []
        self._cells = [one.cell for one in self._measured]

    def score(self, measure: str) -> Score:
        """The score of the whole group."""
        value = self._value(measure)
        if value is None:
            return Score(None, None, self._reason(measure))
        drawn = self.drawn(measure)
        return Score(value, None if drawn is None else percentile_intervals(drawn)[0])

    def drawn(self, measure: str) -> Array | None:
        """Scores of tables drawn from the reports, (resamples, 1); None where too few have a say."""
        import numpy as np

        above, below = np.zeros((self._reports, 1)), np.zeros((self._reports, 1))
        for one in self._measured:
            above[one.report] += one.shares[measure][0]
            below[one.report] += one.shares[measure][1]
        if np.count_nonzero(below) < LEAST_REPORTS:
            return None
        return replicates(above, below, RESAMPLES, self._seed)

    def _value(self, measure: str) -> float | None:
        below = sum(one.shares[measure][1] for one in self._measured)
        if not below or (measure.startswith("span") and unplaced_side(self._cells, *self._sides)):
            return None
        return sum(one.shares[measure][0] for one in self._measured) / below

    def _reason(self, measure: str) -> str:
        return reason(measure, self._cells, *self._sides)


def _difference(one: _Group, other: _Group, measure: str) -> Score:
    first, second = one.score(measure), other.score(measure)
    if first.value is None or second.value is None:
        return Score(None, None, first.reason or second.reason)
    drawn, others = one.drawn(measure), other.drawn(measure)
    both = None if drawn is None or others is None else percentile_intervals(drawn - others)[0]
    return Score(first.value - second.value, both)

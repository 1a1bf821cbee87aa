"""How far raters and judges agree on what they said of the same answers, criterion by criterion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from app.agreement.bootstrap import LEAST_REPORTS
from app.agreement.chance import cohen_kappa, weighted_kappa
from app.studies.results import Interval
from app.studies.scoring import drawn_places, interval_of

if TYPE_CHECKING:
    from app.studies.results import Row
    from app.studies.study import Rubric, Study

Values = Sequence[tuple[Any, Any]]
TOTAL = "total"
SAME_VALUE = "Each rater gave one value throughout, the same: nothing could be agreed upon by chance."


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters on one criterion of a rubric, or on the `total`, over `n` answers that both gave a value.

    `run` is whose answers they rated, "" for all. `same` is the share 0-1 of equal values, `kappa` weighted
    by squares where the scale has more than two, `bias` the mean of right minus left; `reason` says why there
    is no kappa.
    """

    left: str
    right: str
    run: str
    rubric: str
    criterion: str
    n: int
    same: float
    kappa: float | None
    weighted: bool
    bias: float
    interval: Interval
    reason: str

    def as_json(self) -> dict[str, Any]:
        """As `study score` prints it."""
        return {
            "left": self.left,
            "right": self.right,
            "label": None,
            "value": None,
            "run": self.run or None,
            "rubric": self.rubric,
            "criterion": self.criterion,
            "n": self.n,
            "same": self.same,
            "weighted_kappa" if self.weighted else "kappa": self.kappa,
            "bias": self.bias,
            "ci": list(self.interval) if self.interval else None,
            "reason": self.reason or None,
        }


def rater_pairs(study: Study, rows: Mapping[str, Sequence[Row]]) -> list[RaterPair]:
    """Every two raters of the answers of each run, and of all of them where there are several."""
    whole = {"": [row for of_run in rows.values() for row in of_run]} if len(rows) > 1 else {}
    return [
        pair
        for run, of_run in {**whole, **rows}.items()
        for left, right in combinations(_raters(of_run), 2)
        for pair in _of_two(study, run, of_run, left, right)
    ]


def _raters(rows: Sequence[Row]) -> list[str]:
    return sorted({rater for row in rows for rater in row.ratings})


def _of_two(study: Study, run: str, rows: Sequence[Row], left: str, right: str) -> list[RaterPair]:
    found: list[RaterPair] = []
    rated: dict[str, tuple[Rubric, list[tuple[Mapping[str, Any], Mapping[str, Any]]]]] = {}
    for row in rows:
        rubric = study.rubric(row.item)
        if rubric is not None and left in row.ratings and right in row.ratings:
            rated.setdefault(rubric.id, (rubric, []))[1].append((row.ratings[left], row.ratings[right]))
    for rubric, both in rated.values():
        for name, scale in rubric.criteria.items():
            given = [(one.get(name), other.get(name)) for one, other in both]
            found += _compared(left, right, run, rubric.id, name, given, scale)
        if any(not isinstance(value, bool) for scale in rubric.criteria.values() for value in scale):
            sums = [(_sum(rubric, one), _sum(rubric, other)) for one, other in both]
            most = sum(int(max(scale)) for scale in rubric.criteria.values())
            found += _compared(left, right, run, rubric.id, TOTAL, sums, range(most + 1))
    return found


def _sum(rubric: Rubric, scores: Mapping[str, Any]) -> int | None:
    values = [int(value) for name in rubric.criteria if (value := scores.get(name)) is not None]
    return sum(values) if len(values) == len(rubric.criteria) else None


def _compared(
    left: str,
    right: str,
    run: str,
    rubric: str,
    criterion: str,
    given: Sequence[tuple[Any, Any]],
    scale: Sequence[Any],
) -> list[RaterPair]:
    """The pair over what both gave a value; nothing where that is nothing."""
    values = [(one, other) for one, other in given if one is not None and other is not None]
    if not values:
        return []
    weighted = len(scale) > 2
    measure = _measure(scale, weighted)
    kappa = measure(values)
    interval = None
    if kappa is not None and len(values) >= LEAST_REPORTS:
        interval = interval_of([measure([values[at] for at in one]) for one in drawn_places(len(values))])
    return [
        RaterPair(
            left,
            right,
            run,
            rubric,
            criterion,
            len(values),
            sum(one == other for one, other in values) / len(values),
            kappa,
            weighted,
            sum(float(other) - float(one) for one, other in values) / len(values),
            interval,
            "" if kappa is not None else SAME_VALUE,
        )
    ]


def _measure(scale: Sequence[Any], weighted: bool) -> Callable[[Values], float | None]:
    if weighted:
        return lambda values: weighted_kappa(values, scale)
    return lambda values: cohen_kappa([(_hashable(one), _hashable(other)) for one, other in values])


def _hashable(value: Any) -> Hashable:  # noqa: ANN401 (a value of a scale)
    return str(value)

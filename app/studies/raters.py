"""How far raters and judges agree on what they said of the same answers, criterion by criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from app.agreement.statistics.chance import cohen_kappa, krippendorff_alpha, nominal, ordinal, weighted_kappa
from app.agreement.statistics.intervals import LEAST_REPORTS
from app.studies.results import Row
from app.studies.scoring import drawn_places, interval_of

if TYPE_CHECKING:
    from app.studies.study import Rubric, Study

Values = Sequence[tuple[Any, Any]]
TOTAL = "total"
_ALPHA_FROM = 3
SAME_VALUE = "Each rater gave one value throughout, the same: nothing could be agreed upon by chance."


def rater_pairs(study: Study, rows: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    """Every two raters of the answers of each run, and of all of them (None) where there are several.

    Each on every criterion of a rubric and on the `total`, over the `n` answers that both gave a value, as
    `study score` prints it: `same` is the share 0-1 of equal values, kappa weighted by squares where the
    scale has more than two, `bias` the mean of right minus left; `reason` says why there is no kappa.
    """
    whole = {"": [row for of_run in rows.values() for row in of_run]} if len(rows) > 1 else {}
    return [
        pair
        for run, of_run in {**whole, **rows}.items()
        for left, right in combinations(_raters(of_run), 2)
        for pair in _of_two(study, run, of_run, left, right)
    ]


def _raters(rows: Sequence[Row]) -> list[str]:
    """Persons before judges: what a judge gives beyond a person is then the bias."""
    judges = {judge for row in rows for judge in row.judges}
    return sorted({rater for row in rows for rater in row.ratings}, key=lambda one: (one in judges, one))


def _of_two(study: Study, run: str, rows: Sequence[Row], left: str, right: str) -> Iterator[dict[str, Any]]:
    rated: dict[str, tuple[Rubric, list[tuple[str, Mapping[str, Any], Mapping[str, Any]]]]] = {}
    for row in rows:
        rubric = study.rubric(row.item)
        if rubric is not None and left in row.ratings and right in row.ratings:
            both_said = study.cluster(row.item), row.ratings[left], row.ratings[right]
            rated.setdefault(rubric.id, (rubric, []))[1].append(both_said)
    about = {"left": left, "right": right, "label": None, "value": None, "run": run or None}
    for rubric, both in rated.values():
        for name, scale in rubric.criteria.items():
            given = [(of, one.get(name), other.get(name)) for of, one, other in both]
            yield from _compared({**about, "rubric": rubric.id, "criterion": name}, given, scale)
        if any(not isinstance(value, bool) for scale in rubric.criteria.values() for value in scale):
            sums = [(of, _sum(rubric, one), _sum(rubric, other)) for of, one, other in both]
            most = sum(int(max(scale)) for scale in rubric.criteria.values())
            yield from _compared({**about, "rubric": rubric.id, "criterion": TOTAL}, sums, range(most + 1))


def rater_alphas(study: Study, rows: Sequence[Row]) -> dict[str, dict[str, float | None]]:
    """Krippendorff's alpha of three raters or more on each criterion, by rubric; ordinal on a scale of more
    than two. None where all values are the same."""
    units: dict[str, tuple[Rubric, list[list[Mapping[str, Any]]]]] = {}
    for row in rows:
        if row.ratings and (rubric := study.rubric(row.item)) is not None:
            units.setdefault(rubric.id, (rubric, []))[1].append(list(row.ratings.values()))
    found: dict[str, dict[str, float | None]] = {}
    if len(_raters(rows)) < _ALPHA_FROM:
        return found
    for rubric, given in units.values():
        for name, scale in rubric.criteria.items():
            parts = [[one[name] for one in unit if one.get(name) is not None] for unit in given]
            apart = ordinal if len(scale) > 2 else nominal
            found.setdefault(rubric.id, {})[name] = krippendorff_alpha(parts, apart)
    return found


def _sum(rubric: Rubric, scores: Mapping[str, Any]) -> int | None:
    values = [int(value) for name in rubric.criteria if (value := scores.get(name)) is not None]
    return sum(values) if len(values) == len(rubric.criteria) else None


def _compared(
    about: Mapping[str, Any], given: Sequence[tuple[str, Any, Any]], scale: Sequence[Any]
) -> Iterator[dict[str, Any]]:
    """The pair over what both gave a value; nothing where that is nothing. Intervals are over clusters."""
    of: dict[str, list[tuple[Any, Any]]] = {}
    for cluster, one, other in given:
        if one is not None and other is not None:
            of.setdefault(cluster, []).append((one, other))
    values = [pair for pairs in of.values() for pair in pairs]
    if not values:
        return
    weighted = len(scale) > 2
    measure = _measure(scale, weighted)
    kappa = measure(values)
    interval = None
    if kappa is not None and len(of) >= LEAST_REPORTS:
        own = list(of.values())
        drawn = ([pair for at in places for pair in own[at]] for places in drawn_places(len(own)))
        interval = interval_of([measure(pairs) for pairs in drawn])
    yield {
        **about,
        "n": len(values),
        "same": sum(one == other for one, other in values) / len(values),
        "weighted_kappa" if weighted else "kappa": kappa,
        "bias": sum(float(other) - float(one) for one, other in values) / len(values),
        "ci": list(interval) if interval else None,
        "reason": None if kappa is not None else SAME_VALUE,
    }


def _measure(scale: Sequence[Any], weighted: bool) -> Callable[[Values], float | None]:
    if weighted:
        return lambda values: weighted_kappa(values, scale)
    return lambda values: cohen_kappa([(str(one), str(other)) for one, other in values])

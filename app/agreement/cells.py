"""What every report adds to every measure in every category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.agreement.comparison import UNLIKE, Comparison, likenesses, tokens_of
from app.agreement.likeness.joined import UNJOINED, joined_scores
from app.agreement.measures import Measure
from app.agreement.measures.measure import Vector
from app.agreement.types import Cell, Profile, ReportPair


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """A cell and, in the order of the measures, the vectors that it adds to every score it takes part in.

    `report` is the position of its report in the list that was compared.
    """

    report: int
    cell: Cell
    vectors: tuple[Vector, ...]


def measure_cells(
    reports: Sequence[ReportPair],
    categories: Sequence[str],
    profile: Profile,
    overlap: float,
    measures: Sequence[Measure],
    first: int = 0,
) -> list[MeasuredCell]:
    """Every category of every report that both sides looked at, report by report, categories in order.

    `first` is the position of the first of these reports among all that are compared.
    """
    wants_tokens = any(measure.tokens for measure in measures)
    tokens = [tokens_of(report.text) if wants_tokens else None for report in reports]
    places = [
        (number, category, report.left[category], report.right[category])
        for number, report in enumerate(reports)
        for category in categories
        if category in report.left and category in report.right
    ]
    full = [(left, right) for _, _, left, right in places if left and right]
    left, right = ([[item.quote for item in sides[side]] for sides in full] for side in (0, 1))
    alike = iter(likenesses(left, right, profile))
    slow = any(measure.slow for measure in measures)
    joined = iter(joined_scores(left, right) if slow else [UNJOINED] * len(full))
    raw = [
        Comparison(
            first + number,
            reports[number],
            category,
            tuple(ours),
            tuple(theirs),
            profile,
            overlap,
            tokens[number],
            *((next(alike), next(joined)) if ours and theirs else (UNLIKE, UNJOINED)),
        )
        for number, category, ours, theirs in places
    ]
    # Most vectors are a few counts: each is kept once.
    known: dict[Vector, Vector] = {}
    vectors = [
        tuple(known.setdefault(one, one) for one in (measure.contribution(entry) for measure in measures))
        for entry in raw
    ]
    scores = scores_of(vectors, measures)
    return [
        MeasuredCell(
            entry.number,
            Cell(entry.report.key, entry.report.title, entry.category, entry.left, entry.right, score),
            vector,
        )
        for entry, vector, score in zip(raw, vectors, scores, strict=True)
    ]


def sum_of(cells: Sequence[MeasuredCell], measures: Sequence[Measure]) -> tuple[Vector, ...]:
    """The vectors of each measure, added up in the order given, as a plain mean would."""
    of_measures = zip(*(cell.vectors for cell in cells), strict=True) if cells else [()] * len(measures)
    return tuple(tuple(map(sum, zip(*vectors, strict=True))) for vectors in of_measures)


def scores_of(
    sums: Sequence[tuple[Vector, ...]], measures: Sequence[Measure]
) -> list[dict[str, float | None]]:
    """The scores that sums of vectors come to, None where they are undefined, as it is without any vector."""
    import numpy as np

    scores: list[dict[str, float | None]] = [{} for _ in sums]
    for place, measure in enumerate(measures):
        there = [number for number, one in enumerate(sums) if one[place]]
        values = dict.fromkeys(range(len(sums)), np.nan)
        if there:
            columns = np.array([sums[number][place] for number in there], np.float64).T
            values.update(zip(there, measure.value(*columns).tolist(), strict=True))
        for number, score in enumerate(scores):
            score[measure.key] = None if np.isnan(values[number]) else values[number]
    return scores

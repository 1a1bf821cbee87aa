"""Puts bootstrap intervals on the rows of an agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.agreement.bootstrap import LEAST_REPORTS, mean_over, percentile_intervals, replicates
from app.agreement.cells import MeasuredCell
from app.agreement.types import Agreement, Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.agreement.bootstrap import Array

Interval = tuple[float, float] | None


def with_intervals(agreement: Agreement, measured: Sequence[MeasuredCell]) -> Agreement:
    """The same agreement with intervals on categories, average and pooled scores."""
    keys = list(agreement.average.scores)
    rows = agreement.categories
    if agreement.documents < LEAST_REPORTS or not rows or not agreement.resamples:
        nothing: dict[str, Interval] = dict.fromkeys(keys)
        return replace(
            agreement,
            categories={category: replace(row, intervals=nothing) for category, row in rows.items()},
            average=replace(agreement.average, intervals=nothing),
            pooled=replace(agreement.pooled, intervals=nothing),
        )
    above, below = _shares(agreement, measured, keys)
    reports, categories, columns = above.shape
    drawn = replicates(
        above.reshape(reports, -1), below.reshape(reports, -1), agreement.resamples, agreement.seed
    ).reshape(-1, categories, columns)
    pooled = replicates(above.sum(axis=1), below.sum(axis=1), agreement.resamples, agreement.seed)
    averaged = mean_over(drawn.transpose(0, 2, 1))
    contributing = (below > 0).sum(axis=0)
    anywhere = (below > 0).any(axis=1).sum(axis=0)
    return replace(
        agreement,
        categories={
            category: _with(row, keys, drawn[:, place], contributing[place])
            for place, (category, row) in enumerate(rows.items())
        },
        average=_with(agreement.average, keys, averaged, anywhere),
        pooled=_with(agreement.pooled, keys, pooled, anywhere),
    )


def _shares(
    agreement: Agreement, measured: Sequence[MeasuredCell], keys: Sequence[str]
) -> tuple[Array, Array]:
    """Numerators and denominators, (reports, categories, measures); zero where a score is undefined."""
    import numpy as np

    place = {category: number for number, category in enumerate(agreement.categories)}
    shape = (agreement.documents, len(place), len(keys), 2)
    shares = np.zeros(shape)
    for entry in measured:
        shares[entry.report, place[entry.cell.category]] = [entry.shares[key] for key in keys]
    for category, row in agreement.categories.items():
        undefined = [number for number, key in enumerate(keys) if row.scores[key] is None]
        shares[:, place[category], undefined] = 0.0
    return shares[..., 0], shares[..., 1]


def _with(row: Row, keys: Sequence[str], drawn: Array, contributing: NDArray[np.intp]) -> Row:
    """Intervals where the score is defined and enough reports have a say in it."""
    found: Mapping[str, Interval] = dict(zip(keys, percentile_intervals(drawn), strict=True))
    enough = dict(zip(keys, (contributing >= LEAST_REPORTS).tolist(), strict=True))
    intervals = {key: found[key] if enough[key] and row.scores[key] is not None else None for key in keys}
    return replace(row, intervals=intervals)

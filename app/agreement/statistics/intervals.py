"""Puts bootstrap intervals on the rows of an agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from app.agreement.cells import MeasuredCell
from app.agreement.measures import Measure
from app.agreement.types import Agreement, Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"
LEVEL = 0.95
LEAST_REPORTS = 5  # with fewer, resampling them says next to nothing about reports not seen


def drawn_weights(reports: int, resamples: int, seed: int) -> Array:
    """How often each report is in each of `resamples` tables drawn from them with replacement.

    (resamples, reports), the same for the same seed: times vectors (reports, columns), the tables' sums.
    """
    import numpy as np

    drawn = np.random.default_rng(seed).multinomial(reports, np.full(reports, 1 / reports), size=resamples)
    weights: Array = drawn.astype(np.float64)
    return weights


def mean_over(values: Array) -> Array:
    """Mean over the last axis of what is not NaN; NaN where nothing is."""
    import numpy as np

    defined = ~np.isnan(values)
    count = defined.sum(axis=-1)
    total = np.where(defined, values, 0.0).sum(axis=-1)
    means: Array = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return means


def percentile_intervals(values: Array) -> list[tuple[float, float] | None]:
    """The middle `LEVEL` of each column of (resamples, columns), NaN left out; None where nothing is left."""
    import numpy as np

    ordered = np.sort(values, axis=0)  # NaN sorts last
    last = (~np.isnan(ordered)).sum(axis=0) - 1
    bounds = []
    for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2):
        place = np.maximum(share * last, 0.0)
        below = np.floor(place).astype(np.int64)
        above = np.minimum(below + 1, np.maximum(last, 0))
        low, high = (np.take_along_axis(ordered, index[None, :], axis=0)[0] for index in (below, above))
        bounds.append(low + (high - low) * (place - below))
    return [
        None if end < 0 else (low, high)
        for low, high, end in zip(bounds[0].tolist(), bounds[1].tolist(), last.tolist(), strict=True)
    ]


Interval = tuple[float, float] | None


def with_intervals(
    agreement: Agreement, measured: Sequence[MeasuredCell], measures: Sequence[Measure]
) -> Agreement:
    """The same agreement with intervals on categories, average and pooled scores."""
    keys = [measure.key for measure in measures]
    rows = agreement.categories
    if agreement.documents < LEAST_REPORTS or not rows or not agreement.resamples:
        nothing: dict[str, Interval] = dict.fromkeys(keys)
        return replace(
            agreement,
            categories={category: replace(row, intervals=nothing) for category, row in rows.items()},
            average=replace(agreement.average, intervals=nothing),
            pooled=replace(agreement.pooled, intervals=nothing),
        )
    drawn, say = _drawn(agreement, measured, measures)
    averaged = mean_over(drawn[:, :-1].transpose(0, 2, 1))
    anywhere = say[:, :-1].any(axis=1)
    return replace(
        agreement,
        categories={
            category: _with(row, keys, drawn[:, place], say[:, place])
            for place, (category, row) in enumerate(rows.items())
        },
        average=_with(agreement.average, keys, averaged, anywhere),
        pooled=_with(agreement.pooled, keys, drawn[:, -1], say[:, -1]),
    )


def _drawn(
    agreement: Agreement, measured: Sequence[MeasuredCell], measures: Sequence[Measure]
) -> tuple[Array, NDArray[np.bool_]]:
    """Scores of tables drawn from the reports, and which reports have a say in a score.

    (resamples, categories and all of them together, measures) and (reports, categories ..., measures).
    """
    import numpy as np

    place = {category: number for number, category in enumerate(agreement.categories)}
    drawn = np.empty((agreement.resamples, len(place) + 1, len(measures)))
    say = np.zeros((agreement.documents, len(place) + 1, len(measures)), np.bool_)
    weights = drawn_weights(agreement.documents, agreement.resamples, agreement.seed)
    sizes = list(map(len, measured[0].vectors)) if measured else [2] * len(measures)
    # Measures with vectors of one length at once: few large products instead of many small ones.
    for size in dict.fromkeys(sizes):
        columns = [number for number, one in enumerate(sizes) if one == size]
        vectors = np.zeros((agreement.documents, len(place), len(columns), size))
        for entry in measured:
            given = [entry.vectors[number] for number in columns]
            vectors[entry.report, place[entry.cell.category]] = given
        together = vectors.sum(axis=1, keepdims=True)
        for category, row in agreement.categories.items():
            undefined = [at for at, number in enumerate(columns) if row.scores[measures[number].key] is None]
            vectors[:, place[category], undefined] = 0.0
        sums = [_resampled(vectors[..., part], together[..., part], weights) for part in range(size)]
        every = np.concatenate([vectors, together], axis=1)
        for at, number in enumerate(columns):
            drawn[:, :, number] = measures[number].value(*(part[:, :, at] for part in sums))
            say[:, :, number] = ~np.isnan(measures[number].value(*np.moveaxis(every[:, :, at], -1, 0)))
    return drawn, say


def _resampled(apart: Array, together: Array, weights: Array) -> Array:
    """Sums of one place of the vectors, by category and over all: (resamples, rows, measures)."""
    import numpy as np

    reports, _, measures = apart.shape
    flat = apart.reshape(reports, -1)
    sums = np.empty((len(weights), flat.shape[1]))
    # Sums of whole numbers are exact in any order. The others are added up report by report, which is what a
    # product does with columns that have gaps, lest their last digits be the machine's.
    whole = (flat == np.rint(flat)).all(axis=0)
    sums[:, whole] = weights @ np.ascontiguousarray(flat[:, whole])
    sums[:, ~whole] = weights @ np.repeat(flat[:, ~whole], 2, axis=1)[:, ::2]
    every = [sums, weights @ np.ascontiguousarray(together[:, 0])]
    result: Array = np.concatenate(every, axis=1).reshape(len(weights), -1, measures)
    return result


def _with(row: Row, keys: Sequence[str], drawn: Array, say: NDArray[np.bool_]) -> Row:
    """Intervals where the score is defined and enough reports have a say in it."""
    found: Mapping[str, Interval] = dict(zip(keys, percentile_intervals(drawn), strict=True))
    enough = dict(zip(keys, (say.sum(axis=0) >= LEAST_REPORTS).tolist(), strict=True))
    intervals = {key: found[key] if enough[key] and row.scores[key] is not None else None for key in keys}
    return replace(row, intervals=intervals)

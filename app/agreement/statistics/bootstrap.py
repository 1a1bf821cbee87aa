"""Bootstrap intervals over reports, for whatever can be worked out from sums over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

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

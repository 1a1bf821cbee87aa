"""What a benchmark reports, and how repeated timings become one ratio."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """`ratio` is ours to the baseline, timed in the same run; lower is better; `limit` was promised."""

    name: str
    ratio: float
    limit: float
    baseline: str


def best_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of `repeats` timings: the one least disturbed by the rest of the machine."""
    timings = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        timings.append(time.perf_counter() - start)
    return min(timings)


def interleaved_ratio(ours: Callable[[], object], baseline: Callable[[], object], repeats: int = 7) -> float:
    """Ours to baseline, timed in turns so that both see the same machine."""
    pairs = [(best_seconds(ours, 1), best_seconds(baseline, 1)) for _ in range(repeats)]
    return min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)

"""What a disease is annotated with, of rows that say how often or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

# One of one is not all: to patients that were counted as many are added who have a feature as rarely as this.
_SUPPOSED = 2
_SUPPOSED_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Features:
    """What a disease is annotated with: row of the term -> share of patients, as asserted and with all that
    stands above; and how many publications are cited for it."""

    asserted: Mapping[int, float]
    propagated: Mapping[int, float]
    papers: int = 0


def features_of(
    rows: Iterable[tuple[int, float | None, int]], above: Callable[[int], Iterable[int]]
) -> Features:
    """Counted patients weigh by their number, with a few supposed ones; a higher class that is said goes
    before."""
    values: dict[int, list[tuple[float | None, int]]] = {}
    for term, frequency, patients in rows:
        values.setdefault(term, []).append((frequency, patients))
    asserted = dict[int, float]()
    for term, each in values.items():
        counted = sum(patients for _, patients in each)
        classes = [frequency for frequency, patients in each if not patients and frequency is not None]
        seen = sum((frequency or 0.0) * patients for frequency, patients in each)
        if seen:
            supposed = _SUPPOSED * _SUPPOSED_SHARE
            share = max((seen + supposed) / (counted + _SUPPOSED), *classes, 0.0)
        else:
            share = max(classes, default=0.0 if counted else 1.0)
        if share > 0:
            asserted[term] = share
    return Features(asserted, propagated(asserted, above))


def propagated(asserted: Mapping[int, float], above: Callable[[int], Iterable[int]]) -> dict[int, float]:
    """Who has a term has all above it, at least as often."""
    propagated = dict[int, float]()
    for term, share in asserted.items():
        for one in above(term):
            propagated[one] = max(share, propagated.get(one, 0.0))
    return propagated

"""Krippendorff's alpha for ordinal data: how far raters agree beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations


def krippendorff_alpha(units: Sequence[Sequence[int]]) -> float | None:
    """Alpha over the scores that each unit was given, one by each rater; a rater may leave units out.

    1 is full agreement, 0 what chance would give, below 0 worse than that. None where no unit has two scores
    or all scores are the same: then there is nothing that could be agreed upon.

    Krippendorff, Content Analysis (4th ed. 2019), chapter 12, with the ordinal difference function.
    """
    weights: dict[tuple[int, int], float] = {}
    for scores in units:
        if len(scores) > 1:
            for pair in permutations(scores, 2):
                weights[pair] = weights.get(pair, 0.0) + 1 / (len(scores) - 1)
    totals: dict[int, float] = {}
    for (score, _), weight in weights.items():
        totals[score] = totals.get(score, 0.0) + weight
    ranks = sorted(totals)
    if len(ranks) < 2:
        return None
    observed = expected = 0.0
    for low, high in combinations(ranks, 2):
        between = sum(totals[rank] for rank in ranks if low <= rank <= high)
        apart = (between - (totals[low] + totals[high]) / 2) ** 2
        observed += weights.get((low, high), 0.0) * apart
        expected += totals[low] * totals[high] * apart
    return 1 - (sum(totals.values()) - 1) * observed / expected

"""Agreement beyond chance, as functions of ratings: Cohen's kappa and Krippendorff's alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations, permutations

Apart = Callable[[Hashable, Hashable, Mapping[Hashable, float]], float]


def cohen_kappa(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Kappa of two raters over pairs of ratings, one pair for each thing that both of them rated.

    1 is full agreement, 0 what chance would give with each rater's own shares. None for 0/0: where there is
    no pair, or both raters gave every thing the same rating.

    Cohen, Educational and Psychological Measurement 20 (1960) 37-46.
    """
    counts = Counter(pairs)
    ours, theirs = Counter[Hashable](), Counter[Hashable]()
    for (one, other), number in counts.items():
        ours[one] += number
        theirs[other] += number
    every = counts.total()
    agreed = every * sum(number for (one, other), number in counts.items() if one == other)
    expected = sum(number * theirs[rating] for rating, number in ours.items())
    return (agreed - expected) / (every * every - expected) if every * every != expected else None


def weighted_kappa(pairs: Iterable[tuple[Hashable, Hashable]], scale: Sequence[Hashable]) -> float | None:
    """Kappa of two raters over pairs of ratings on a `scale` in order, differences weighted by their squares.

    1 - sum(w o) / sum(w e) with w = (i - j)^2 / (k - 1)^2 over all k values of the scale, whether they were
    given or not. None for 0/0, as `cohen_kappa`.

    Cohen, Psychological Bulletin 70 (1968) 213-220.
    """
    place = {rating: number for number, rating in enumerate(scale)}
    given = [(place[one], place[other]) for one, other in pairs]
    ours, theirs = Counter(one for one, _ in given), Counter(other for _, other in given)
    observed = len(given) * sum((one - other) ** 2 for one, other in given)
    expected = sum(
        (one - other) ** 2 * number * times for one, number in ours.items() for other, times in theirs.items()
    )
    return 1 - observed / expected if expected else None


def nominal(one: Hashable, other: Hashable, totals: Mapping[Hashable, float]) -> float:
    """Any two different ratings are equally far apart."""
    return float(one != other)


def ordinal(one: Hashable, other: Hashable, totals: Mapping[Hashable, float]) -> float:
    """Numbers are the further apart the more ratings were given from one to the other."""
    low, high = sorted((one, other), key=_rank)
    between = sum(number for rating, number in totals.items() if _rank(low) <= _rank(rating) <= _rank(high))
    return (between - (totals[low] + totals[high]) / 2) ** 2


def _rank(rating: Hashable) -> float:
    if not isinstance(rating, int | float):
        raise TypeError(f"{rating!r} has no rank; take the nominal difference.")
    return rating


def _in_order(ratings: Iterable[Hashable]) -> list[Hashable]:
    """Numbers by size; others as they came."""
    given = list(ratings)
    return sorted(given, key=_rank) if all(isinstance(one, int | float) for one in given) else given


def krippendorff_alpha(units: Iterable[Sequence[Hashable]], apart: Apart = nominal) -> float | None:
    """Alpha over the ratings that each unit was given, one by each rater; a rater may leave units out.

    1 is full agreement, 0 what chance would give, below 0 worse than that. None for 0/0: where no unit has
    two ratings, or all ratings are the same, so that there is nothing that could be agreed upon.

    Krippendorff, Content Analysis (4th ed. 2019), chapter 12; `apart` is the difference function.
    """
    weights: dict[tuple[Hashable, Hashable], float] = {}
    for ratings in units:
        if len(ratings) > 1:
            for pair in permutations(ratings, 2):
                weights[pair] = weights.get(pair, 0.0) + 1 / (len(ratings) - 1)
    totals: dict[Hashable, float] = {}
    for (rating, _), weight in weights.items():
        totals[rating] = totals.get(rating, 0.0) + weight
    if len(totals) < 2:
        return None
    observed = expected = 0.0
    for one, other in combinations(_in_order(totals), 2):
        far = apart(one, other, totals)
        observed += weights.get((one, other), 0.0) * far
        expected += totals[one] * totals[other] * far
    return 1 - (sum(totals.values()) - 1) * observed / expected

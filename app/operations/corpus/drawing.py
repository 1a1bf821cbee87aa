"""Which reports of a corpus are drawn: strata by what was found in them, and a draw that a seed decides."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Way: TypeAlias = Literal["plain", "category", "confidence", "disagreement"]
WAYS: tuple[Way, ...] = ("plain", "category", "confidence", "disagreement")
# Half of the draw goes by size, so that no report stands for too many; the other half by these shares.
_BY_SIZE = 0.5
# From the strata to be looked at most to those to be looked at least.
_SHARES = (0.5, 0.3, 0.2)
_EACH = 4


@dataclass(frozen=True, slots=True)
class Traits:
    """What strata go by: categories found, mean confidence (None without any), and `clash`, the share of
    quotes that have no place, or whose place another of other category or polarity overlaps."""

    categories: frozenset[str]
    confidence: float | None
    clash: float


Strata: TypeAlias = dict[str, list[str]]


def strata_of(traits: Mapping[str, Traits], way: str, count: int) -> Strata:
    """The reports by stratum, in their order of names: of a draw of `count`, each gets some four.

    By category a report is in the stratum of the rarest of its own; by confidence and disagreement the
    strata are thirds of what was said, the doubtful first, and those of which nothing was said.
    """
    names = sorted(traits)
    if way == "category":
        often = Counter(category for one in traits.values() for category in one.categories)
        rare = sorted(often, key=lambda one: (often[one], one))[: max(0, count // _EACH - 1)]
        place = {category: at for at, category in enumerate(rare)}
        label = {
            name: min(
                (one for one in traits[name].categories if one in place), key=place.__getitem__, default=""
            )
            for name in names
        }
        return {
            one: found for one in (*rare, "") if (found := [name for name in names if label[name] == one])
        }
    if way == "confidence":
        return _thirds({name: traits[name].confidence for name in names})
    if way == "disagreement":
        return _thirds({name: -traits[name].clash if traits[name].clash > 0 else None for name in names})
    return {"": names}


def _thirds(score: Mapping[str, float | None]) -> Strata:
    known = sorted(one for one in score.values() if one is not None)
    cuts = [known[len(known) * third // 3] for third in (1, 2)] if known else []
    labels = ("most doubtful", "doubtful", "least doubtful", "")
    found: Strata = {label: [] for label in labels}
    for name, one in score.items():
        found[labels[3 if one is None else bisect_right(cuts, one)]].append(name)
    return {label: names for label, names in found.items() if names}


def draw(strata: Strata, count: int, chance: random.Random) -> Strata:
    """`count` of the reports, or all there are; more only where it takes two of each stratum."""
    number = sum(map(len, strata.values()))
    doubtful = len(strata) > 1 and "least doubtful" in strata
    every = dict(zip(strata, _SHARES, strict=False)) if doubtful else dict.fromkeys(strata, 1.0)
    total = sum(every.get(label, _SHARES[-1]) for label in strata)
    wanted = {
        label: count
        * ((1 - _BY_SIZE) * every.get(label, _SHARES[-1]) / total + _BY_SIZE * len(names) / number)
        for label, names in strata.items()
    }
    sizes = _whole(wanted, {label: len(names) for label, names in strata.items()}, count)
    return {label: sorted(chance.sample(names, sizes[label])) for label, names in strata.items()}


def _whole(wanted: Mapping[str, float], there: Mapping[str, int], count: int) -> dict[str, int]:
    """Whole numbers near those wanted that come to `count`, if two of each and all of each allow it."""
    least = {label: min(2, number) for label, number in there.items()}
    found = {label: min(there[label], max(least[label], int(one))) for label, one in wanted.items()}
    while (left := count - sum(found.values())) and (
        able := [one for one in found if (found[one] < there[one] if left > 0 else found[one] > least[one])]
    ):
        step = 1 if left > 0 else -1
        found[max(able, key=lambda one: step * (wanted[one] - found[one]))] += step
    return found

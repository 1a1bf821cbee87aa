"""Questions for a range: where ranges are cut, which edges are asked about, and what blind guessers get."""

from __future__ import annotations

import tomllib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any

from app.studies.ebmqa.edges import RATIOS, Edge
from app.studies.ebmqa.semantic import Four, capped, chance, fours, interleaved, shuffled
from extractors.assets import asset
from extractors.grouping import grouped

_STRICT = (Fraction(30, 100), Fraction(80, 100))
_RARE = tuple(Fraction(1, 10**power) for power in (6, 5, 4, 3))
_RARE_TYPES = ("prevalence", "incidence")
Number = Fraction | float


@lru_cache(maxsize=1)
def wording() -> dict[str, Any]:
    """The words of all questions."""
    text = asset("resources", "studies", "ebmqa", "wording.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of a type, from low to high: `cuts` between them, `top` the end of the last (None: open).

    Each holds its lower end and not its upper, but for the last and, where `closed`, the middle one.
    """

    type: str
    cuts: tuple[Fraction, ...]
    top: Fraction | None
    median: Fraction
    mad: Fraction
    closed: bool = False

    def __len__(self) -> int:
        return len(self.cuts) + 1

    def place(self, value: Number) -> int:
        """In which range a value lies, from 0 for the lowest."""
        place = bisect_right(self.cuts, value)
        return place - 1 if self.closed and place and len(self.cuts) == 2 and value == self.cuts[1] else place

    def holding(self, edge: Edge) -> int | None:
        """The range that all of an edge's interval lies in; None where it has none or crosses a cut.

        Orphanet's "<1 / 1 000 000" ends where it says, without its end.
        """
        if edge.low is None or edge.high is None:
            return None
        first, last = self.place(edge.low), self.place(edge.high)
        if edge.kind == "class" and not edge.low and edge.high in self.cuts:
            last = self.cuts.index(edge.high)
        return first if first == last == self.place(edge.mid) else None

    def options(self) -> list[dict[str, Any]]:
        """From high to low, by keys A, B, C ..., in words."""
        ends = [Fraction(0), *self.cuts]
        highs = [*self.cuts, self.top]
        made: list[dict[str, Any]] = []
        for place in reversed(range(len(self))):
            low, high = ends[place], highs[place]
            option = {
                "key": "ABCDEF"[len(made)],
                "text": self._text(low, high),
                "low": float(low),
                "high": None if high is None else float(high),
            }
            if self.closed and place == 1:
                option["closed"] = True
            made.append(option)
        return made

    def key(self, place: int) -> str:
        """The key of a range."""
        return "ABCDEF"[len(self) - 1 - place]

    def _text(self, low: Fraction, high: Fraction | None) -> str:
        words = wording()["ranges"]
        if self.type in RATIOS:
            if high is not None and high <= 1:
                name, value = (
                    ("any", low) if not low and high == 1 else ("weak", low) if low else ("strong", high)
                )
                return str(words[f"decrease_{name}"].format(value=_number(value)))
            if low == 1:
                return str(
                    words["increase_weak" if high else "increase_any"].format(value=_number(high or low))
                )
            return str(words["increase_strong"].format(value=_number(low)))
        unit = "rare" if self.type in _RARE_TYPES else "share"
        if high == self.top:
            name = "above" if self.closed else "top"
        else:
            name = "bottom" if low == 0 else "closed" if self.closed else "between"
        show = _rare if unit == "rare" else _percent
        return str(words[f"{unit}_{name}"].format(low=show(low), high=show(high or Fraction(1))))


def ranges_of(kind: str, edges: Sequence[Edge], profile: str) -> Ranges:
    """The ranges for the values of a type."""
    counts = Counter(edge.mid for edge in edges)
    middle = _median(counts)
    away: Counter[Fraction] = Counter()
    for value, number in counts.items():
        away[abs(value - middle)] += number
    mad = _median(away)
    if kind in RATIOS:
        return Ranges(kind, _ratio_cuts(counts), None, middle, mad)
    one = Fraction(1)
    if profile == "strict":
        return Ranges(kind, _RARE if kind in _RARE_TYPES else _STRICT, one, middle, mad)
    cuts = tuple(cut for cut in (middle - mad, middle + mad) if 0 < cut < one)
    cuts = tuple(dict.fromkeys(cuts))
    return Ranges(kind, cuts, one, middle, mad, closed=len(cuts) == 2)


def _ratio_cuts(counts: Counter[Fraction]) -> tuple[Fraction, ...]:
    """1, with the median of what decreases before it and of what increases behind it."""
    less = Counter({value: number for value, number in counts.items() if value < 1})
    more = Counter({value: number for value, number in counts.items() if value > 1})
    cuts = [_median(less)] if less else []
    cuts += [Fraction(1), *([_median(more)] if more else [])]
    return tuple(cut for cut in cuts if cut > 0)


def _median(counts: Counter[Fraction]) -> Fraction:
    """The mean of the two in the middle, as exact as they are."""
    values = sorted(counts)
    if not values:
        return Fraction(0)
    half, upto = Fraction(counts.total(), 2), [*accumulate(counts[value] for value in values)]
    return (values[bisect_left(upto, half)] + values[bisect_right(upto, half)]) / 2


def _number(value: Number) -> str:
    return f"{float(value):.3g}"


def _percent(value: Number) -> str:
    return f"{float(value) * 100:.3g} %"


def _rare(value: Number) -> str:
    """Powers of ten as people say them."""
    share = 1 / float(value) if value else 0
    return f"1 in {round(share):,}" if share and abs(share - round(share)) < 1e-6 else f"{float(value):.3g}"


MOST = 0.36  # the share of one answer in a type whose edges cannot be matched in fours


@dataclass(frozen=True, slots=True)
class Asked:
    """An edge that is asked about, the range that is right, and the guesses by line."""

    edge: Edge
    place: int
    guesses: dict[str, int]


def chosen(
    edges: Sequence[Edge], ranges: Ranges, profile: str, seed: int
) -> tuple[list[tuple[Asked, ...]], dict[str, int], bool]:
    """Units of edges to ask about (a four stays together), what was left out, whether fours could be made."""
    if profile == "paper":
        usable = [(edge, ranges.place(edge.mid)) for edge in edges]
        priors = _Priors(usable, len(ranges))
        units: list[tuple[Asked, ...]] = [(priors.asked(*one),) for one in usable]
        ordered = shuffled(units, seed, lambda unit: unit[0].edge.key)
        return interleaved(ordered, lambda unit: unit[0].place), {}, True
    usable = [(edge, place) for edge in edges if (place := ranges.holding(edge)) is not None]
    left = {"the interval crosses a cut": len(edges) - len(usable)}
    priors = _Priors(usable, len(ranges))
    if all(edge.target for edge, _ in usable):
        of = [edge for edge, _ in usable]
        places = [place for _, place in usable]
        found = fours(of, _source, lambda edge: edge.target, places, seed)
        matched = _equal(found, seed)
        if matched:
            units = [tuple(priors.asked(of[one], places[one]) for one in four) for _, four in matched]
            left["no match that hides the answer"] = len(usable) - 4 * len(units)
            return units, left, True
    kept = capped(grouped((one[1], one) for one in shuffled(usable, seed, lambda one: one[0].key)), MOST)
    left["too many with one answer"] = len(usable) - len(kept)
    alone: list[tuple[Asked, ...]] = [(priors.asked(*one),) for one in kept]
    return interleaved(alone, lambda unit: unit[0].place), left, False


def _equal(found: Sequence[Four], seed: int) -> list[Four]:
    """As many fours of every two ranges, in turn."""
    by_pair = grouped((one[0], one) for one in found)
    least = min(map(len, by_pair.values()), default=0)
    drawn = [
        one
        for group in by_pair.values()
        for one in sorted(group, key=lambda one: chance(seed, *one[1]))[:least]
    ]
    return interleaved(drawn, lambda one: one[0])


def _source(edge: Edge) -> str:
    return f"{edge.source}\x1f{edge.background}"


class _Priors:
    """What is known of a finding or a disease elsewhere: how often each range was right."""

    def __init__(self, usable: Iterable[tuple[Edge, int]], number: int) -> None:
        self._all = Counter[int]()
        self._targets: dict[str, Counter[int]] = {}
        self._sources: dict[str, Counter[int]] = {}
        for edge, place in usable:
            self._all[place] += 1
            self._targets.setdefault(edge.target, Counter())[place] += 1
            self._sources.setdefault(_source(edge), Counter())[place] += 1
        total = self._all.total() or 1
        self._base = [(self._all[place] + 1) / (total + number) for place in range(number)]

    def asked(self, edge: Edge, place: int) -> Asked:
        """The edge with what guessers say who know everything else, but not this edge."""
        target = self._shares(self._targets[edge.target], place)
        source = self._shares(self._sources[_source(edge)], place)
        both = [one * other / base for one, other, base in zip(target, source, self._base, strict=True)]
        lines = {"target_prior": target, "source_prior": source, "both_priors": both}
        return Asked(edge, place, {name: shares.index(max(shares)) for name, shares in lines.items()})

    def _shares(self, counts: Counter[int], place: int) -> list[float]:
        total = counts.total()
        return [(counts[at] - (at == place) + base) / total for at, base in enumerate(self._base)]

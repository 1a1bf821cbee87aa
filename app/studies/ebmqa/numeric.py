"""Questions for a range: which edges are asked about, and what blind guessers get on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from app.studies.ebmqa.drawing import capped, chance, fours, interleaved, shuffled
from app.studies.ebmqa.edges import Edge
from app.studies.ebmqa.ranges import Ranges

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
    groups: dict[Hashable, list[tuple[Edge, int]]] = {}
    for one in shuffled(usable, seed, lambda one: one[0].key):
        groups.setdefault(one[1], []).append(one)
    kept = capped(groups, MOST)
    left["too many with one answer"] = len(usable) - len(kept)
    alone: list[tuple[Asked, ...]] = [(priors.asked(*one),) for one in kept]
    return interleaved(alone, lambda unit: unit[0].place), left, False


def _equal(
    found: Sequence[tuple[tuple[int, int], tuple[int, int, int, int]]], seed: int
) -> list[tuple[tuple[int, int], tuple[int, int, int, int]]]:
    """As many fours of every two ranges, in turn."""
    by_pair: dict[tuple[int, int], list[tuple[tuple[int, int], tuple[int, int, int, int]]]] = {}
    for one in found:
        by_pair.setdefault(one[0], []).append(one)
    if not by_pair:
        return []
    least = min(map(len, by_pair.values()))
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
        self._number = number
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

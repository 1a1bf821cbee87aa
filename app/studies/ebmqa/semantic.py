"""Questions for the most frequent of several, drawn by a seed: the same everywhere, balanced throughout."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from app.studies.ebmqa.edges import Edge
from extractors.grouping import grouped

if TYPE_CHECKING:
    from app.studies.ebmqa.terms import Terms

T = TypeVar("T")


def chance(seed: int, *what: object) -> int:
    """A number of 64 bits that seed and words decide."""
    given = "\x1f".join(map(str, (seed, *what))).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(given, digest_size=8).digest(), "big")


def shuffled(these: Iterable[T], seed: int, name: Callable[[T], object]) -> list[T]:
    """In an order that only seed and names decide."""
    return sorted(these, key=lambda one: (chance(seed, name(one)), str(name(one))))


def interleaved(these: Iterable[T], group: Callable[[T], Hashable]) -> list[T]:
    """So ordered that any first part has the groups in the proportions of the whole."""
    ordered = sorted(grouped((group(one), one) for one in these).items(), key=lambda entry: str(entry[0]))
    placed = [
        ((place + 0.5) / len(members), rank, one)
        for rank, (_, members) in enumerate(ordered)
        for place, one in enumerate(members)
    ]
    return [one for _, _, one in sorted(placed, key=lambda entry: entry[:2])]


def capped(groups: dict[int, list[T]], most: float) -> list[T]:
    """The first of each group, so that the largest has no more than a share `most`, where it can be."""
    sizes = sorted(map(len, groups.values()))
    cap = sizes[0] if sizes else 0
    for size in range(cap, sizes[-1] + 1 if sizes else 0):
        if size <= most * sum(min(size, one) for one in sizes):
            cap = size
    return [one for group in groups.values() for one in group[:cap]]


Four = tuple[tuple[int, int], tuple[int, int, int, int]]


def fours(
    edges: Sequence[T],
    source: Callable[[T], str],
    target: Callable[[T], str],
    place: Sequence[int],
    seed: int,
) -> list[Four]:
    """Edges in fours: X, Y and F, G with XF and YG in one range, XG and YF in another; each edge once.

    Gives the two ranges and the numbers of the four edges. So neither X nor F tells the answer.
    """
    targets: dict[str, int] = {}
    of = [targets.setdefault(target(edge), len(targets)) for edge in edges]
    by_source = grouped((source(edge), number) for number, edge in enumerate(edges))
    ranks = [chance(seed, source(edge), target(edge)) for edge in edges]
    used = bytearray(len(edges))
    waiting: dict[tuple[int, int, int, int], tuple[int, int]] = {}
    found: list[Four] = []
    for _, numbers in sorted(by_source.items(), key=lambda entry: (chance(seed, entry[0]), entry[0])):
        own = sorted(numbers, key=lambda number: ranks[number])[:_WIDEST]
        for one, other in _pairs(own, of, place, used):
            there = waiting.get((of[one], of[other], place[other], place[one]))
            if there is not None and not (used[there[0]] or used[there[1]]):
                for number in (one, other, *there):
                    used[number] = 1
                low, high = sorted((place[one], place[other]))
                found.append(((low, high), (one, other, *there)))
        for one, other in _pairs(own, of, place, used):
            waiting[of[one], of[other], place[one], place[other]] = one, other
    return found


def _pairs(
    own: Sequence[int], of: Sequence[int], place: Sequence[int], used: bytearray
) -> Iterator[tuple[int, int]]:
    """Every two edges of a source that are free and in different ranges, by their targets' numbers."""
    for at, first in enumerate(own):
        for second in own[at + 1 :]:
            if used[first]:
                break
            if not used[second] and place[first] != place[second]:
                yield (first, second) if of[first] < of[second] else (second, first)


# Of a source with more edges only so many, drawn, are looked at: pairs grow by the square.
_WIDEST = 60


KINDS = ("finding", "subtype", "disease", "onset")
_MOST, _LEAST = 6, 3
_LEAD = Fraction(10, 100)
_TRIED = 5
# What floats may be off by, before fractions decide.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Compared:
    """A question: `edges` are its options in order, `right` the numbers of those that are right.

    `group` is what the options have in common; `guess` the option that is met most often elsewhere.
    """

    kind: str
    source: str
    group: str
    edges: tuple[Edge, ...]
    right: tuple[int, ...]
    guess: int


def compared(
    edges: Sequence[Edge], onsets: Sequence[Edge], terms: Terms, profile: str, seed: int
) -> list[Compared]:
    """All questions of a profile, each group of edges asked about once."""
    usual = _Usual([*edges, *onsets])
    found: list[Compared] = []
    for kind in KINDS:
        groups = shuffled(_groups(kind, edges, onsets, terms), seed, lambda group: group[:2])
        found += (_strict if profile == "strict" else _paper)(kind, groups, terms, usual, seed)
    once: dict[tuple[str, frozenset[tuple[str, ...]]], Compared] = {}
    for one in found:
        once.setdefault((one.source, frozenset(edge.key for edge in one.edges)), one)
    return list(once.values())


class _Usual:
    """How frequent a finding is on average, or a disease's findings, one edge left out."""

    def __init__(self, edges: Iterable[Edge]) -> None:
        self._sums: dict[tuple[str, str], tuple[float, int]] = {}
        for edge in edges:
            for key in (("target", edge.target), ("source", edge.source)):
                total, number = self._sums.get(key, (0.0, 0))
                self._sums[key] = total + float(edge.mid), number + 1

    def of(self, kind: str, edge: Edge) -> float:
        """The mean elsewhere; -1 where it is met nowhere else."""
        key = ("source", edge.source) if kind == "disease" else ("target", edge.target)
        total, number = self._sums[key]
        return (total - float(edge.mid)) / (number - 1) if number > 1 else -1.0


Group = tuple[str, str, list[Edge]]


def _groups(kind: str, edges: Sequence[Edge], onsets: Sequence[Edge], terms: Terms) -> Iterator[Group]:
    """(source, what the options have in common, edges)."""
    found = grouped(
        ((edge.target, "") if kind == "disease" else (edge.source, key), edge)
        for edge in (onsets if kind == "onset" else edges)
        if not edge.background
        for key in _in_common(kind, edge, terms)
    )
    for (source, group), members in sorted(found.items()):
        if len(members) < _LEAST:
            continue
        if kind != "disease":
            yield source, group, members
            continue
        parts = shuffled(members, 0, lambda edge: edge.source)
        size = 2 * _MOST
        for at in range(0, len(parts), size):
            if len(parts[at : at + size]) >= _LEAST:
                yield source, str(at // size), parts[at : at + size]


def _in_common(kind: str, edge: Edge, terms: Terms) -> Iterable[str]:
    """What an edge's option may have in common with others."""
    if kind == "finding":
        return terms.branches(edge.target)
    return terms.parents(edge.target) if kind == "subtype" else ("",)


def _named(group: str) -> Callable[[Edge], object]:
    return lambda edge: (*edge.key, group)


def _unrelated(kind: str, edges: Sequence[Edge], first: Sequence[Edge], terms: Terms) -> list[Edge]:
    """Those that stand neither above nor below one another nor the first, in order."""
    kept = list(first)
    for edge in edges:
        if kind == "disease":
            apart = all(edge.key != one.key for one in kept)
        else:
            apart = not any(terms.related(edge.target, one.target) for one in kept)
        if apart:
            kept.append(edge)
    return kept[len(first) :]


def _paper(kind: str, groups: Iterable[Group], terms: Terms, usual: _Usual, seed: int) -> Iterator[Compared]:
    for source, group, members in groups:
        drawn = shuffled(members, seed, _named(group))
        options = _unrelated(kind, drawn, (), terms)[:_MOST]
        if len(options) < _LEAST:
            continue
        best = max(edge.mid for edge in options)
        right = tuple(at for at, edge in enumerate(options) if best - edge.mid < _LEAD)
        if len(right) < len(options):
            yield _made(kind, source, group, options, right, usual)


def _made(
    kind: str, source: str, group: str, options: Sequence[Edge], right: tuple[int, ...], usual: _Usual
) -> Compared:
    priors = [usual.of(kind, edge) for edge in options]
    return Compared(kind, source, group, tuple(options), right, priors.index(max(priors)))


def _strict(kind: str, groups: Iterable[Group], terms: Terms, usual: _Usual, seed: int) -> Iterator[Compared]:
    """One right answer whose interval lies above all others', as often the most usual elsewhere as not."""
    counts: dict[int, list[int]] = {number: [0] * number for number in range(_LEAST, _MOST + 1)}
    made: dict[tuple[int, int], list[Compared]] = {}
    for source, group, members in groups:
        drawn = shuffled([edge for edge in members if edge.low is not None], seed, _named(group))
        near = [(edge, float(edge.high or 0)) for edge in drawn]
        best: tuple[int, int, int] | None = None
        chosen: tuple[Edge, list[Edge], list[Edge]] | None = None
        for right in sorted(drawn, key=lambda edge: -edge.mid)[:_TRIED]:
            wrong = _unrelated(kind, _all_below(near, right), (right,), terms)
            if len(wrong) < _LEAST - 1:
                continue
            own = usual.of(kind, right)
            more = [edge for edge in wrong if usual.of(kind, edge) > own]
            less = [edge for edge in wrong if usual.of(kind, edge) < own]
            number = min(_MOST, len(more) + len(less) + 1)
            for size in range(_LEAST, number + 1):
                for rank in range(max(0, size - 1 - len(less)), min(size - 1, len(more)) + 1):
                    scarce = (counts[size][rank] - min(counts[size]), -size, rank)
                    if best is None or scarce < best:
                        best, chosen = scarce, (right, more[:rank], less[: size - 1 - rank])
        if chosen is None or best is None:
            continue
        right, more, less = chosen
        rank, size = len(more), 1 + len(more) + len(less)
        counts[size][rank] += 1
        options = shuffled((right, *more, *less), seed, _named(f"order {group}"))
        at = options.index(right)
        made.setdefault((size, rank), []).append(_made(kind, source, group, options, (at,), usual))
    for size in range(_LEAST, _MOST + 1):
        least = min(len(made.get((size, rank), ())) for rank in range(size))
        for rank in range(size):
            ordered = sorted(
                made.get((size, rank), ()), key=lambda one: chance(seed, one.source, one.group, one.kind)
            )
            yield from ordered[:least]


def _all_below(near: Sequence[tuple[Edge, float]], right: Edge) -> list[Edge]:
    least = float(right.low or 0) + _ROUNDING
    return [edge for edge, high in near if high <= least and _below(edge, right)]


def _below(edge: Edge, right: Edge) -> bool:
    """Whether the evidence has an edge below the right one for certain, and by ten points or more."""
    assert edge.high is not None
    assert right.low is not None
    return edge.high <= right.low and right.mid - edge.mid >= _LEAD

"""Drawing by a seed, the same on every machine, and orders that are balanced throughout."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

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
    groups: dict[Hashable, list[T]] = {}
    for one in these:
        groups.setdefault(group(one), []).append(one)
    ordered = sorted(groups.items(), key=lambda entry: str(entry[0]))
    placed = [
        ((place + 0.5) / len(members), rank, one)
        for rank, (_, members) in enumerate(ordered)
        for place, one in enumerate(members)
    ]
    return [one for _, _, one in sorted(placed, key=lambda entry: entry[:2])]


def capped(groups: dict[Hashable, list[T]], most: float) -> list[T]:
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
    by_source: dict[str, list[int]] = {}
    for number, edge in enumerate(edges):
        targets.setdefault(target(edge), len(targets))
        by_source.setdefault(source(edge), []).append(number)
    of = [targets[target(edge)] for edge in edges]
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

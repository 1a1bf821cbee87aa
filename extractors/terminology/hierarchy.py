"""What stands above and below a concept, and how far two concepts are apart."""

from __future__ import annotations

from collections.abc import Callable

from extractors.terminology.index import Terminology


def ancestors(terminology: Terminology, row: int) -> dict[int, int]:
    """All rows above one, itself included (at 0), with the least number of steps up to each."""
    return _reached(row, terminology.parents)


def descendants(terminology: Terminology, row: int) -> dict[int, int]:
    """All rows below one, itself included (at 0), with the least number of steps down to each."""
    return _reached(row, terminology.children.__getitem__)


def distance(terminology: Terminology, one: int, other: int) -> int | None:
    """The least number of steps up to a common ancestor and down to the other row; None without one."""
    above, beyond = ancestors(terminology, one), ancestors(terminology, other)
    return min((above[row] + beyond[row] for row in above.keys() & beyond.keys()), default=None)


def _reached(row: int, beside: Callable[[int], list[int]]) -> dict[int, int]:
    steps, edge = {row: 0}, [row]
    while edge:
        following = []
        for each in edge:
            for near in beside(each):
                if near not in steps:
                    steps[near] = steps[each] + 1
                    following.append(near)
        edge = following
    return steps

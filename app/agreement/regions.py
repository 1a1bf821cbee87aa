"""Agreement of boxes on pictures: pairs by their overlap, one to one, and how much of both sides they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Box: TypeAlias = tuple[int, int, int, int]
# The picture that a box is on, the box (left, top, width, height), its category.
Placed: TypeAlias = tuple[tuple[str, str], Box, str]
THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class RegionScore:
    """Pairs of boxes that reach the threshold, against the boxes of both sides.

    `f1` is 2 pairs / (left + right), `mean_iou` that of the pairs, `same_category` the share of pairs that
    agree on it; None where there is nothing to divide by.
    """

    threshold: float
    left: int
    right: int
    pairs: int
    f1: float | None
    mean_iou: float | None
    same_category: float | None


def overlap(one: Box, other: Box) -> float:
    """Intersection over union of two boxes, 0 to 1."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    shared = max(0, width) * max(0, height)
    return shared / (one[2] * one[3] + other[2] * other[3] - shared) if shared else 0.0


def match_boxes(left: Sequence[Placed], right: Sequence[Placed], threshold: float = THRESHOLD) -> RegionScore:
    """The pairs of boxes on the same picture, those that overlap most first, each box in one pair."""
    near = sorted(
        (-overlap(one[1], other[1]), one[2] != other[2], number, place)
        for number, one in enumerate(left)
        for place, other in enumerate(right)
        if one[0] == other[0]
    )
    ours: set[int] = set()
    theirs: set[int] = set()
    found: list[tuple[float, bool]] = []
    for minus, other_category, number, place in near:
        if -minus >= threshold and minus < 0 and number not in ours and place not in theirs:
            ours.add(number)
            theirs.add(place)
            found.append((-minus, not other_category))
    pairs, both = len(found), len(left) + len(right)
    f1 = 2 * pairs / both if both else None
    mean_iou, same = (sum(each) / pairs for each in zip(*found, strict=True)) if pairs else (None, None)
    return RegionScore(threshold, len(left), len(right), pairs, f1, mean_iou, same)

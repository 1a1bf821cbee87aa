"""Lanes: overlapping spans of a paragraph are underlined one below the other."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush


def assign_lanes(spans: Iterable[tuple[int, int]]) -> list[int]:
    """A lane from 0 for each span (start, end), given by start; spans that overlap differ in their lanes.

    Interval partitioning, first free lane first: as few lanes as the deepest overlap, and what stands apart
    from a new span, or before it, keeps its lane.
    """
    lanes: list[int] = []
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    used = 0
    for start, end in spans:
        while busy and busy[0][0] <= start:
            heappush(free, heappop(busy)[1])
        if free:
            lane = heappop(free)
        else:
            lane, used = used, used + 1
        heappush(busy, (end, lane))
        lanes.append(lane)
    return lanes

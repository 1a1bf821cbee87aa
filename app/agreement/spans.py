"""Agreement of places: span matches one to one, and which category the other side gave the same place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from app.agreement.likeness.pairs import words
from app.agreement.types import NONE, Confusion, Counterpart, Item, ReportPair

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def exact_matches(left: Sequence[Item], right: Sequence[Item]) -> int:
    """How many spans of the two sides are the same, one to one (a span given twice may match twice)."""
    ours, theirs = _places(left), _places(right)
    return sum(min(ours.count(place), theirs.count(place)) for place in set(ours).intersection(theirs))


def overlap_matches(left: Sequence[Item], right: Sequence[Item], threshold: float) -> int:
    """The greatest number of one-to-one pairs of spans whose overlap reaches `threshold`.

    Overlap is intersection over union in characters; quotes without a place match nothing.
    """
    ours, theirs = _places(left), _places(right)
    near = [
        (one, other)
        for one, (start, end) in enumerate(ours)
        for other, (low, high) in enumerate(theirs)
        if low < end
        and start < high
        and (min(end, high) - max(start, low)) / (max(end, high) - min(start, low)) >= threshold
    ]
    if len({one for one, _ in near}) == len({other for _, other in near}) == len(near):
        return len(near)
    # Only where a span has the choice: the library takes longer to load than all else to measure.
    from scipy.optimize import linear_sum_assignment

    matches = intersection_over_union(ours, theirs) >= threshold
    rows, columns = linear_sum_assignment(matches, maximize=True)
    return int(matches[rows, columns].sum())


def _places(side: Sequence[Item]) -> list[tuple[int, int]]:
    return [place for item in side if (place := item.span) is not None]


def intersection_over_union(
    left: Sequence[tuple[int, int]], right: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    """Shared characters over covered characters, 0-1, for every left span against every right one."""
    import numpy as np

    ours = np.array(left, dtype=np.int64).reshape(-1, 1, 2)
    theirs = np.array(right, dtype=np.int64).reshape(1, -1, 2)
    begins, ends = np.maximum(ours[..., 0], theirs[..., 0]), np.minimum(ours[..., 1], theirs[..., 1])
    shared = np.maximum(ends - begins, 0)
    covered = np.diff(ours)[..., 0] + np.diff(theirs)[..., 0] - shared
    result: NDArray[np.float64] = shared / np.maximum(covered, 1)
    return result


def count_confused(
    reports: Iterable[ReportPair], categories: Sequence[str], threshold: float
) -> Counter[tuple[str, str]]:
    """How often the left side's category of a place met the right side's, over all reports.

    A left quote stands in its own category's column if any quote of the right in that category overlaps it
    (intersection over union >= `threshold`), otherwise in that of the right quote that overlaps it most
    (the first in the order of `categories` among equals), otherwise under NONE. The row NONE counts the
    right's quotes that no left quote overlaps. A quote without a place overlaps only a quote of the same
    words.
    """
    return Counter((one.row, one.column) for one in counterparts(reports, categories, threshold))


def tabulated(counts: Counter[tuple[str, str]], categories: Sequence[str]) -> Confusion:
    """The counts as a table."""
    labels = (*categories, NONE)
    return Confusion(labels, tuple(tuple(counts[row, column] for column in labels) for row in labels))


def counterparts(
    reports: Iterable[ReportPair], categories: Sequence[str], threshold: float
) -> Iterator[Counterpart]:
    """Every quote that `confusion` counts: the left's of a report, then those that only its right has."""
    for report in reports:
        looked_at = [
            category for category in categories if category in report.left and category in report.right
        ]
        left = [(category, item) for category in looked_at for item in report.left[category]]
        right = [(category, item) for category in looked_at for item in report.right[category]]
        for ours, theirs in _assign(left, right, threshold):
            row, mine = (NONE, None) if ours is None else left[ours]
            column, other = (NONE, None) if theirs is None else right[theirs]
            yield Counterpart(report.key, report.title, row, column, mine, other)


def _assign(
    left: Sequence[tuple[str, Item]], right: Sequence[tuple[str, Item]], threshold: float
) -> list[tuple[int | None, int | None]]:
    """Places of every left quote and its counterpart, then of every right quote that has none."""
    import numpy as np

    if not left or not right:
        return [(place, None) for place in range(len(left))] + [(None, place) for place in range(len(right))]
    overlaps = _overlaps([item for _, item in left], [item for _, item in right])
    reached = overlaps >= threshold
    rows, columns = np.array([row for row, _ in left]), np.array([column for column, _ in right])
    # Own category first, then the greatest overlap; argmax takes the first among equals.
    rank = np.where(reached, overlaps + 2.0 * (rows[:, None] == columns[None, :]), -1.0)
    best, matched = rank.argmax(axis=1).tolist(), reached.any(axis=1).tolist()
    missed = np.flatnonzero(~reached.any(axis=0)).tolist()
    return [
        *((place, best[place] if matched[place] else None) for place in range(len(left))),
        *((None, place) for place in missed),
    ]


def _overlaps(left: Sequence[Item], right: Sequence[Item]) -> NDArray[np.float64]:
    """Intersection over union of placed quotes; 1 or 0 for same or other words where one has no place."""
    import numpy as np

    result = intersection_over_union(
        [item.span or (0, 0) for item in left], [item.span or (0, 0) for item in right]
    )
    ours, theirs = ([item.span is None for item in side] for side in (left, right))
    if not any(ours) and not any(theirs):
        return result
    our_words, their_words = (
        np.array([" ".join(words(item.quote)) for item in side]) for side in (left, right)
    )
    same = our_words[:, None] == their_words[None, :]
    unplaced = np.array(ours)[:, None] | np.array(theirs)[None, :]
    return np.where(unplaced, same.astype(np.float64), result)

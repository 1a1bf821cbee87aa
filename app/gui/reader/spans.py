"""The spans a reader shows, and an index that finds those of a place among thousands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import compress
from operator import attrgetter, eq, lt
from typing import NamedTuple

from extractors.model.finding import Polarity

_BUCKET = 64


class ShownSpan(NamedTuple):
    """A span on the page; `start` and `end` in code points, end exclusive.

    No dataclass: thousands are made before a report is seen, and a tuple takes a third of the time.

    `dimmed` steps back; one that is not `mine` is somebody else's; about one that is `settled` nothing is
    left to do. `concept` is the code of what it stands for, "" for nothing.
    """

    id: str
    start: int
    end: int
    category: str
    polarity: Polarity = "present"
    dimmed: bool = False
    mine: bool = True
    settled: bool = False
    concept: str = ""


class SpanIndex:
    """Spans by place. A question looks at the buckets that reach the place, not at every span before it.

    What lies in the same place is in the order of `categories`, one's own before others': the order in which
    spans were given or made shows nowhere.
    """

    def __init__(self, spans: Iterable[ShownSpan] = (), categories: Iterable[str] = ()) -> None:
        self._ranks = {category: rank for rank, category in enumerate(categories)}
        # As by `_order`, in a fifth of the time: thousands of spans are sorted before a report is seen, and
        # few of them begin in the same place.
        self._spans = sorted(spans, key=attrgetter("start"))
        self._starts = [span.start for span in self._spans]
        for start in set(compress(self._starts, map(eq, self._starts, self._starts[1:]))):
            same = slice(bisect_left(self._starts, start), bisect_right(self._starts, start))
            self._spans[same] = sorted(self._spans[same], key=self._order)
        self._ends = [span.end for span in self._spans]
        self._by_id = {span.id: span for span in self._spans}
        if len(self._by_id) < len(self._spans):
            raise ValueError("two spans have the same id")
        self._reach: list[int] = []
        self._measure(0)

    def check(self, length: int) -> None:
        """Raise ValueError for an empty span or one outside a text of that length."""
        inside = not self._starts or (self._starts[0] >= 0 and max(self._reach) <= length)
        if inside and all(map(lt, self._starts, self._ends)):
            return
        for span in self._spans:
            check_span(span, length)

    def __len__(self) -> int:
        return len(self._spans)

    def __iter__(self) -> Iterator[ShownSpan]:
        return iter(self._spans)

    def __contains__(self, span_id: str) -> bool:
        return span_id in self._by_id

    def get(self, span_id: str) -> ShownSpan:
        """The span of that id; raises KeyError."""
        return self._by_id[span_id]

    def add(self, span: ShownSpan) -> None:
        """Take a span in; raises ValueError where its id is there already."""
        if span.id in self._by_id:
            raise ValueError(f"there is a span {span.id} already")
        place = bisect_right(self._spans, self._order(span), key=self._order)
        self._spans.insert(place, span)
        self._starts.insert(place, span.start)
        self._ends.insert(place, span.end)
        self._by_id[span.id] = span
        self._measure(place)

    def remove(self, span_id: str) -> ShownSpan:
        """Take a span out and return it; raises KeyError."""
        span = self._by_id.pop(span_id)
        place = self._spans.index(span, bisect_left(self._spans, self._order(span), key=self._order))
        del self._spans[place], self._starts[place], self._ends[place]
        self._measure(place)
        return span

    def within(self, start: int, end: int) -> list[ShownSpan]:
        """The spans that share a character with [start, end), in the order of the index."""
        stop = bisect_left(self._starts, end)
        found: list[ShownSpan] = []
        for bucket, reach in enumerate(self._reach):
            first = bucket * _BUCKET
            if first >= stop:
                break
            if reach > start:
                last = min(first + _BUCKET, stop)
                found += [span for span in self._spans[first:last] if span.end > start]
        return found

    def at(self, offset: int) -> list[ShownSpan]:
        """The spans whose characters include the one at `offset`, the shortest first."""
        return sorted(self.within(offset, offset + 1), key=lambda span: span.end - span.start)

    def _order(self, span: ShownSpan) -> tuple[int, int, int, str, bool, str]:
        """By start, the longest first, so that an outer span lies above the ones it holds."""
        return span.start, -span.end, *self._within_a_place(span)

    def _within_a_place(self, span: ShownSpan) -> tuple[int, str, bool, str]:
        rank = self._ranks.get(span.category, len(self._ranks))
        return rank, span.category, not span.mine, span.id

    def _measure(self, place: int) -> None:
        """Note how far each bucket reaches, from the one with index `place` on."""
        first = place // _BUCKET
        del self._reach[first:]
        lows = range(first * _BUCKET, len(self._ends), _BUCKET)
        self._reach += [max(self._ends[low : low + _BUCKET]) for low in lows]


def check_span(span: ShownSpan, length: int) -> None:
    """Raise ValueError for an empty span or one outside a text of that length."""
    if not 0 <= span.start < span.end <= length:
        raise ValueError(f"span {span.id} ({span.start}-{span.end}) is outside a text of {length} characters")

"""The spans a reader shows, and an index that finds those of a place among thousands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from extractors.finding import Polarity

_BUCKET = 64


@dataclass(frozen=True, slots=True)
class ShownSpan:
    """A span on the page; `start` and `end` in code points, end exclusive; `dimmed` steps back."""

    id: str
    start: int
    end: int
    category: str
    polarity: Polarity = "present"
    dimmed: bool = False


def _order(span: ShownSpan) -> tuple[int, int]:
    """By start, the longest first, so that an outer span lies above the ones it holds."""
    return span.start, -span.end


class SpanIndex:
    """Spans by place. A question looks at the buckets that reach the place, not at every span before it."""

    def __init__(self, spans: Iterable[ShownSpan] = ()) -> None:
        # As by `_order`, in a third of the time: thousands of spans are sorted before a report is seen.
        self._spans = sorted(spans, key=attrgetter("end"), reverse=True)
        self._spans.sort(key=attrgetter("start"))
        self._by_id = {span.id: span for span in self._spans}
        if len(self._by_id) < len(self._spans):
            raise ValueError("two spans have the same id")
        self._starts = [span.start for span in self._spans]
        self._reach: list[int] = []
        self._measure(0)

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
        place = bisect_right(self._spans, _order(span), key=_order)
        self._spans.insert(place, span)
        insort(self._starts, span.start)
        self._by_id[span.id] = span
        self._measure(place)

    def remove(self, span_id: str) -> ShownSpan:
        """Take a span out and return it; raises KeyError."""
        span = self._by_id.pop(span_id)
        place = self._spans.index(span, bisect_left(self._spans, _order(span), key=_order))
        del self._spans[place], self._starts[place]
        self._measure(place)
        return span

    def within(self, start: int, end: int) -> list[ShownSpan]:
        """The spans that share a character with [start, end), by start, the longest first."""
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
        return sorted(self.within(offset, offset + 1), key=lambda span: (span.end - span.start, span.id))

    def _measure(self, place: int) -> None:
        """Note how far each bucket reaches, from the one with index `place` on."""
        first = place // _BUCKET
        del self._reach[first:]
        for low in range(first * _BUCKET, len(self._spans), _BUCKET):
            self._reach.append(max(span.end for span in self._spans[low : low + _BUCKET]))

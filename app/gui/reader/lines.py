"""What is painted on one line of a report: its spans in their lanes, and the places found in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtGui import QTextBlock, QTextLine

from app.gui.reader.geometry import edges, pieces
from app.gui.reader.grids import CELL_END
from app.gui.reader.lanes import assign_lanes
from app.gui.reader.painting import Edge, FoundMark, Mark, Piece
from app.gui.reader.spans import SpanIndex
from app.text import Offsets


class FoundPlaces:
    """Places (start, end) found in a text; the one of number `current` stands out."""

    def __init__(self, places: Sequence[tuple[int, int]] = (), current: int | None = None) -> None:
        self._current = places[current] if current is not None else None
        self._places = sorted(places)
        self._starts = [start for start, _ in self._places]
        self._reach = list(accumulate((end for _, end in self._places), max))

    def within(self, start: int, end: int) -> list[tuple[int, int, bool]]:
        """The places that share a character with [start, end), and whether each is the current one."""
        first, stop = bisect_right(self._reach, start), bisect_left(self._starts, end)
        near = self._places[first:stop]
        return [(low, high, (low, high) == self._current) for low, high in near if high > start]


class LineMarks:
    """Finds the marks of a line; what it has worked out for a paragraph it keeps until it is forgotten."""

    def __init__(self) -> None:
        self._lanes: dict[int, dict[str, int]] = {}
        self._marks: dict[int, dict[tuple[int, int, float, float], list[Mark]]] = {}

    def forget(self, first: int = 0, last: int | None = None) -> None:
        """Work everything out anew in the paragraphs that begin in [first, last] (UTF-16 units)."""
        for kept in (self._lanes, self._marks):
            for place in [p for p in kept if first <= p and (last is None or p <= last)]:
                del kept[place]

    def spans(
        self, block: QTextBlock, line: QTextLine, left: float, index: SpanIndex, offsets: Offsets, mixed: bool
    ) -> list[Mark]:
        """The spans on a line of a paragraph whose left edge is at `left`."""
        marks = self._marks.setdefault(block.position(), {})
        # A line that was laid out anew is another line, if it looks another.
        known = line.textStart(), line.textLength(), left, line.naturalTextWidth()
        if known not in marks:
            marks[known] = self._find(block, line, left, index, offsets, mixed)
        return marks[known]

    def _find(
        self, block: QTextBlock, line: QTextLine, left: float, index: SpanIndex, offsets: Offsets, mixed: bool
    ) -> list[Mark]:
        start, end = _extent(block, line)
        found = index.within(offsets.to_code_point(start), offsets.to_code_point(end))
        if not found:
            return []
        lanes = self._lanes_of(block, index, offsets)
        marks = []
        for span in found:
            first, last = offsets.to_utf16(span.start), offsets.to_utf16(span.end)
            parts = pieces_of(block, line, left, first, last, mixed)
            if parts:
                begins, ends = Edge(parts[0][0], 1), Edge(parts[-1][1], -1)
                low, high = max(first, start) - block.position(), min(last, end) - block.position()
                if mixed:
                    first_edge, last_edge = edges(line, low, high)
                    begins = first_edge.moved(left) if first_edge is not None else begins
                    ends = last_edge.moved(left) if last_edge is not None else ends
                here = begins if first >= start else None, ends if last <= end else None
                marks.append(Mark(span, lanes[span.id], parts, *here))
        return marks

    def _lanes_of(self, block: QTextBlock, index: SpanIndex, offsets: Offsets) -> dict[str, int]:
        lanes = self._lanes.get(block.position())
        if lanes is None:
            start = offsets.to_code_point(block.position())
            end = offsets.to_code_point(block.position() + block.length() - 1)
            spans = index.within(start, end)
            open_ = [span for span in spans if not span.settled]
            numbers = assign_lanes((span.start, span.end) for span in open_)
            lanes = {span.id: 0 for span in spans}
            lanes |= {span.id: lane for span, lane in zip(open_, numbers, strict=True)}
            self._lanes[block.position()] = lanes
        return lanes


def found_marks(
    block: QTextBlock, line: QTextLine, left: float, places: FoundPlaces, offsets: Offsets, mixed: bool
) -> list[FoundMark]:
    """The found places on a line of a paragraph whose left edge is at `left`."""
    start, end = _extent(block, line)
    found = places.within(offsets.to_code_point(start), offsets.to_code_point(end))
    return [
        FoundMark(pieces_of(block, line, left, offsets.to_utf16(low), offsets.to_utf16(high), mixed), current)
        for low, high, current in found
    ]


def pieces_of(
    block: QTextBlock, line: QTextLine, left: float, first: int, last: int, mixed: bool
) -> tuple[Piece, ...]:
    """What lies of [first, last) (UTF-16 units) on a line of a paragraph whose left edge is at `left`."""
    start, end = _extent(block, line)
    low, high = max(first, start), min(last, end)
    if low >= high:
        return ()
    found = pieces(line, low - block.position(), high - block.position(), mixed)
    return tuple((left + a, left + b) for a, b in found)


def _extent(block: QTextBlock, line: QTextLine) -> tuple[int, int]:
    start = block.position() + line.textStart()
    end = start + line.textLength()
    # Nothing is marked on the blanks between a cell's words and the next cell.
    whole = end >= block.position() + block.length() - 1
    return start, end - 2 if whole and block.text().endswith(CELL_END) else end

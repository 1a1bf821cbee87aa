"""Lines of a report: where their characters lie, and what is painted on them: spans, places found."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import accumulate
from typing import cast

from PySide6.QtCore import QRectF
from PySide6.QtGui import QGlyphRun, QTextBlock, QTextLayout, QTextLine

from app.gui.reader.grids import CELL_END
from app.gui.reader.painting import Edge, LineMatch, LineSpan, Piece
from app.gui.reader.spans import SpanIndex
from app.text import Offsets

# Hebrew to Arabic Extended, their presentation forms, the marks that turn direction, and the astral scripts.
RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_FROM_HEBREW_ON = re.compile("[\u0590-\U0010ffff]+")


@lru_cache(maxsize=2)
def turns(text: str) -> bool:
    """Whether anything in a text runs from right to left; the letters before those are passed over faster."""
    return RIGHT_TO_LEFT.search("".join(_FROM_HEBREW_ON.findall(text))) is not None


def lines_between(layout: QTextLayout, top: float, bottom: float) -> Iterator[tuple[QTextLine, float]]:
    """The lines that reach into [top, bottom] of a paragraph, each with the height at which the next begins.

    The last line is given the pitch of the line before it, or 1.5 times its own height.
    """
    count = layout.lineCount()
    first = max(0, bisect_right(range(count), top, key=lambda i: layout.lineAt(i).y()) - 1)
    last = bisect_left(range(count), bottom, key=lambda i: layout.lineAt(i).y())
    for number in range(first, last):
        line = layout.lineAt(number)
        if number + 1 < count:
            yield line, layout.lineAt(number + 1).y()
        else:
            yield line, line.y() + line.height() * 1.5


def line_tops(blocks: Iterable[tuple[QTextBlock, QRectF]], units: Mapping[int, int]) -> dict[int, int]:
    """The upper edges of the lines in these paragraphs that hold some places of the document, by what each
    place stands for."""
    places = sorted(units)
    tops: dict[int, int] = {}
    for block, box in blocks:
        first, last = block.position(), block.position() + block.length()
        for place in places[bisect_left(places, first) : bisect_left(places, last)]:
            line = block.layout().lineForTextPosition(place - first)
            tops[units[place]] = round(box.top() + (line.y() if line.isValid() else 0))
    return tops


def pieces(line: QTextLine, start: int, end: int, mixed: bool) -> tuple[Piece, ...]:
    """Left and right edges of the characters [start, end) of a paragraph that are on this line.

    `mixed` says that the paragraph holds right-to-left letters: then they may lie apart.
    """
    if not mixed:
        # White space at the end of a line hangs over its edge.
        text_ends = line.x() + line.naturalTextWidth()
        left, right = _ordered(_x(line, start), _x(line, end))
        return ((min(left, text_ends), min(right, text_ends)),)
    joined: list[Piece] = []
    # Where the direction turns, a caret's place is not an edge of the character after it.
    cells = [run.boundingRect() for run in line.glyphRuns(start, end - start)] if start < end else []
    for left, right in sorted((cell.left(), cell.right()) for cell in cells):
        if joined and left <= joined[-1][1] + 0.5:
            joined[-1] = (joined[-1][0], max(right, joined[-1][1]))
        else:
            joined.append((left, right))
    return tuple(joined) or (_ordered(_x(line, start), _x(line, end)),)


def edges(line: QTextLine, start: int, end: int) -> tuple[Edge | None, Edge | None]:
    """Where the reading of the characters [start, end) begins and ends, which are on this line of both
    directions; None where nothing is drawn, as for white space at a line's end."""
    first, last = line.glyphRuns(start, 1), line.glyphRuns(end - 1, 1)
    return _edge(first[0], begins=True) if first else None, _edge(last[-1], begins=False) if last else None


def _edge(run: QGlyphRun, begins: bool) -> Edge:
    box = run.boundingRect()
    return Edge(box.left(), 1) if run.isRightToLeft() != begins else Edge(box.right(), -1)


def _x(line: QTextLine, place: int) -> float:
    x, _ = cast("tuple[float, int]", line.cursorToX(place))
    return x


def _ordered(one: float, other: float) -> Piece:
    return (one, other) if one <= other else (other, one)


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


class FoundPlaces:
    """Places (start, end) found in a text; the one of number `current` stands out."""

    def __init__(self, places: Sequence[tuple[int, int]] = (), current: int | None = None) -> None:
        self._current = places[current] if current is not None else None
        self._places = sorted(places)
        self._starts = [start for start, _ in self._places]
        self._reach = list(accumulate((end for _, end in self._places), max))

    def __len__(self) -> int:
        return len(self._places)

    def within(self, start: int, end: int) -> list[tuple[int, int, bool]]:
        """The places that share a character with [start, end), and whether each is the current one."""
        first, stop = bisect_right(self._reach, start), bisect_left(self._starts, end)
        near = self._places[first:stop]
        return [(low, high, (low, high) == self._current) for low, high in near if high > start]


class LineMarks:
    """Finds the marks of a line; what it has worked out for a paragraph it keeps until it is forgotten."""

    def __init__(self) -> None:
        self._lanes: dict[int, dict[str, int]] = {}
        self._marks: dict[int, dict[tuple[int, int, float, float], list[LineSpan]]] = {}

    def clear(self) -> None:
        """Work everything out anew."""
        self._lanes.clear()
        self._marks.clear()

    def forget(self, place: int) -> None:
        """Work everything out anew in the paragraph that begins there (UTF-16 units)."""
        self._lanes.pop(place, None)
        self._marks.pop(place, None)

    def spans(
        self, block: QTextBlock, line: QTextLine, left: float, index: SpanIndex, offsets: Offsets, mixed: bool
    ) -> list[LineSpan]:
        """The spans on a line of a paragraph whose left edge is at `left`."""
        marks = self._marks.setdefault(block.position(), {})
        # A line that was laid out anew is another line, if it looks another.
        known = line.textStart(), line.textLength(), left, line.naturalTextWidth()
        if known not in marks:
            marks[known] = self._find(block, line, left, index, offsets, mixed)
        return marks[known]

    def _find(
        self, block: QTextBlock, line: QTextLine, left: float, index: SpanIndex, offsets: Offsets, mixed: bool
    ) -> list[LineSpan]:
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
                marks.append(LineSpan(span, lanes[span.id], parts, *here))
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
) -> list[LineMatch]:
    """The found places on a line of a paragraph whose left edge is at `left`."""
    if not places:
        return []
    start, end = _extent(block, line)
    found = places.within(offsets.to_code_point(start), offsets.to_code_point(end))
    return [
        LineMatch(pieces_of(block, line, left, offsets.to_utf16(low), offsets.to_utf16(high), mixed), current)
        for low, high, current in found
    ]


def pieces_of(
    block: QTextBlock, line: QTextLine, left: float, first: int, last: int, mixed: bool
) -> tuple[Piece, ...]:
    """What lies of [first, last) (UTF-16 units) on a line of a paragraph whose left edge is at `left`."""
    if first >= last:
        return ()
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

"""Where characters lie on a laid-out line, in pixels."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from PySide6.QtCore import QRectF
from PySide6.QtGui import QGlyphRun, QTextBlock, QTextLayout, QTextLine

from app.gui.reader.painting import Edge, Piece

# Hebrew to Arabic Extended, their presentation forms, the marks that turn direction, and the astral scripts.
RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


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

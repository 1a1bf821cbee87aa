"""Tables of a text as grids of a Qt document, over the same places: a cell begins at one character."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)

from app.palette import PagePalette, mix
from app.text import Offsets
from extractors.text.tables import TextTable

_PADDING, _BELOW = 5, 28
_PADDINGS = {-1: _PADDING, -2: 4}
# Kept free between a wide table and the window's edge; how far codes may reach towards the next row.
BESIDE, ROW_GAP = 8, 4
# Rules above and below a table and below its headings, and between rows: how much of the ink is in them.
_RULE, _HAIRLINE = 0.7, 0.16
# Qt's smaller sizes, and what they make of the size of the text.
_SMALLER = ((-1, 0.8), (-2, 0.7))
_LINE_HEIGHT = 130.0
_CANDIDATES = 3


# Between a cell's words and the next cell: a blank, and another in the place of the bar.
CELL_END = "  "
# Pixels of a column's longest word below the headings, of its longest word, of its longest cell.
Needs = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table in the document, in UTF-16 units: where its rows and its last cells begin, and its end."""

    table: TextTable
    frame: QTextTable
    rows: tuple[int, ...]
    last: tuple[int, ...]
    end: int


class Grids:
    """The grids of a document in their order."""

    def __init__(self, shown: str = "", offsets: Offsets | None = None) -> None:
        self.shown = shown
        self._offsets = offsets or Offsets("")
        self._grids: list[Grid] = []
        # Where cells begin and tables end: what lies between two of these is one cell, or no cell.
        self._edges: list[int] = []
        self._cells: list[bool] = []
        self._needs: dict[tuple[int, float], list[Needs]] = {}
        self._steps: dict[int, int] = {}
        self._ends: list[int] = []

    def __bool__(self) -> bool:
        return bool(self._grids)

    def add(self, cursor: QTextCursor, table: TextTable) -> None:
        """Put a table in at the end of a paragraph; the cursor is behind it then."""
        spacing = cursor.blockFormat()
        frame = _insert(cursor, self.shown, table, spacing)
        cursor.setBlockFormat(spacing)
        to_utf16 = self._offsets.to_utf16
        rows = tuple(to_utf16(row[0][0]) for row in table.rows)
        end = to_utf16(table.end) + 1
        number, place = bisect_left(self._ends, end), bisect_left(self._edges, rows[0])
        last = tuple(to_utf16(start) for start, _ in table.rows[-1])
        self._grids.insert(number, Grid(table, frame, rows, last, end))
        self._ends.insert(number, end)
        cells = [to_utf16(start) for row in table.rows for start, _ in row]
        self._edges[place:place] = [*cells, end]
        self._cells[place:place] = [True] * len(cells) + [False]

    def replace(self, cursor: QTextCursor, table: TextTable) -> None:
        """Make a grid of a table whose rows are lines of the document."""
        cursor.setPosition(self._offsets.to_utf16(table.start) - 1)
        cursor.setPosition(self._offsets.to_utf16(table.end) + 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        self.add(cursor, table)

    def fit(self, percent: int, font: QFont, width: float, room: float) -> None:
        """Give columns their widths where lines are `width` pixels long, with `room` to the window's edge.

        Where the longest words do not fit in, letters get smaller first, and headings lose their bold.
        """
        if not self._grids:
            return
        once = QTextCursor(self._grids[0].frame.document())
        once.beginEditBlock()
        for grid in self._grids:
            self._fit(grid, percent, font, width, room)
        once.endEditBlock()

    def _fit(self, grid: Grid, percent: int, font: QFont, width: float, room: float) -> None:
        step, scale = _SMALLER[0]
        needs = self._needs_of(grid, percent, font, scale)
        if sum(least + 2 * _PADDING for _, least, _ in needs) > room:
            step, scale = _SMALLER[1]
            needs = self._needs_of(grid, percent, font, scale)
        if self._steps.get(grid.end, _SMALLER[0][0]) != step:
            _resize(grid, step)
        self._steps[grid.end] = step
        padding = _PADDINGS[step]
        pixels = column_widths(
            [(a + 2 * padding, b + 2 * padding, c + 2 * padding) for a, b, c in needs], width, room
        )
        widths = [QTextLength(QTextLength.Type.FixedLength, column) for column in pixels]
        shape = grid.frame.format().toTableFormat()
        if shape.columnWidthConstraints() != widths:
            shape.setColumnWidthConstraints(widths)
            # What reaches into the page's margin does not make the page wider.
            shape.setRightMargin(min(0, width - sum(pixels)))
            shape.setLeftMargin(-padding)
            shape.setCellPadding(padding)
            grid.frame.setFormat(shape)

    def _needs_of(self, grid: Grid, percent: int, font: QFont, scale: float) -> list[Needs]:
        key = grid.end, percent * scale
        if key not in self._needs:
            letters = QFont(font)
            letters.setPointSizeF(font.pointSizeF() * scale)
            self._needs[key] = column_needs(self.shown, grid.table, letters, bold=scale == _SMALLER[0][1])
        return self._needs[key]

    def parted(self, one: int, other: int) -> bool:
        """Whether a selection between two places begins or ends in a cell that it leaves."""
        apart = bisect_right(self._edges, one) != bisect_right(self._edges, other)
        return apart and (self.is_cell(one) or self.is_cell(other))

    def is_cell(self, place: int) -> bool:
        number = bisect_right(self._edges, place) - 1
        return number >= 0 and self._cells[number]

    def row_start(self, place: int) -> int:
        """Where the row of a table begins that holds a place; outside tables, the place."""
        grid = next(self.within(place, place), None)
        return place if grid is None else grid.rows[bisect_right(grid.rows, place) - 1]

    def within(self, first: int, last: int) -> Iterator[Grid]:
        """The grids that reach into [first, last]."""
        for grid in self._grids[bisect_right(self._ends, first) :]:
            if grid.rows[0] > last:
                return
            yield grid


def _insert(cursor: QTextCursor, shown: str, table: TextTable, paragraph: QTextBlockFormat) -> QTextTable:
    """Put a table at the end of the document, after a paragraph; the paragraph behind it is empty yet.

    The line's end before a cell, and the blank after a bar, are where Qt's cells begin; bars are not shown.
    """
    # Qt leaves out blank lines beside a table.
    shape = _table_format()
    if shown[max(table.start - 2, 0) : table.start] == "\n\n":
        shape.setTopMargin(_BELOW / 2)
    if shown[table.end + 1 : table.end + 2] == "\n":
        shape.setBottomMargin(_BELOW)
    frame = cursor.insertTable(len(table.rows), table.columns, shape)
    plain, heading = _cell_formats()
    for number, row in enumerate(table.rows):
        letters = heading if number < table.headers else plain
        last = len(row) - 1
        for column in range(table.columns):
            if column <= last:
                start, end = row[column]
                words = shown[start:end]
                cursor.insertText(words if column == last else words + CELL_END[1], letters)
            # To the next cell, as NextBlock, which lays out the text for it.
            cursor.setPosition(cursor.position() + 1)
        if last + 1 < table.columns:
            frame.mergeCells(number, last, 1, table.columns - last)
    lines = QTextBlockFormat(paragraph)
    lines.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    lines.setBottomMargin(0)
    _whole(frame).mergeBlockFormat(lines)
    return frame


def _whole(frame: QTextTable) -> QTextCursor:
    cursor = frame.firstCursorPosition()
    cursor.setPosition(frame.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _resize(grid: Grid, step: int) -> None:
    _whole(grid.frame).mergeCharFormat(small_letters(step))
    if grid.table.headers:
        headings = grid.frame.firstCursorPosition()
        last = grid.frame.cellAt(grid.table.headers - 1, grid.table.columns - 1).lastPosition()
        headings.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        letters = QTextCharFormat()
        plain = step != _SMALLER[0][0]
        letters.setFontWeight(QFont.Weight.Normal if plain else QFont.Weight.Bold)
        headings.mergeCharFormat(letters)


def _table_format() -> QTextTableFormat:
    table = QTextTableFormat()
    table.setBottomMargin(_PADDING)
    table.setLeftMargin(-_PADDING)
    table.setCellSpacing(0)
    table.setCellPadding(_PADDING)
    table.setBorder(0)
    table.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
    return table


def _cell_formats() -> tuple[QTextCharFormat, QTextCharFormat]:
    plain = small_letters()
    heading = small_letters()
    heading.setFontWeight(QFont.Weight.Bold)
    return plain, heading


def small_letters(step: int = _SMALLER[0][0]) -> QTextCharFormat:
    """Letters a size smaller than the text's, or by another step."""
    letters = QTextCharFormat()
    letters.setProperty(QTextFormat.Property.FontSizeAdjustment, step)
    return letters


def column_needs(shown: str, table: TextTable, font: QFont, *, bold: bool) -> list[Needs]:
    """What each column needs; headings may be in bold."""
    found: list[tuple[dict[str, bool], ...]] = [({}, {}, {}) for _ in range(table.columns)]
    for number in reversed(range(len(table.rows))):
        row, heading = table.rows[number], number < table.headers
        # The last cell of a shorter row runs on over the columns that it lacks.
        for column, (start, end) in enumerate(row if len(row) == table.columns else row[:-1]):
            below, words, cells = found[column]
            cell = shown[start:end].strip()
            cells[cell] = heavy = bold and heading
            words.update(own := dict.fromkeys(re.split(r"\s+|(?<=[-–/])(?=[^\W\d])", cell), heavy))
            if not heading:
                below.update(own)
    strong = QFont(font)
    strong.setWeight(QFont.Weight.Bold)
    widths = QFontMetricsF(font).horizontalAdvance, QFontMetricsF(strong).horizontalAdvance

    def longest(letters: dict[str, bool]) -> float:
        candidates = sorted(letters, key=lambda one: len(one) + letters[one], reverse=True)[:_CANDIDATES]
        return max((widths[letters[one]](one) for one in candidates), default=0) + 1

    return [(longest(below), longest(words), longest(cells)) for below, words, cells in found]


def column_widths(needs: Sequence[Needs], width: float, room: float) -> list[float]:
    """The width of each column: as its cells need it where that fits into `width`; else cells go over lines,
    at blanks as long as `room` allows it, and where not the longest words of headings, then of all."""
    below, least, most = zip(*needs, strict=True)
    width = min(max(width, sum(least)), room)
    if sum(most) <= width:
        return list(most)
    if sum(least) <= width:
        wishes = [high - low for low, high in zip(least, most, strict=True)]
        share = (width - sum(least)) / sum(wishes)
        return [low + wish * share for low, wish in zip(least, wishes, strict=True)]
    whole = below if sum(below) <= width else [0.0] * len(needs)
    # What the narrow columns are widened to.
    level, top = 0.0, width
    while top - level > 0.01:
        middle = (level + top) / 2
        fits = sum(min(one, max(own, middle)) for own, one in zip(whole, least, strict=True)) <= width
        level, top = (middle, top) if fits else (level, middle)
    return [min(one, max(own, level)) for own, one in zip(whole, least, strict=True)]


def paint_rules(
    painter: QPainter, grid: Grid, shift: QPointF, area: QRectF, palette: PagePalette, unit: float
) -> None:
    """Paint the lines of a grid, as far as they lie in `area`; `shift` is from document to viewport."""
    document = grid.frame.document()
    layout = document.documentLayout()

    def box(place: int) -> QRectF:
        return layout.blockBoundingRect(document.findBlock(place)).translated(shift)

    shape = grid.frame.format().toTableFormat()

    def top(row: int) -> float:
        return box(grid.rows[row]).top() - shape.cellPadding()

    left = box(grid.rows[0]).left()
    width = sum(column.rawValue() for column in shape.columnWidthConstraints())
    strong, faint = (QColor(*mix(palette.paper, palette.ink, share)) for share in (_RULE, _HAIRLINE))
    if palette.contrast:
        faint = QColor(*palette.quiet)
    rows = range(len(grid.rows))
    for row in range(bisect_left(rows, area.top(), key=top), len(rows)):
        y = top(row)
        if y > area.bottom():
            break
        heavy = row in (0, grid.table.headers)
        height = unit * 1.5 if heavy else 1.0
        painter.fillRect(QRectF(left, round(y), width, height), strong if heavy else faint)
    if top(len(rows) - 1) <= area.bottom():
        letters = box(grid.last[0]).height() / max(1, document.findBlock(grid.last[0]).layout().lineCount())
        bottom = max(box(place).bottom() for place in grid.last)
        bottom += shape.cellPadding() + letters * (_LINE_HEIGHT / 100 - 1)
        painter.fillRect(QRectF(left, round(bottom), width, unit * 1.5), strong)

"""A text to select in, also from one cell of a table to another, and what is copied of it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from PySide6.QtCore import QMimeData, QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from app.gui.reader.grids import Grids
from app.text import Offsets
from extractors.text.tables import TextTable, bare_cell, tables_in

_TSV = "text/tab-separated-values"


def table_data(text: str, start: int, end: int) -> QMimeData:
    """[start, end) of a text for the clipboard: as it stands, and cells in HTML and by tabs, too."""
    data = QMimeData()
    data.setText(text[start:end])
    tables = [table for table in tables_in(text) if _cells_in(table, start, end) > 1]
    if tables:
        data.setHtml("".join(_html(text, tables, start, end)))
        data.setData(_TSV, "\n".join(_lines(text, tables, start, end)).encode("utf-8", "replace"))
    return data


def _cells_in(table: TextTable, start: int, end: int) -> int:
    return sum(low < end and start < high for row in table.rows for low, high in row)


def _html(text: str, tables: list[TextTable], start: int, end: int) -> Iterator[str]:
    yield '<meta charset="utf-8">'
    place = start
    for table in tables:
        yield from _paragraphs(text[place : max(place, min(table.start, end))])
        yield "<table>"
        for number, row in _rows(table, start, end):
            tag = "th" if number < table.headers else "td"
            cells = (escape(words, quote=False) for words in _words(text, table, row, start, end))
            yield "<tr>" + "".join(f"<{tag}>{words}</{tag}>" for words in cells) + "</tr>"
        yield "</table>"
        place = max(place, table.end)
    yield from _paragraphs(text[place:end])


def _paragraphs(words: str) -> Iterator[str]:
    return (f"<p>{escape(line, quote=False)}</p>" for line in words.split("\n") if line.strip())


def _lines(text: str, tables: list[TextTable], start: int, end: int) -> Iterator[str]:
    place = start
    for table in tables:
        yield from _kept(text[place : max(place, min(table.start, end))])
        for _, row in _rows(table, start, end):
            yield "\t".join(_words(text, table, row, start, end))
        place = max(place, table.end)
    yield from _kept(text[place:end])


def _kept(words: str) -> list[str]:
    words = words.strip("\n")
    return words.split("\n") if words else []


def _rows(table: TextTable, start: int, end: int) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    return ((n, row) for n, row in enumerate(table.rows) if row[0][0] < end and start < row[-1][1])


def _words(text: str, table: TextTable, row: tuple[tuple[int, int], ...], start: int, end: int) -> list[str]:
    """What is taken of the cells of a row, each in its column."""
    cells = [bare_cell(text, (max(low, start), min(high, end))) for low, high in row]
    return [text[low:high].replace("\t", " ") for low, high in cells] + [""] * (table.columns - len(row))


_Key = Qt.Key
_MOVING = frozenset(
    (
        *(_Key.Key_Left, _Key.Key_Right, _Key.Key_Up, _Key.Key_Down),
        *(_Key.Key_Home, _Key.Key_End, _Key.Key_PageUp, _Key.Key_PageDown),
    )
)


class SelectableText(QTextEdit):
    """Knows caret and selection in code points of its text.

    Qt's cursors select whole cells and whole tables as soon as a selection leaves a cell. Where it does, they
    hold only the caret, and `_began` where the selection begins.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._offsets = Offsets("")
        self._grids = Grids()
        self._began: int | None = None
        self._putting = False
        self.cursorPositionChanged.connect(self._end_selection)

    def text(self) -> str:
        """The loaded text, as it was given."""
        return self._text

    def caret(self) -> int:
        """The offset of the caret."""
        return self._offsets.to_code_point(self.textCursor().position())

    def anchor(self) -> int:
        """The offset where the selection began, the caret's where nothing is selected."""
        return self._offsets.to_code_point(self._anchor_units())

    def selection(self) -> tuple[int, int]:
        """Start and end of the selection, both at the caret where nothing is selected."""
        start, end = self._selected_units()
        return self._offsets.to_code_point(start), self._offsets.to_code_point(end)

    def put_selection(self, anchor: int, caret: int) -> None:
        """Select from `anchor` to `caret`, forwards or backwards, and leave the page where it is.

        Raises IndexError.
        """
        first, last = self._offsets.to_utf16(anchor), self._offsets.to_utf16(caret)
        began, self._began = self._began, first if self._grids.parted(first, last) else None
        cursor = QTextCursor(self.document())
        cursor.setPosition(first if self._began is None else last)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        self._putting = True
        self.setTextCursor(cursor)
        self._putting = False
        if began != self._began or self._began is not None:
            self.viewport().update()
            self.selectionChanged.emit()

    def copy(self) -> None:
        start, end = self.selection()
        if start < end:
            QGuiApplication.clipboard().setMimeData(self.createMimeDataFromSelection())

    # Qt's own

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the report's own characters, also where others are shown for them."""
        start, end = self.selection()
        return table_data(self._text, start, end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of Qt; they select from cell to cell as in any other text."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif self._grids and event.key() in _MOVING and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._select_by(event)
        else:
            super().keyPressEvent(event)

    # Inside

    def _anchor_units(self) -> int:
        return self.textCursor().anchor() if self._began is None else self._began

    def _selected_units(self) -> tuple[int, int]:
        start, end = sorted((self._anchor_units(), self.textCursor().position()))
        return start, end

    def _end_selection(self) -> None:
        if not self._putting and self._began is not None:
            self._began = None
            self.viewport().update()
            self.selectionChanged.emit()

    def _select_by(self, event: QKeyEvent) -> None:
        """Move the caret as without Shift, and select up to there."""
        anchor, before = self.anchor(), self.textCursor()
        alone = QTextCursor(before)
        alone.clearSelection()
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        self._putting = True
        with QSignalBlocker(self):
            self.setTextCursor(alone)
            super().keyPressEvent(QKeyEvent(event.type(), event.key(), modifiers, event.text()))
            caret = self.caret()
            self.setTextCursor(before)
        self._putting = False
        self.put_selection(anchor, caret)

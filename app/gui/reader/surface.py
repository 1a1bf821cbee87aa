"""The surface of the reader: a text laid out as a page, and where its characters stand on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLine,
)
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget

from app.gui.reader.grids import BESIDE, ROW_GAP
from app.gui.reader.lines import RIGHT_TO_LEFT, line_tops, lines_between, pieces, turns
from app.gui.reader.page import (
    PAGE_MARGIN,
    Setting,
    can_be_grid,
    most_characters,
    page_document,
    page_font,
    page_width,
    set_side_margins,
    side_margin,
)
from app.gui.reader.painting import LineBox
from app.gui.reader.selectable import SelectableText
from app.text import Offsets
from extractors.text.tables import TextTable, captions_in, tables_in

TEXT_SIZES = (80, 250)
_CARET_WIDTH = 2
_LINES_BESIDE = 2
# Milliseconds until what was painted is on the screen.
_ONE_FRAME = 17
# All those of a long report are laid out in a tenth of a second, which holds whoever begins to scroll.
_TABLES_AT_ONCE = 3


class TextSurface(SelectableText):
    """Shows one text to move and select in; all offsets are code points of that text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = self.verticalScrollBar()
        bar.setEnabled(False)
        bar.rangeChanged.connect(lambda _, most: bar.setEnabled(most > 0))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAutoFillBackground(True)
        self._shown: QTextDocument | None = None
        self._text_size = 100
        self._mixed: dict[int, bool] = {}
        self._held: tuple[int, int, int] | None = None
        self._near = 0  # the paragraph last asked for, by number; the next one is seldom far from it
        self._to_come: tuple[TextTable, ...] = ()
        self._completing = QTimer(self, singleShot=True, interval=_ONE_FRAME)
        self._completing.timeout.connect(self._complete)
        self._blink = QTimer(self)
        self._blink.timeout.connect(self._turn_caret)
        self.cursorPositionChanged.connect(self._show_caret)
        self._show_caret()

    def select(self, start: int, end: int) -> None:
        """Select from `start` to `end`, the caret at `end`, and bring it into view; raises IndexError."""
        seen = self.viewport().rect().contains(self._caret_rect(end))
        self.put_selection(start, end)
        if seen:
            return
        self.ensureCursorVisible()
        # Room for what comes next. The scroll bar reaches only as far as the text is laid out.
        block = self.textCursor().block()
        for _ in range(_LINES_BESIDE):
            block = block.next()
            if block.isValid():
                self.document().documentLayout().blockBoundingRect(block)
        caret, room = self.cursorRect(), self.viewport().height()
        some = _LINES_BESIDE * caret.height()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (max(caret.bottom() + some - room, 0) or min(caret.top() - some, 0)))

    def go_to(self, offset: int) -> None:
        """Put the caret at `offset`; out of view, its line comes to the top third; raises IndexError."""
        self.show_place(offset, offset)

    def turn_to(self, offset: int) -> None:
        """Put the caret at `offset` and its line to the top third, also where it is in view."""
        self.put_selection(offset, offset)
        self._put_at_third(offset)

    def show_place(self, start: int, end: int, *, selected: bool = False) -> None:
        """Put the caret at `start` or select to `end`; out of view, in the top third; raises IndexError."""
        seen = all(self.viewport().rect().contains(self._caret_rect(offset)) for offset in (start, end))
        self.put_selection(start, end if selected else start)
        if not seen:
            self._put_at_third(start)

    def offset_at(self, place: QPoint) -> int:
        """The offset nearest to a place of the viewport, as a caret is put by a click."""
        return self._offsets.to_code_point(self._units_at(place))

    def character_at(self, place: QPoint) -> int | None:
        """The offset of the character at a place of the viewport; None beside the text."""
        for block, line, box in self._lines(QRectF(place.x(), place.y(), 1, 1)):
            x = place.x() - box.left
            written = line.naturalTextRect()
            if box.top <= place.y() < box.bottom and written.left() <= x < written.right():
                units = block.position() + line.xToCursor(x, QTextLine.CursorPosition.CursorOnCharacter)
                return self._offsets.to_code_point(units)
        return None

    def rect_of(self, start: int, end: int) -> QRect:
        """Where [start, end) stands in the viewport, or would, out of view; raises IndexError."""
        first, last = self._offsets.to_utf16(start), self._offsets.to_utf16(end)
        found = QRectF()
        block = self.document().findBlock(first)
        while block.isValid() and block.position() <= last:
            box = self.document().documentLayout().blockBoundingRect(block).translated(self._shift())
            for number in range(block.layout().lineCount()):
                line = block.layout().lineAt(number)
                low = max(first - block.position(), line.textStart())
                high = min(last - block.position(), line.textStart() + line.textLength())
                if low < high or (first == last and low == high == first - block.position()):
                    for left, right in pieces(line, low, high, self._is_mixed(block)):
                        width = max(1.0, right - left)
                        found |= QRectF(box.left() + left, box.top() + line.y(), width, line.height())
            block = block.next()
        return found.toAlignedRect()

    def tops_of(self, offsets: Sequence[int], area: QRectF) -> dict[int, int]:
        """How high in the viewport the lines begin that hold these offsets, of those in `area` of it."""
        return line_tops(self._blocks(area), {self._offsets.to_utf16(offset): offset for offset in offsets})

    def text_size(self) -> int:
        """The text size in percent."""
        return self._text_size

    def wanted_width(self) -> int:
        """The least width in pixels at which lines are as long as they are read best."""
        return page_width(self._text_size) + self.verticalScrollBar().sizeHint().width()

    def inset(self, width: int) -> int:
        """How far from its left edge the lines begin where it is so many pixels wide."""
        bar = self.verticalScrollBar().sizeHint().width()
        return side_margin(width - bar - 2 * self.frameWidth(), self._text_size)

    def set_text_size(self, percent: int) -> None:
        """Set the text size, kept to 80-250 %; the first line in view stays in view."""
        self._text_size = min(max(percent, TEXT_SIZES[0]), TEXT_SIZES[1])
        first, above = self._place()
        self.document().setDefaultFont(page_font(self._text_size))
        self._fit_measure()
        self._show_caret()
        self._return_to(first, above)
        self._hold(first, above)

    # Qt's own

    def changeEvent(self, event: QEvent) -> None:
        """Letters of the interface are none of the text's: laid out in them, it would lose its place."""
        if event.type() not in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the measure, and the first line in view; the caret too, where it was in view."""
        first, above = self._place()
        before = QRect(self.viewport().rect())
        if event.oldSize().isValid():
            before.setSize(event.oldSize())
        seen = before.contains(self.cursorRect().center())
        super().resizeEvent(event)
        self._fit_measure()
        self._return_to(first, above)
        if seen and not self.viewport().rect().contains(self.cursorRect()):
            self.ensureCursorVisible()
        self._hold(first, above)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_caret()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._blink.stop()

    # Inside

    def _lay_out(self, text: str, headings: Sequence[tuple[int, int]], near: int) -> None:
        """Show another text; `headings` (start, end) are set in bold. Tables far behind `near` become grids
        once the page is painted."""
        self._take_size()
        tables = [table for table in tables_in(text) if can_be_grid(text, table)]
        # A grid takes the places of the line ends around it, also where the text has none.
        before, after = bool(tables) and tables[0].start == 0, bool(tables) and tables[-1].end == len(text)
        self._text, self._offsets = text, Offsets(text, before=before, after=after)
        self._mixed.clear()
        self._held, self._near = None, 0
        in_view = most_characters(self.viewport().height(), self._text_size)
        parts = [table.start < near + in_view and near - in_view < table.end for table in tables]
        if tables:
            parts[0], parts[-1] = parts[0] or before, parts[-1] or after
        if tables and turns(text):
            parts = [True] * len(tables)
        at_once = [table for table, now in zip(tables, parts, strict=True) if now]
        self._to_come = tuple(table for table, now in zip(tables, parts, strict=True) if not now)
        margin = side_margin(self.viewport().width(), self._text_size)
        setting = Setting(headings, at_once, captions_in(text))
        old, new = self._shown, page_document(self, text, self._offsets, setting, self._text_size, margin)
        self._shown, self._grids = new
        self._fit_grids()
        self._shown.setTextWidth(self.viewport().width())
        self.setDocument(self._shown)
        if old is not None:
            old.deleteLater()
        self._show_caret()

    def _complete(self) -> None:
        """Make grids of some tables that are lines yet, then of the next; nothing that is in view moves."""
        if self._to_come and not self.document().lastBlock().layout().lineCount():
            # What Qt has not laid out yet it never does once the text before it was changed.
            self._completing.start()
            return
        tables, self._to_come = self._to_come[:_TABLES_AT_ONCE], self._to_come[_TABLES_AT_ONCE:]
        if not tables:
            return
        if self._to_come:
            self._completing.start()
        first, above = self._place()
        anchor, caret = self.anchor(), self.caret()
        cursor = QTextCursor(self.document())
        with QSignalBlocker(self):
            cursor.beginEditBlock()
            for table in tables:
                self._grids.replace(cursor, table)
            self._fit_grids()
            cursor.endEditBlock()
            self.put_selection(anchor, caret)
        self._mixed.clear()
        if first > self._offsets.to_utf16(tables[0].start):
            self._return_to(first, above)
            self._hold(first, above)

    def _take_size(self) -> None:
        """Give the viewport its size before the first show, so that the text is laid out only once."""
        if self.testAttribute(Qt.WidgetAttribute.WA_PendingResizeEvent):
            self.ensurePolished()
            self.setAttribute(Qt.WidgetAttribute.WA_PendingResizeEvent, False)
            QApplication.sendEvent(self, QResizeEvent(self.size(), QSize()))

    def _lines(self, area: QRectF) -> Iterator[tuple[QTextBlock, QTextLine, LineBox]]:
        """The lines in `area` of the viewport with their paragraphs."""
        for block, box in self._blocks(area):
            top, in_row = box.top(), self._grids.is_cell(block.position())
            for line, bottom in lines_between(block.layout(), area.top() - top, area.bottom() - top):
                y, baseline = top + line.y(), top + line.y() + line.ascent()
                last = line.lineNumber() + 1 == block.layout().lineCount()
                bottom += ROW_GAP if in_row and last else 0
                sides = box.left(), box.right()
                yield block, line, LineBox(y, baseline, line.descent(), top + bottom, *sides, in_row)

    def _blocks(self, area: QRectF, block: QTextBlock | None = None) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The paragraphs in `area` of the viewport, or from one of them on, each with its place there."""
        if block is None:
            # The underlines of a paragraph's last line reach below it.
            block = self._first_beside(self._block_at(int(area.top())))
            block = self._first_beside(block.previous()) if block.previous().isValid() else block
        place_of, shift = self.document().documentLayout().blockBoundingRect, self._shift()
        while block.isValid():
            box = place_of(block).translated(shift)
            if box.top() > area.bottom():
                return
            yield block, box
            block = block.next()

    def _shift(self) -> QPointF:
        return QPointF(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())

    def _units_at(self, place: QPoint) -> int:
        """The place in the document nearest to one of the viewport, also before all is laid out."""
        units, top, beside = 0, -inf, inf
        for block, box in self._blocks(QRectF(place.x(), place.y(), 1, 1)):
            # Of the cells of a row, the nearest.
            off = max(box.left() - place.x(), place.x() - box.right(), 0)
            if box.top() <= top and off > beside:
                continue
            top, beside, y = box.top(), off, place.y() - box.top()
            for line, _ in lines_between(block.layout(), y, y + 1):
                units = block.position() + line.xToCursor(place.x() - box.left())
        return units

    def _text_left(self) -> float:
        """Where the page's lines begin in the viewport."""
        return self.document().rootFrame().frameFormat().leftMargin() + self._shift().x()

    def _first_beside(self, block: QTextBlock) -> QTextBlock:
        """The first cell of the row that a paragraph is in, or the paragraph."""
        return self.document().findBlock(self._grids.row_start(block.position())) if self._grids else block

    def _block_at(self, y: int) -> QTextBlock:
        """The last paragraph that begins at that height of the viewport or above it, else the first."""
        # Above and between paragraphs Qt goes through all, and answers with one that is not laid out yet.
        if self.verticalScrollBar().value() + y <= PAGE_MARGIN:
            return self.document().begin()
        block = self.document().findBlockByNumber(self._near)
        place_of, height = self.document().documentLayout().blockBoundingRect, y - self._shift().y()
        if not block.isValid() or abs(place_of(block).top() - height) > 2 * self.viewport().height():
            # Beside a table it answers with the end of the document, which is then laid out.
            block = self.cursorForPosition(QPoint(int(self._text_left()) + 1, y)).block()
        while block.previous().isValid() and place_of(block).top() > height:
            block = block.previous()
        while (after := block.next()).isValid() and place_of(after).top() <= height:
            block = after
        self._near = block.blockNumber()
        return block

    def _is_mixed(self, block: QTextBlock) -> bool:
        place = block.position()
        if place not in self._mixed:
            self._mixed[place] = RIGHT_TO_LEFT.search(block.text()) is not None
        return self._mixed[place]

    def _caret_rect(self, offset: int) -> QRect:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._offsets.to_utf16(offset))
        return self.cursorRect(cursor)

    def _fit_grids(self) -> None:
        if self._grids:
            width, percent = self.viewport().width(), self._text_size
            margin = side_margin(width, percent)
            self._grids.fit(percent, page_font(percent), width - 2 * margin, width - margin - BESIDE)

    def _fit_measure(self) -> None:
        self._fit_grids()
        set_side_margins(self.document(), side_margin(self.viewport().width(), self._text_size))
        # Qt does not lay the text out again for a width set before the first show.
        if self.document().textWidth() != self.viewport().width():
            self.document().setTextWidth(self.viewport().width())

    def _place(self) -> tuple[int, int]:
        """The first character in view, and where in the view it stands, in pixels from its top."""
        if self._held is not None and self._held[2] == self.verticalScrollBar().value():
            return self._held[:2]
        if self.verticalScrollBar().value() <= PAGE_MARGIN:
            return 0, 0
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._units_at(QPoint(0, 0)))
        return cursor.position(), self.cursorRect(cursor).top()

    def _put_at_third(self, offset: int) -> None:
        """Scroll the line of `offset` to the top third, as far as the text goes on below it."""
        layout, room = self.document().documentLayout(), self.viewport().height()
        block = self.document().findBlock(self._offsets.to_utf16(offset))
        wanted = layout.blockBoundingRect(block).bottom() + room
        while block.isValid() and layout.blockBoundingRect(block).bottom() < wanted:
            block = block.next()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self._caret_rect(offset).top() - room // 3)

    def _return_to(self, position: int, above: int) -> None:
        if position == 0:
            return
        # The scroll bar reaches only as far as the text is laid out, and hears of that later.
        below = self.document().documentLayout().blockBoundingRect(self.document().lastBlock()).bottom()
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        bar = self.verticalScrollBar()
        bar.setMaximum(max(bar.maximum(), round(below) + PAGE_MARGIN - self.viewport().height()))
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - above)

    def _hold(self, first: int, above: int) -> None:
        """Until it is scrolled, this is its place: being made narrow and wide does not let it creep."""
        self._held = (first, above, self.verticalScrollBar().value())

    def _show_caret(self) -> None:
        """Show it at once where it has moved; it blinks as often as the system says, or never."""
        self.setCursorWidth(max(_CARET_WIDTH, round(_CARET_WIDTH * self._text_size / 100)))
        pace = QGuiApplication.styleHints().cursorFlashTime() // 2
        if pace > 0 and self.hasFocus():
            self._blink.start(pace)

    def _turn_caret(self) -> None:
        if self.cursorWidth():
            self.setCursorWidth(0)
        else:
            self._show_caret()

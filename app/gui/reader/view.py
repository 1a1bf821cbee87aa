"""The reader: a report's text to read, move and select in, with its spans painted under the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLine,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from app.gui.offsets import Offsets
from app.gui.reader.geometry import RIGHT_TO_LEFT, lines_between, pieces
from app.gui.reader.lanes import assign_lanes
from app.gui.reader.page import PAGE_MARGIN, measure_margin, page_document, page_font
from app.gui.reader.painting import LineBox, Mark, MarkPainter
from app.gui.reader.palette import PagePalette
from app.gui.reader.spans import ShownSpan, SpanIndex

TEXT_SIZES = (80, 250)
LANES_BELOW = 16
_SELECTION_STRENGTH = 70


class Reader(QTextEdit):
    """All offsets are code points of the loaded text; spans are kept by id and may overlap at will."""

    caret_moved = Signal(int)
    selection_changed = Signal(int, int)
    span_activated = Signal(str)

    def __init__(self, palette: PagePalette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAutoFillBackground(True)
        self.setAccessibleName("Report text")
        self._text = ""
        self._shown: QTextDocument | None = None
        self._headings: tuple[tuple[int, int], ...] = ()
        self._offsets = Offsets("")
        self._index = SpanIndex()
        self._lanes: dict[int, dict[str, int]] = {}
        self._mixed: dict[int, bool] = {}
        self._selected: str | None = None
        self._text_size = 100
        self._marker: MarkPainter | None = None
        self._margin = 0
        self._pressed_at: QPoint | None = None
        self.set_page_palette(palette)
        self._describe()
        self.cursorPositionChanged.connect(lambda: self.caret_moved.emit(self.caret()))
        self.selectionChanged.connect(lambda: self.selection_changed.emit(*self.selection()))

    # What is shown

    def load(
        self, text: str, headings: Sequence[tuple[int, int]] = (), spans: Iterable[ShownSpan] = ()
    ) -> None:
        """Show `text` from its start; `headings` (start, end) are set in bold; raises as `set_spans`."""
        index = _checked(SpanIndex(spans), len(text))
        self._text, self._headings = text, tuple(headings)
        self._offsets, self._index = Offsets(text), index
        self._selected = None
        self._lanes.clear()
        self._mixed.clear()
        ranges = [(self._offsets.to_qt(start), self._offsets.to_qt(end)) for start, end in headings]
        self._fit_measure()
        old, self._shown = self._shown, page_document(self, text, ranges, self._text_size)
        self._shown.setTextWidth(self.viewport().width())
        self.setDocument(self._shown)
        if old is not None:
            old.deleteLater()
        self._describe()
        self.caret_moved.emit(0)

    def text(self) -> str:
        """The loaded text, as it was given."""
        return self._text

    def spans(self) -> list[ShownSpan]:
        """All spans, by start."""
        return list(self._index)

    def set_spans(self, spans: Iterable[ShownSpan]) -> None:
        """Show these spans instead of all others; raises ValueError for a place outside or a second id."""
        self._index = _checked(SpanIndex(spans), len(self._text))
        if self._selected is not None and self._selected not in self._index:
            self._selected = None
        self._lanes.clear()
        self.viewport().update()
        self._describe()

    def add_span(self, span: ShownSpan) -> None:
        """Show one more span; raises ValueError for one outside the text or an id that is there."""
        _check(span, len(self._text))
        self._index.add(span)
        self._changed(span)

    def remove_span(self, span_id: str) -> None:
        """Take a span away; raises KeyError."""
        if self._selected == span_id:
            self._selected = None
        self._changed(self._index.remove(span_id))

    def update_span(self, span: ShownSpan) -> None:
        """Show the span of that id as it is now; raises KeyError, or ValueError for one outside the text."""
        _check(span, len(self._text))
        before = self._index.remove(span.id)
        self._index.add(span)
        self._changed(before)
        self._changed(span)

    def set_selected_span(self, span_id: str | None) -> None:
        """Outline this span and no other; raises KeyError."""
        changed = [self._index.get(span_id)] if span_id is not None else []
        if self._selected is not None:
            changed.append(self._index.get(self._selected))
        self._selected = span_id
        for span in changed:
            self._repaint_paragraphs(span)

    def selected_span(self) -> str | None:
        """The id of the outlined span."""
        return self._selected

    # Where one is

    def caret(self) -> int:
        """The offset of the caret."""
        return self._offsets.to_code_point(self.textCursor().position())

    def selection(self) -> tuple[int, int]:
        """Start and end of the selection, both at the caret where nothing is selected."""
        cursor = self.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        return self._offsets.to_code_point(start), self._offsets.to_code_point(end)

    def select(self, start: int, end: int) -> None:
        """Select [start, end), the caret at its end, and bring it into view; raises IndexError."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._offsets.to_qt(start))
        cursor.setPosition(self._offsets.to_qt(end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def go_to(self, offset: int) -> None:
        """Put the caret at `offset`, without a selection, and bring it into view; raises IndexError."""
        self.select(offset, offset)

    def spans_at(self, offset: int) -> list[ShownSpan]:
        """The spans that hold the character at `offset`, the shortest first."""
        return self._index.at(offset)

    def spans_under_caret(self) -> list[ShownSpan]:
        """The spans that hold the character after the caret, or end at the caret; the shortest first."""
        caret = self.caret()
        return self._index.at(caret) or [s for s in self._index.at(caret - 1) if s.end == caret]

    def offset_at(self, place: QPoint) -> int:
        """The offset of the character nearest to a place of the viewport."""
        return self._offsets.to_code_point(self._units_at(place))

    # How it looks

    def text_size(self) -> int:
        """The text size in percent."""
        return self._text_size

    def set_text_size(self, percent: int) -> None:
        """Set the text size, kept to 80-250 %; the first line in view stays in view."""
        self._text_size = min(max(percent, TEXT_SIZES[0]), TEXT_SIZES[1])
        self._marker = None
        first, above = self._place()
        self.document().setDefaultFont(page_font(self._text_size))
        self._fit_measure()
        self._return_to(first, above)

    def set_page_palette(self, palette: PagePalette) -> None:
        """Change the colours of the page (light, dark)."""
        self._page, self._marker = palette, None
        colours = QPalette(self.palette())
        highlight = QColor(*palette.accent, _SELECTION_STRENGTH)
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
            colours.setColor(role, QColor(*palette.paper))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
            colours.setColor(role, QColor(*palette.ink))
        colours.setColor(QPalette.ColorRole.Highlight, highlight)
        self.setPalette(colours)
        self.viewport().update()

    # Qt's own

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the measure, and the first line in view."""
        first, above = self._place()
        super().resizeEvent(event)
        self._fit_measure()
        self._return_to(first, above)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click began."""
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a span activates the shortest one there, the next click the next one."""
        super().mouseReleaseEvent(event)
        begun, self._pressed_at = self._pressed_at, None
        if begun is None or event.button() != Qt.MouseButton.LeftButton or self.textCursor().hasSelection():
            return
        ids = [span.id for span in self.spans_at(self.offset_at(begun))]
        if ids:
            after = ids.index(self._selected) + 1 if self._selected in ids else 0
            self.span_activated.emit(ids[after % len(ids)])

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the report's own characters, also where others are shown for them."""
        start, end = self.selection()
        data = QMimeData()
        data.setText(self._text[start:end])
        return data

    def paintEvent(self, event: QPaintEvent) -> None:
        """Marks below, text on top; only for the lines that `event` is about."""
        area = QRectF(event.rect())
        painter = QPainter(self.viewport())
        if self._marker is None:
            self._marker = MarkPainter(self._page, page_font(self._text_size))
        self._marker.selected = self._selected
        for block, box in self._blocks(area):
            for line, bottom in lines_between(
                block.layout(), area.top() - box.top(), area.bottom() - box.top()
            ):
                place = LineBox(
                    box.top() + line.y(),
                    box.top() + line.y() + line.ascent(),
                    line.descent(),
                    box.top() + bottom,
                    box.left(),
                    box.right(),
                )
                self._marker.paint(painter, place, self._marks(block, line, box.left()))
        painter.end()
        super().paintEvent(event)

    # Inside

    def _blocks(self, area: QRectF) -> Iterator[tuple[QTextBlock, QRectF]]:
        """The paragraphs in `area` of the viewport, each with its place there."""
        layout = self.document().documentLayout()
        shift = QPointF(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        block = self._block_near(int(area.top()))
        while block.previous().isValid() and layout.blockBoundingRect(block).top() + shift.y() > area.top():
            block = block.previous()
        # The underlines of a paragraph's last line reach below it.
        block = block.previous() if block.previous().isValid() else block
        while block.isValid():
            box = layout.blockBoundingRect(block).translated(shift)
            if box.top() > area.bottom():
                return
            yield block, box
            block = block.next()

    def _units_at(self, place: QPoint) -> int:
        """The place in the document nearest to one of the viewport, also before all is laid out."""
        units = 0
        for block, box in self._blocks(QRectF(place.x(), place.y(), 1, 1)):
            y = place.y() - box.top()
            for line, _ in lines_between(block.layout(), y, y + 1):
                units = block.position() + line.xToCursor(place.x() - box.left())
        return units

    def _block_near(self, y: int) -> QTextBlock:
        """A paragraph at or near that height of the viewport."""
        # In the margin above the text Qt answers with any paragraph that is not laid out yet.
        if self.verticalScrollBar().value() + y <= PAGE_MARGIN:
            return self.document().begin()
        return self.cursorForPosition(QPoint(0, y)).block()

    def _marks(self, block: QTextBlock, line: QTextLine, left: float) -> list[Mark]:
        """The spans on a line of a paragraph whose left edge is at `left`."""
        start = block.position() + line.textStart()
        end = start + line.textLength()
        found = self._index.within(self._offsets.to_code_point(start), self._offsets.to_code_point(end))
        if not found:
            return []
        lanes = self._block_lanes(block)
        mixed = self._is_mixed(block)
        marks = []
        for span in found:
            first, last = self._offsets.to_qt(span.start), self._offsets.to_qt(span.end)
            begin, stop = max(first, start) - block.position(), min(last, end) - block.position()
            edges = tuple((left + a, left + b) for a, b in pieces(line, begin, stop, mixed))
            if edges:
                marks.append(Mark(span, lanes[span.id], edges, first >= start))
        return marks

    def _block_lanes(self, block: QTextBlock) -> dict[str, int]:
        lanes = self._lanes.get(block.position())
        if lanes is None:
            start = self._offsets.to_code_point(block.position())
            end = self._offsets.to_code_point(block.position() + block.length() - 1)
            spans = self._index.within(start, end)
            numbers = assign_lanes((span.start, span.end) for span in spans)
            lanes = {span.id: lane for span, lane in zip(spans, numbers, strict=True)}
            self._lanes[block.position()] = lanes
        return lanes

    def _is_mixed(self, block: QTextBlock) -> bool:
        mixed = self._mixed.get(block.position())
        if mixed is None:
            mixed = RIGHT_TO_LEFT.search(block.text()) is not None
            self._mixed[block.position()] = mixed
        return mixed

    def _changed(self, span: ShownSpan) -> None:
        first, last = self._paragraphs(span)
        for place in [p for p in self._lanes if first.position() <= p <= last.position()]:
            del self._lanes[place]
        self._repaint_paragraphs(span)
        self._describe()

    def _paragraphs(self, span: ShownSpan) -> tuple[QTextBlock, QTextBlock]:
        document = self.document()
        first, last = self._offsets.to_qt(span.start), self._offsets.to_qt(span.end)
        return document.findBlock(first), document.findBlock(last)

    def _repaint_paragraphs(self, span: ShownSpan) -> None:
        """Ask for the span's paragraphs to be painted, as far as they are in view: no others are laid out."""
        first, last = self._paragraphs(span)
        touched = QRectF()
        for block, box in self._blocks(QRectF(self.viewport().rect())):
            if first.position() <= block.position() <= last.position():
                touched = touched.united(box)
        if not touched.isEmpty():
            rows = touched.toAlignedRect()
            below = LANES_BELOW * self._text_size // 100
            self.viewport().update(QRect(0, rows.top() - 2, self.viewport().width(), rows.height() + below))

    def _fit_measure(self) -> None:
        bar = self.verticalScrollBar().width()
        margin = measure_margin(self.width() - bar, self._text_size)
        if margin != self._margin:
            self._margin = margin
            self.setViewportMargins(margin, 0, margin, 0)
        # Qt does not lay the text out again for margins set before the first show.
        if self.document().textWidth() != self.viewport().width():
            self.document().setTextWidth(self.viewport().width())

    def _place(self) -> tuple[int, int]:
        """The first character in view, and where in the view it stands, in pixels from its top."""
        if self.verticalScrollBar().value() <= PAGE_MARGIN:
            return 0, 0
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._units_at(QPoint(0, 0)))
        return cursor.position(), self.cursorRect(cursor).top()

    def _return_to(self, position: int, above: int) -> None:
        if position == 0:
            return
        # The scroll bar reaches only as far as the text is laid out.
        self.document().documentLayout().blockBoundingRect(self.document().lastBlock())
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - above)

    def _describe(self) -> None:
        count = len(self._index)
        self.setAccessibleDescription(
            f"{len(self._text)} characters, {count} {'span' if count == 1 else 'spans'}; read-only"
        )


def _check(span: ShownSpan, length: int) -> None:
    if not 0 <= span.start < span.end <= length:
        raise ValueError(f"span {span.id} ({span.start}-{span.end}) is outside a text of {length} characters")


def _checked(index: SpanIndex, length: int) -> SpanIndex:
    outside = next((span for span in index if not 0 <= span.start < span.end <= length), None)
    if outside is not None:
        _check(outside, length)
    return index

"""The reader: a report's text to read, move and select in, with its spans painted under the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlock,
)
from PySide6.QtWidgets import QWidget

from app.gui.reader.grids import paint_rules
from app.gui.reader.lines import FoundPlaces, LineMarks, found_marks, pieces_of
from app.gui.reader.mouse import Edge, Edges, Mouse, asks_for_menu, caret_after, extends, nearest
from app.gui.reader.page import page_font
from app.gui.reader.painting import LineBox, LinePainter, LineSpan
from app.gui.reader.spans import ShownSpan, SpanIndex, check_span
from app.gui.reader.surface import TextSurface
from app.palette import PagePalette

LANES_BELOW = 16


class Reader(TextSurface):
    """All offsets are code points of the loaded text; spans are kept by id and may overlap at will.

    The keys of Qt move the caret by character, word, line and page, Ctrl with up and down by sentence, with
    page up and page down by section; with Shift they select. All other keys are free for actions.
    """

    caret_moved = Signal(int)
    selection_changed = Signal(int, int)
    link_activated = Signal(int)
    span_activated = Signal(str)
    # The ids of the spans under a resting pointer, then of what is grey there, none beside the text; its
    # place on the screen.
    hovered = Signal(list, QPoint)
    # The offset that a menu is asked for, and its place on the screen.
    context_requested = Signal(int, QPoint)

    def __init__(self, palette: PagePalette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Report text")
        self._index = SpanIndex((), palette.codes)
        self._line_marks = LineMarks()
        self._found = FoundPlaces()
        self._kept, self._kept_ids = FoundPlaces(), dict[tuple[int, int], list[str]]()
        self._links = FoundPlaces()
        self._sections: tuple[tuple[int, int], ...] = ()
        self.selected_span: str | None = None
        self._marker: LinePainter | None = None
        self._menu_wanted = QTimer(self, singleShot=True, interval=0)
        self._menu_wanted.timeout.connect(self._request_menu)
        self.edges = Edges(self._edge_at, self._show_between, self)
        self._mouse = Mouse(self, self.edges)
        self._mouse.clicked.connect(self._activate)
        self._mouse.start_changed.connect(self.viewport().update)
        self.set_page_palette(palette)
        self._describe()
        self.cursorPositionChanged.connect(lambda: self.caret_moved.emit(self.caret()))
        self.selectionChanged.connect(lambda: self.selection_changed.emit(*self.selection()))

    # What is shown

    def load(
        self,
        text: str,
        headings: Sequence[tuple[int, int]] = (),
        spans: Iterable[ShownSpan] = (),
        near: int = 0,
    ) -> None:
        """Show `text` from its start, without sections and marks; `headings` (start, end) are set in bold.

        What is around `near` is shown soonest. Raises as `set_spans`.
        """
        index = SpanIndex(spans, self._page.codes)
        index.check(len(text))
        self._index, self.selected_span = index, None
        self._found, self._sections, self._links = FoundPlaces(), (), FoundPlaces()
        self._kept, self._kept_ids = FoundPlaces(), {}
        self._line_marks.clear()
        self._mouse.give_up()
        self._lay_out(text, headings, near)
        self._describe()
        self.caret_moved.emit(0)

    def set_sections(self, sections: Sequence[tuple[int, int]]) -> None:
        """Let the caret go by these sections (start, end), which are in text order."""
        self._sections = tuple(sections)

    def set_marks(self, marks: Sequence[tuple[int, int]], current: int | None = None) -> None:
        """Frame these places (start, end), the one of number `current` stronger; none takes all away.

        Raises ValueError for a place outside the text.
        """
        if any(not 0 <= start < end <= len(self._text) for start, end in marks):
            raise ValueError(f"a mark is outside a text of {len(self._text)} characters")
        self._found = FoundPlaces(marks, current)
        self.viewport().update()

    def set_links(self, links: Sequence[tuple[int, int]]) -> None:
        """Underline these places (start, end) as leading somewhere: `link_activated` follows a click."""
        self._links = FoundPlaces(links)
        self.viewport().update()

    def set_kept(self, kept: Sequence[tuple[tuple[int, int], str]]) -> None:
        """Show what is no span in grey, each a place (start, end) and its id, and nothing else so.

        What lies outside the text is left out: another program said it, of a text that may have been another.
        """
        ids: dict[tuple[int, int], list[str]] = {}
        for place, one in kept:
            if 0 <= place[0] < place[1] <= len(self._text):
                ids.setdefault(place, []).append(one)
        if ids != self._kept_ids:
            self._kept, self._kept_ids = FoundPlaces(list(ids)), ids
            self.viewport().update()

    def kept_at(self, offset: int) -> list[str]:
        """The ids of what is shown in grey at the character at `offset`."""
        there = self._kept.within(offset, offset + 1)
        return [one for start, end, _ in there for one in self._kept_ids[start, end]]

    def spans(self) -> list[ShownSpan]:
        """All spans, by start."""
        return list(self._index)

    def set_spans(self, spans: Iterable[ShownSpan]) -> None:
        """Show these spans instead of all others; raises ValueError for a place outside or a second id."""
        index = SpanIndex(spans, self._page.codes)
        index.check(len(self._text))
        self._index = index
        if self.selected_span is not None and self.selected_span not in self._index:
            self.selected_span = None
        self._line_marks.clear()
        self.viewport().update()
        self._describe()

    def add_span(self, span: ShownSpan) -> None:
        """Show one more span; raises ValueError for one outside the text or an id that is there."""
        check_span(span, len(self._text))
        self._index.add(span)
        self._changed(span)

    def remove_span(self, span_id: str) -> None:
        """Take a span away; raises KeyError."""
        if self.selected_span == span_id:
            self.selected_span = None
        self._changed(self._index.remove(span_id))

    def update_span(self, span: ShownSpan) -> None:
        """Show the span of that id as it is now; raises KeyError, or ValueError for one outside the text."""
        check_span(span, len(self._text))
        before = self._index.remove(span.id)
        self._index.add(span)
        self._changed(before)
        self._changed(span)

    def set_selected_span(self, span_id: str | None) -> None:
        """Outline this span and no other; raises KeyError."""
        changed = [self._index.get(span_id)] if span_id is not None else []
        if self.selected_span is not None:
            changed.append(self._index.get(self.selected_span))
        self.selected_span = span_id
        for span in changed:
            self._repaint_paragraphs(span)

    # Where one is

    def spans_at(self, offset: int) -> list[ShownSpan]:
        """The spans that hold the character at `offset`, the shortest first."""
        return self._index.at(offset)

    def spans_under_caret(self) -> list[ShownSpan]:
        """The spans that hold the character after the caret, or end at the caret; the shortest first."""
        caret = self.caret()
        return self._index.at(caret) or [s for s in self._index.at(caret - 1) if s.end == caret]

    # How it looks and behaves

    def set_two_click(self, on: bool) -> None:
        """Let a first click set where the selection starts and a second one where it ends; Escape gives up.

        Clicks then activate no spans; drags and double clicks select as ever.
        """
        self._mouse.two_click = on
        self._mouse.give_up()

    def set_text_size(self, percent: int) -> None:
        """Set the text size, kept to 80-250 %; the first line in view stays in view."""
        self._marker = None
        super().set_text_size(percent)

    def set_page_palette(self, palette: PagePalette) -> None:
        """Change the colours of the page (light, dark)."""
        self._page, self._marker = palette, None
        colours = QPalette(self.palette())
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
            colours.setColor(role, QColor(*palette.paper))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
            colours.setColor(role, QColor(*palette.ink))
        # The reader paints what is selected, below the underlines.
        colours.setColor(QPalette.ColorRole.Highlight, QColor(Qt.GlobalColor.transparent))
        self.setPalette(colours)
        # A style sheet that was there before keeps the viewport from following; setting it costs an opening.
        if self.viewport().palette() != colours:
            self.viewport().setPalette(colours)
        self.viewport().update()

    # Qt's own

    def viewportEvent(self, event: QEvent) -> bool:
        """Say which spans a resting pointer is on."""
        # Asking for the type of every event is slow.
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self.character_at(event.pos())
            ids = [s.id for s in self.spans_at(place)] + self.kept_at(place) if place is not None else []
            self.hovered.emit(ids, event.globalPos())
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by sentence and section, ask for the menu, give up a start or selection; else Qt decides."""
        caret = caret_after(event, self._text, self._sections, self.caret())
        if caret is not None and extends(event):
            self.select(self.anchor(), caret)
        elif caret is not None and event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.turn_to(caret)
        elif caret is not None:
            self.select(caret, caret)
        elif asks_for_menu(event):
            self._menu_wanted.start()
        elif event.key() != Qt.Key.Key_Escape or not (self._mouse.give_up() or self._unselect()):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask the owner for a menu instead of showing Qt's."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self.context_requested.emit(self.offset_at(event.pos()), event.globalPos())
        else:
            # Some platforms tell of the menu key twice, as a key and as this event.
            self._menu_wanted.start()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._mouse.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._mouse.double_click(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._mouse.release()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Marks below, text on top; only for the lines that `event` is about."""
        if self._marker is None:
            self._marker = LinePainter(self._page, page_font(self._text_size))
        self._marker.selected = self.selected_span
        selection = self._selected_units()
        painter = QPainter(self.viewport())
        self._paint_rules(painter, QRectF(event.rect()))
        margin: dict[int, tuple[LineBox, list[ShownSpan]]] = {}
        for block, line, box in self._lines(QRectF(event.rect())):
            place, mixed = (block, line, box.left), self._is_mixed(block)
            marks = self._line_marks.spans(*place, self._index, self._offsets, mixed)
            kept = [mark.pieces for mark in found_marks(*place, self._kept, self._offsets, mixed)]
            self._marker.paint_kept(painter, box, kept)
            beside = self._marker.paint(painter, box, marks, pieces_of(*place, *selection, mixed))
            self._marker.underline_kept(painter, box, kept)
            links = [mark.pieces for mark in found_marks(*place, self._links, self._offsets, mixed)]
            self._marker.underline_links(painter, box, links)
            # Cells beside each other have one margin.
            margin.setdefault(round(box.baseline), (box, []))[1].extend(beside)
            self._marker.paint_found(painter, box, found_marks(*place, self._found, self._offsets, mixed))
        for box, spans in margin.values():
            self._marker.paint_margin(painter, replace(box, left=self._text_left()), spans)
        if self._mouse.start is not None:
            self._marker.paint_start(painter, QRectF(self._caret_rect(self._mouse.start)))
        painter.end()
        # What reaches into the margin Qt paints with the rest of its table alone.
        area = event.rect()
        area.setLeft(0)
        super().paintEvent(QPaintEvent(area))
        if self._to_come and not self._completing.isActive():
            self._completing.start()

    # Inside

    def _complete(self) -> None:
        super()._complete()
        self._line_marks.clear()

    def _paint_rules(self, painter: QPainter, area: QRectF) -> None:
        if not self._grids:
            return
        above, last = self._block_at(int(area.top())).previous(), self._block_at(int(area.bottom()))
        first = above.position() if above.isValid() else 0
        for grid in self._grids.within(first, last.position()):
            paint_rules(painter, grid, self._shift(), area, self._page, self._text_size / 100)

    def _unselect(self) -> bool:
        """Leave the caret where it is and select nothing; False where nothing was selected."""
        start, end = self._selected_units()
        if start < end:
            self.put_selection(self.caret(), self.caret())
        return start < end

    def _activate(self, place: QPoint) -> None:
        """A click on a span activates the shortest one there, the next click the next one."""
        offset = self.character_at(place)
        ids = [span.id for span in self.spans_at(offset)] if offset is not None else []
        if ids:
            after = ids.index(self.selected_span) + 1 if self.selected_span in ids else 0
            self.span_activated.emit(ids[after % len(ids)])
        elif offset is not None and self._links.within(offset, offset + 1):
            self.link_activated.emit(offset)

    def _edge_at(self, place: QPoint) -> Edge | None:
        marks: list[LineSpan] = []
        for block, line, box in self._lines(QRectF(place.x(), place.y(), 1, 1)):
            if box.top <= place.y() < box.top + box.height:
                of_line = block, line, box.left, self._index, self._offsets, self._is_mixed(block)
                marks += self._line_marks.spans(*of_line)
        return nearest(marks, place.x(), self.selected_span)

    def _show_between(self, span_id: str, start: int, end: int) -> None:
        if span_id in self._index:
            self.update_span(self._index.get(span_id)._replace(start=start, end=end))

    def _request_menu(self) -> None:
        below = self.cursorRect().bottomLeft()
        self.context_requested.emit(self.caret(), self.viewport().mapToGlobal(below))

    def _changed(self, span: ShownSpan) -> None:
        block, last = self._paragraphs(span)
        while block.isValid() and block.position() <= last.position():
            self._line_marks.forget(block.position())
            block = block.next()
        self._repaint_paragraphs(span)
        self._describe()

    def _paragraphs(self, span: ShownSpan) -> tuple[QTextBlock, QTextBlock]:
        document = self.document()
        first, last = self._offsets.to_utf16(span.start), self._offsets.to_utf16(span.end)
        return document.findBlock(first), document.findBlock(last)

    def _repaint_paragraphs(self, span: ShownSpan) -> None:
        """Ask for the span's paragraphs to be painted, as far as they are in view: no others are laid out."""
        first, last = self._paragraphs(span)
        area, touched = QRectF(self.viewport().rect()), QRectF()
        # From the span's own start, where that is in view: a page of tables has a hundred paragraphs.
        place_of = self.document().documentLayout().blockBoundingRect
        seen = first.layout().lineCount() > 0 and place_of(first).top() >= -self._shift().y()
        for block, box in self._blocks(area, first if seen else None):
            if block.position() > last.position():
                break
            if first.position() <= block.position():
                touched = touched.united(box)
        if not touched.isEmpty():
            rows = touched.toAlignedRect()
            below = LANES_BELOW * self._text_size // 100
            self.viewport().update(QRect(0, rows.top() - 2, self.viewport().width(), rows.height() + below))

    def _describe(self) -> None:
        count = len(self._index)
        self.setAccessibleDescription(
            f"{len(self._text)} characters, {count} {'span' if count == 1 else 'spans'}; read-only"
        )

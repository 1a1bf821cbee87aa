"""Mouse and keys in a text: drags, clicks, edges of spans, and the caret by sentence and section."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from app.gui.reader import motion
from app.gui.reader.painting import LineSpan
from app.gui.reader.spans import ShownSpan
from app.gui.reader.surface import TextSurface
from extractors.text.tables import cell_at

# From how far an edge is grasped, in pixels: inside its span, and outside, where words are selected.
_INSIDE, _OUTSIDE = 4, 2
# A span, and whether it is its end that is dragged.
Edge = tuple[ShownSpan, bool]
Moved = Callable[[ShownSpan, bool, int], tuple[int, int] | None]


class Edges(QObject):
    """`find` says which edge there is at a place of the viewport, `show` shows a span between other edges."""

    # The id of a span, and what it is to reach from and to.
    dropped = Signal(str, int, int)

    def __init__(
        self,
        find: Callable[[QPoint], Edge | None],
        show: Callable[[str, int, int], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._find, self._show = find, show
        self._held: Edge | None = None
        self._now: tuple[int, int] | None = None
        self.allowed: Callable[[], bool] = lambda: False
        # What a span comes to whose edge is dragged to an offset; None where that would leave nothing of it.
        self.moved: Moved = lambda span, ends, offset: None

    def at(self, place: QPoint) -> Edge | None:
        """The edge that would be dragged from there."""
        return self._find(place) if self.allowed() else None

    def hold(self, edge: Edge) -> None:
        """From now on drag this one."""
        self._held = edge

    @property
    def holds(self) -> bool:
        """Whether one is dragged."""
        return self._held is not None

    def drag(self, offset: int) -> bool:
        """Show the span as it would be with its edge there; False where none is dragged."""
        if self._held is None:
            return False
        span, ends = self._held
        self._now = self.moved(span, ends, offset) or self._now
        if self._now is not None:
            self._show(span.id, *self._now)
        return True

    def let_go(self, *, drop: bool) -> bool:
        """Show the span as it was, and say where it was dropped; False where none is dragged."""
        held, now = self._held, self._now
        self._held = self._now = None
        if held is None:
            return False
        span = held[0]
        self._show(span.id, span.start, span.end)
        if drop and now not in (None, (span.start, span.end)):
            self.dropped.emit(span.id, *now)
        return True


def nearest(marks: Iterable[LineSpan], x: float, selected: str | None) -> Edge | None:
    """The edge of one's own span that is nearest to `x`, those of the selected one before all others."""
    near: list[tuple[bool, float, ShownSpan, bool]] = []
    for mark in marks:
        for edge, ends in ((mark.begins, False), (mark.ends, True)):
            if mark.span.mine and edge is not None:
                inside = (x - edge.x) * edge.inward
                if -_OUTSIDE <= inside <= _INSIDE:
                    near.append((mark.span.id != selected, abs(inside), mark.span, ends))
    return min(near)[2:] if near else None


_KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
_SCROLL_PACE = 50
_CHARACTERS, _WORDS, _SENTENCES = 1, 2, 3


class Mouse(QObject):
    """Reads what the mouse does on a surface. A press that strays less than a drag's distance is a click."""

    clicked = Signal(QPoint)
    start_changed = Signal()

    def __init__(self, surface: TextSurface, edges: Edges) -> None:
        super().__init__(surface)
        self._edges = edges
        self._edge: Edge | None = None
        # The pointer shows where an edge can be taken.
        surface.viewport().setMouseTracking(True)
        self.two_click = False
        self.start: int | None = None
        self._surface = surface
        self._unit = _CHARACTERS
        self._begun: QPoint | None = None
        self._here = QPoint()
        self._dragged = False
        self._from = (0, 0)
        self._since_double = QElapsedTimer()
        self._scroll = QTimer(self, interval=_SCROLL_PACE)
        self._scroll.timeout.connect(self._scroll_on)

    def press(self, event: QMouseEvent) -> None:
        """A click, a drag or a third click begins."""
        place = event.position().toPoint()
        third = self._is_third(place)
        self._begun, self._here, self._dragged = place, place, False
        self._unit = _SENTENCES if third else _CHARACTERS
        self._edge = None
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            anchor = self._surface.anchor()
            self._from, self._dragged = (anchor, anchor), True
            self._extend()
        elif third:
            self._from = self._unit_at(place)
            self._surface.put_selection(*self._from)
        else:
            offset = self._surface.offset_at(place)
            self._from = offset, offset
            if self.start is None:
                self._edge = self._edges.at(place)
                self._surface.put_selection(offset, offset)

    def double_click(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        self.give_up()
        self._begun, self._here, self._dragged, self._unit = place, place, False, _WORDS
        self._edge = None
        self._from = self._unit_at(place)
        self._surface.put_selection(*self._from)
        self._since_double.start()

    def move(self, event: QMouseEvent) -> None:
        """Go on with a drag, or begin one where the pointer has gone far enough."""
        place = event.position().toPoint()
        if self._begun is None:
            if not event.buttons():
                self._point(place)
            return
        self._here = place
        far = (self._here - self._begun).manhattanLength() >= QApplication.startDragDistance()
        if not (self._dragged or far):
            return
        if not self._dragged:
            self._dragged = True
            self.give_up()
            if self._edge is not None:
                self._edges.hold(self._edge)
                self._surface.installEventFilter(self)
        self._extend()
        if self._surface.viewport().rect().contains(self._here):
            self._scroll.stop()
        elif not self._scroll.isActive():
            self._scroll.start()

    def release(self) -> None:
        """End a drag, or take a click."""
        begun, self._begun = self._begun, None
        self._scroll.stop()
        if self._edges.let_go(drop=True):
            self._surface.removeEventFilter(self)
            return
        if begun is None or self._dragged or self._unit != _CHARACTERS:
            return
        if not self.two_click:
            self.clicked.emit(begun)
        elif self.start is None:
            self.start = self._from[0]
            self._surface.installEventFilter(self)
            self.start_changed.emit()
        else:
            start, end = sorted((self.start, self._from[0]))
            self.give_up()
            self._surface.put_selection(start, end)

    def give_up(self) -> bool:
        """Forget the start that was set by a first click, put an edge back; False where there was neither."""
        if self._edges.let_go(drop=False):
            self._begun = None
            self._scroll.stop()
            self._surface.removeEventFilter(self)
            return True
        if self.start is None:
            return False
        self.start = None
        self._surface.removeEventFilter(self)
        self.start_changed.emit()
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep Escape from the window's actions while there is something to give up; others hear of it.

        While an edge is dragged, other keys are nobody's: they would change or leave the span under the hand.
        """
        if isinstance(event, QKeyEvent) and event.type() in _KEYS:
            if event.key() != Qt.Key.Key_Escape:
                if self._edges.holds:
                    event.accept()
                return self._edges.holds
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return False
        return super().eventFilter(watched, event)

    def _point(self, place: QPoint) -> None:
        edge = self._edges.at(place) is not None
        shape = Qt.CursorShape.SplitHCursor if edge else Qt.CursorShape.IBeamCursor
        if self._surface.viewport().cursor().shape() != shape:
            self._surface.viewport().setCursor(shape)

    def _is_third(self, place: QPoint) -> bool:
        near = self._begun_near(place)
        recent = (
            self._since_double.isValid() and self._since_double.elapsed() < QApplication.doubleClickInterval()
        )
        self._since_double.invalidate()
        return near and recent

    def _begun_near(self, place: QPoint) -> bool:
        return (place - self._here).manhattanLength() < QApplication.startDragDistance()

    def _unit_at(self, place: QPoint) -> tuple[int, int]:
        """The word, cell or sentence at a place of the viewport."""
        text = self._surface.text()
        offset = self._surface.character_at(place)
        if offset is None:
            offset = self._surface.offset_at(place)
        if self._unit == _WORDS:
            return motion.word_at(text, offset)
        return cell_at(text, offset) or motion.sentence_at(text, offset)

    def _extend(self) -> None:
        """Select from where the drag began to the pointer, by whole units, or move the edge there."""
        start, end = self._from
        if self._edges.drag(self._surface.offset_at(self._here)):
            return
        if self._unit == _CHARACTERS:
            self._surface.put_selection(start, self._surface.offset_at(self._here))
            return
        low, high = self._unit_at(self._here)
        if low < start:
            self._surface.put_selection(end, low)
        else:
            self._surface.put_selection(start, max(end, high))

    def _scroll_on(self) -> None:
        """Scroll by how far the pointer is above or below the page."""
        port = self._surface.viewport().rect()
        beyond = min(0, self._here.y() - port.top()) + max(0, self._here.y() - port.bottom())
        bar = self._surface.verticalScrollBar()
        bar.setValue(bar.value() + beyond)
        self._extend()


_SHIFT, _KEYPAD = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier


def caret_after(event: QKeyEvent, text: str, sections: Sequence[tuple[int, int]], caret: int) -> int | None:
    """Where the caret goes by Ctrl with an arrow up or down, or with page up or down; None for other keys."""
    if event.modifiers() & ~(_SHIFT | _KEYPAD) != Qt.KeyboardModifier.ControlModifier:
        return None
    match event.key():
        case Qt.Key.Key_Down:
            return motion.next_sentence(text, caret)
        case Qt.Key.Key_Up:
            return motion.previous_sentence(text, caret)
        case Qt.Key.Key_PageDown:
            return motion.next_section(text, sections, caret)
        case Qt.Key.Key_PageUp:
            return motion.previous_section(sections, caret)
    return None


def asks_for_menu(event: QKeyEvent) -> bool:
    """Whether it is the menu key or its stand-in."""
    return event.key() == Qt.Key.Key_Menu or (
        event.key() == Qt.Key.Key_F10 and event.modifiers() & ~_KEYPAD == _SHIFT
    )


def extends(event: QKeyEvent) -> bool:
    """Whether the selection grows with the caret."""
    return bool(event.modifiers() & _SHIFT)

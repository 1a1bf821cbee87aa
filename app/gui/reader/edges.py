"""Edges of spans that the mouse drags: the span is shown as it would be until the edge is let go."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QPoint, Signal

from app.gui.reader.painting import Mark
from app.gui.reader.spans import ShownSpan

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


def nearest(marks: Iterable[Mark], x: float, selected: str | None) -> Edge | None:
    """The edge of one's own span that is nearest to `x`, those of the selected one before all others."""
    near: list[tuple[bool, float, ShownSpan, bool]] = []
    for mark in marks:
        for edge, ends in ((mark.begins, False), (mark.ends, True)):
            if mark.span.mine and edge is not None:
                inside = (x - edge.x) * edge.inward
                if -_OUTSIDE <= inside <= _INSIDE:
                    near.append((mark.span.id != selected, abs(inside), mark.span, ends))
    return min(near)[2:] if near else None

"""Widgets beside each other, going on below where there is no more room, in rows of much the same width."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_SPACING = 4


class FlowRow(QWidget):
    """As wide as it is let; as high as the widgets then need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: list[QWidget] = []
        self._hints: list[QSize] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """Add a widget at the end."""
        widget.setParent(self)
        self._parts.append(widget)
        self._hints.clear()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(width, move=False)

    def sizeHint(self) -> QSize:
        width = sum(hint.width() + _SPACING for hint in self._wanted())
        return QSize(width, self._arrange(self.width() or width, move=False))

    def minimumSizeHint(self) -> QSize:
        widest = max((hint.width() for hint in self._wanted()), default=0)
        return QSize(widest, self._arrange(max(self.width(), widest), move=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the widgets where there is room now."""
        super().resizeEvent(event)
        self.arrange()

    def event(self, event: QEvent) -> bool:
        """A widget wants another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.arrange()
        return super().event(event)

    def arrange(self) -> None:
        """Put the widgets anew: their words have changed."""
        self._hints.clear()
        self._arrange(self.width(), move=True)
        self.updateGeometry()

    def _wanted(self) -> list[QSize]:
        """What the widgets want, asked once for all the widths that are tried.

        Out of sight nobody is told that a widget wants another size.
        """
        if not self._hints or not self.isVisible():
            self._hints = [part.sizeHint() for part in self._parts]
        return self._hints

    def _arrange(self, width: int, *, move: bool) -> int:
        hints = self._wanted()
        y = 0
        for row in self._rows(width):
            x = 0
            for number in row:
                hint = hints[number]
                if move:
                    self._parts[number].setGeometry(QRect(x, y, min(hint.width(), width), hint.height()))
                x += hint.width() + _SPACING
            y += max(hints[number].height() for number in row) + _SPACING
        return max(y - _SPACING, 0)

    def _rows(self, width: int) -> list[list[int]]:
        """As few as `width` allows, and then as narrow as leaves them as few: none stays alone."""
        rows, widest = self._broken(width)
        while len(rows) > 1:
            narrower, narrow = self._broken(widest - 1)
            if len(narrower) > len(rows) or narrower == rows:
                break
            rows, widest = narrower, narrow
        return rows

    def _broken(self, width: int) -> tuple[list[list[int]], int]:
        """The numbers of the widgets of each row, and how wide the widest row is."""
        rows: list[list[int]] = []
        widest = used = 0
        for number, hint in enumerate(self._wanted()):
            wider = used + _SPACING + hint.width()
            if rows and wider <= width:
                rows[-1].append(number)
                used = wider
            else:
                rows.append([number])
                used = hint.width()
            widest = max(widest, used)
        return rows, widest

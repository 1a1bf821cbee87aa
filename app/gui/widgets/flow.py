"""Widgets beside each other, going on below where there is no more room."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_SPACING = 4


class FlowRow(QWidget):
    """As wide as it is let; as high as the widgets then need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """Add a widget at the end."""
        widget.setParent(self)
        self._parts.append(widget)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(width, move=False)

    def sizeHint(self) -> QSize:
        width = sum(part.sizeHint().width() + _SPACING for part in self._parts)
        return QSize(width, self._arrange(self.width() or width, move=False))

    def minimumSizeHint(self) -> QSize:
        widest = max((part.sizeHint().width() for part in self._parts), default=0)
        return QSize(widest, self._arrange(max(self.width(), widest), move=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the widgets where there is room now."""
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Put the widgets anew: their words have changed."""
        self._arrange(self.width(), move=True)
        self.updateGeometry()

    def _arrange(self, width: int, *, move: bool) -> int:
        x, y, row = 0, 0, 0
        for part in self._parts:
            hint = part.sizeHint()
            if x and x + hint.width() > width:
                x, y, row = 0, y + row + _SPACING, 0
            if move:
                part.setGeometry(QRect(x, y, min(hint.width(), width), hint.height()))
            x += hint.width() + _SPACING
            row = max(row, hint.height())
        return y + row

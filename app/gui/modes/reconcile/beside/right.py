"""Right of the text: why it was decided so above, guideline and gold below; it scrolls where it must."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

from app.gui.widgets.boxes import stacked

_COLUMNS = 40


class RightSide(QScrollArea):
    """No wider than a guideline wants to be read."""

    def __init__(self, rationale: QWidget, clauses: QWidget, gold: QWidget) -> None:
        super().__init__()
        self._parts = parts = QSplitter(Qt.Orientation.Vertical)
        parts.setChildrenCollapsible(False)
        below = QWidget()
        stacked(below, clauses, gold, wide=clauses, spacing=4)
        parts.addWidget(rationale)
        parts.addWidget(below)
        parts.setStretchFactor(1, 1)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(parts)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().averageCharWidth() * _COLUMNS
        return QSize(width, self._parts.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Its parts scroll downwards only."""
        width = self._parts.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

"""A narrow button whose words run upwards."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter


class UprightButton(QPushButton):
    """As high as there is room, and as wide as a line of its words is high."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlat(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """That of a button, set upright."""
        return super().sizeHint().transposed()

    def minimumSizeHint(self) -> QSize:
        """Its words may be cut at both ends before a window cannot be made lower."""
        return QSize(self.sizeHint().width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """As the style paints buttons, turned to the left."""
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        painter.rotate(-90)
        painter.translate(-self.height(), 0)
        option.rect = option.rect.transposed()
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)

"""Fields for numbers that a wheel leaves as they are: it scrolls what is around them."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox


class NumberBox(QSpinBox):
    """A whole number."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class DecimalBox(QDoubleSpinBox):
    """A number with decimals."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

"""What tests of the reader share: texts, where a character stands, what is on the screen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QTextCursor
from PySide6.QtWidgets import QApplication

from app.gui.reader.view import Reader

Open = Callable[..., Reader]
NASTY = "Fever 😀 of 39\u00a0°C,\te\u0301tat 𝑨 grave.\nSecond line."
LONG = "\n".join("The patient had seizures and slowly progressive ataxia of gait. " * 4 for _ in range(60))


def place_of(reader: Reader, units: int) -> QPoint:
    cursor = QTextCursor(reader.document())
    cursor.setPosition(units)
    return reader.cursorRect(cursor).center()


def picture(reader: Reader) -> QImage:
    """What stands on the screen, parts that were not painted again included."""
    QApplication.processEvents()
    port = reader.viewport()
    corner = port.mapTo(reader, QPoint(0, 0))
    screen = reader.screen().grabWindow(reader.winId(), corner.x(), corner.y(), port.width(), port.height())
    return screen.toImage()


def changed_box(one: QImage, other: QImage) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of what differs."""
    rows, columns = np.nonzero(_pixels(one) != _pixels(other))
    if not rows.size:
        return None
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def _pixels(image: QImage) -> npt.NDArray[np.uint32]:
    """One number each, by row and column."""
    plain = image.convertToFormat(QImage.Format.Format_ARGB32)
    return np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.width()).copy()

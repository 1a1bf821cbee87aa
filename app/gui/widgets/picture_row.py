"""A row of small pictures, each with its name; `opened` tells which one is wanted large."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QImageReader, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QToolButton, QWidget

_HIGH, _WIDE, _SPACING, _MOST_MB = 120, 220, 8, 256


def small_image(data: bytes, most: QSize) -> QImage:
    """A picture no larger than that, decoded no larger than needed; null where it is none."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAllocationLimit(_MOST_MB)
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid():
        return QImage()
    if size.width() > most.width() or size.height() > most.height():
        reader.setScaledSize(size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1)))
    return reader.read()


class PictureRow(QScrollArea):
    """Buttons in a row: Tab goes through them, Space or Return opens one. Empty it takes no room.

    `wanted` asks for the bytes of pictures (SHA-256) that `put` named; `fill` brings them.
    """

    opened = Signal(int)
    wanted = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.pictures: tuple[tuple[str, str], ...] = ()
        self.buttons: list[QToolButton] = []
        inside = QWidget()
        self._row = QHBoxLayout(inside)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_SPACING)
        self._row.addStretch(1)
        self.setWidget(inside)
        self.setVisible(False)

    def put(self, pictures: Sequence[tuple[str, str]]) -> None:
        """Show these, each its name and SHA-256; the same again stay as they are."""
        told = tuple(pictures)
        if told == self.pictures:
            return
        self.pictures = told
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = [self._button(place, name) for place, (name, _) in enumerate(told)]
        self.setVisible(bool(told))
        if told:
            # The room is there before the pictures are, so that nothing moves when they come.
            words = self.fontMetrics().height() + 2 * _SPACING
            self.setFixedHeight(_HIGH + words + self.horizontalScrollBar().sizeHint().height())
            self.wanted.emit([sha256 for _, sha256 in told])

    def fill(self, found: Mapping[str, bytes]) -> None:
        """Draw what was asked for, as far as it is still shown."""
        for button, (_, sha256) in zip(self.buttons, self.pictures, strict=True):
            if data := found.get(sha256):
                image = small_image(data, QSize(_WIDE, _HIGH))
                button.setIcon(QIcon(QPixmap.fromImage(image)))

    def _button(self, place: int, name: str) -> QToolButton:
        button = QToolButton()
        button.setText(name)
        button.setAccessibleName(f"{name}, opens large")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setAutoRaise(True)
        button.setIconSize(QSize(_WIDE, _HIGH))
        button.setMinimumHeight(_HIGH + self.fontMetrics().height() + _SPACING)
        button.clicked.connect(partial(self.opened.emit, place))
        self._row.insertWidget(place, button)
        return button

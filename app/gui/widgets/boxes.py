"""Widgets laid out below or beside each other, and the small parts of forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

Box = TypeVar("Box", bound=QBoxLayout)
Margins = tuple[int, int, int, int]
_NONE: Margins = (0, 0, 0, 0)
_GRID = 8


def stacked(
    holder: QWidget | None,
    *parts: QWidget | QLayout | None,
    wide: object = None,
    margins: Margins = _NONE,
    spacing: int = _GRID,
) -> QVBoxLayout:
    """Lays parts one below the other in a widget; the `wide` one, or None, takes the room that is left."""
    layout = QVBoxLayout(holder) if holder is not None else QVBoxLayout()
    return _filled(layout, parts, wide, margins, spacing)


def lined(
    holder: QWidget | None,
    *parts: QWidget | QLayout | None,
    wide: object = None,
    margins: Margins = _NONE,
    spacing: int = _GRID,
) -> QHBoxLayout:
    """Lays parts beside each other in a widget; the `wide` one, or None, takes the room that is left."""
    layout = QHBoxLayout(holder) if holder is not None else QHBoxLayout()
    return _filled(layout, parts, wide, margins, spacing)


def row_of(*parts: QWidget, wide: QWidget | None = None) -> QWidget:
    """Parts beside each other, of which the `wide` one, or a field for words, takes what room there is."""
    holder = QWidget()
    lined(holder, *parts, wide=wide or next((one for one in parts if isinstance(one, QLineEdit)), None))
    return holder


def labelled(words: str, widget: QWidget) -> QLabel:
    """The words before a field, whose key leads into it."""
    label = QLabel(words)
    label.setBuddy(widget)
    return label


def scrolled(inside: QWidget, name: str = "") -> QScrollArea:
    """What scrolls where there is less room than it needs; with a name it is reached by keys itself, without
    one what is inside is."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(inside)
    area.setAccessibleName(name)
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus if name else Qt.FocusPolicy.NoFocus)
    return area


def push_button(words: str, call: Callable[[], object]) -> QPushButton:
    """A button in the body of a dialog, which Return presses only where it has the focus."""
    button = QPushButton(words)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _checked=False: call())
    return button


def _filled(
    layout: Box, parts: tuple[QWidget | QLayout | None, ...], wide: object, margins: Margins, spacing: int
) -> Box:
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    for part in parts:
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, QWidget):
            layout.addWidget(part, 1 if part is wide else 0)
        else:
            layout.addLayout(part, 1 if part is wide else 0)
    return layout

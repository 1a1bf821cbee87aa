"""Charts whose parts are reached by mouse and keyboard alike, and say in words what they show."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.gui.reader.palette import Rgb, contrast, mix
from app.gui.widgets.tips import tip

_ARROWS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
Place = tuple[int, int]


def rgb_of(colour: QColor) -> Rgb:
    """The parts of a colour."""
    return colour.red(), colour.green(), colour.blue()


def tinted(palette: QPalette, strength: float) -> tuple[QColor, QColor]:
    """Accent on paper, from 0 to 1, and whichever of ink and paper can be read on it."""
    paper, ink, accent = (
        rgb_of(palette.color(role))
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Text, QPalette.ColorRole.Highlight)
    )
    ground = mix(paper, accent, strength)
    letters = max((ink, paper), key=lambda one: contrast(one, ground))
    return QColor(*ground), QColor(*letters)


class PaintedCells(QWidget):
    """Painted cells in rows and columns: arrow keys move between them, Enter or a click opens one."""

    cell_opened = Signal(int, int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.current: Place = (0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._tell()

    @abstractmethod
    def shape_of(self) -> Place:
        """How many rows and columns there are."""

    @abstractmethod
    def room_of(self, place: Place) -> QRectF:
        """Where a cell is painted."""

    @abstractmethod
    def sentence_of(self, place: Place) -> str:
        """What a cell says, "" for one that cannot be reached."""

    @abstractmethod
    def paint_cells(self, painter: QPainter) -> None:
        """Paint everything but the mark of the current cell."""

    def fill(self) -> None:
        """Show what has changed; the current cell stays where it was, as far as it is still there."""
        rows, columns = self.shape_of()
        row, column = self.current
        self.current = min(row, max(rows - 1, 0)), min(column, max(columns - 1, 0))
        self._tell()
        self.updateGeometry()
        self.update()

    def move_to(self, place: Place) -> None:
        """Make a cell the current one."""
        self.current = place
        self._tell()
        self.update()

    def place_at(self, point: QPoint) -> Place | None:
        """The cell at a point of the widget."""
        rows, columns = self.shape_of()
        return next(
            (
                (row, column)
                for row in range(rows)
                for column in range(columns)
                if self.room_of((row, column)).contains(point) and self.sentence_of((row, column))
            ),
            None,
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, or open the current cell."""
        key = Qt.Key(event.key())
        columns = self.shape_of()[1]
        if key in _ARROWS and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        ):
            self._step(*_ARROWS[key])
        elif key == Qt.Key.Key_Home:
            self._go((self.current[0], 0), (0, 1))
        elif key == Qt.Key.Key_End:
            self._go((self.current[0], columns - 1), (0, -1))
        elif key in _ENTER and self._said():
            self.cell_opened.emit(*self.current)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the cell that is clicked."""
        place = self.place_at(event.position().toPoint())
        if place is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.move_to(place)
        self.cell_opened.emit(*place)

    def event(self, event: QEvent) -> bool:
        """Explain the cell under the mouse in words."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.place_at(event.pos())
            if place is None:
                QToolTip.hideText()
            else:
                room = self.room_of(place).toAlignedRect()
                QToolTip.showText(event.globalPos(), tip(self.sentence_of(place)), self, room)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show which cell is current."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show it no more."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The cells, and around the current one a frame while the focus is here."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_cells(painter)
        if self.hasFocus() and self._said():
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Text), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.room_of(self.current).adjusted(1, 1, -1, -1))
        painter.end()

    # Inside

    def _step(self, down: int, right: int) -> None:
        row, column = self.current
        self._go((row + down, column + right), (down, right))

    def _go(self, place: Place, step: Place) -> None:
        """To a cell, or to the next one in the same direction that can be reached."""
        rows, columns = self.shape_of()
        row, column = place
        while 0 <= row < rows and 0 <= column < columns:
            if self.sentence_of((row, column)):
                self.move_to((row, column))
                return
            row, column = row + step[0], column + step[1]

    def _said(self) -> str:
        rows, columns = self.shape_of()
        return self.sentence_of(self.current) if rows and columns else ""

    def _tell(self) -> None:
        said = self._said()
        self.setAccessibleName(f"{self._name}: {said}" if said else self._name)

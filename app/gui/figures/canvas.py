"""A picture to look at: zoom, pan, light, panels, boxes drawn by mouse or by a grid of keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

_STEP, _MOST_ZOOM, _PAN = 1.25, 16.0, 64
_GROUND, _BOX, _CHOSEN, _DRAWN = map(QColor, ("#1c1c1c", "#ffd60a", "#5ac8fa", "#ff453a"))
_ARROWS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}
_GRID = 3
_LEAST_BOX = 4


@dataclass(frozen=True, slots=True)
class ShownBox:
    """A region on the picture, in its own pixels, and the code that stands beside it."""

    id: str
    box: QRect
    code: str


class Canvas(QWidget):
    """Shows one picture whole, or part of it. `box_drawn` says where one was marked, in the picture's pixels.

    The picture may be shown smaller than it is: `full` is its own size, in which boxes are. Where nothing
    `marks`, the mouse moves it.
    """

    box_drawn = Signal(QRect)
    chosen = Signal(str)
    entered = Signal()

    def __init__(self, parent: QWidget | None = None, *, marks: bool = True) -> None:
        super().__init__(parent)
        self._marks = marks
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 120)
        self._image = self._lit = QImage()
        self._full = QSize()
        self._words = ""
        self._scale, self._centre = 0.0, QPointF()
        self.brightness = self.contrast = 0
        self.boxes: Sequence[ShownBox] = ()
        self.current = ""
        self._from: QPointF | None = None
        self._pan_from: tuple[QPointF, QPointF] | None = None
        # The box that is being marked, in the picture's pixels, and by the grid, the larger ones before it.
        self._drawn = QRectF()
        self._grid: list[QRectF] = []

    # What is shown

    def show_picture(self, image: QImage, full: QSize, words: str) -> None:
        """Show a picture whole, in light as it is; where it is null, the words."""
        self._image = self._lit = image
        self._full, self._words = full, words
        self.brightness = self.contrast = 0
        self.give_up()
        self.setAccessibleName(words)
        self.fit()

    def set_light(self, brightness: int, contrast: int) -> None:
        """Brightness and contrast from -100 to 100; the picture in the project stays as it is."""
        self.brightness, self.contrast = brightness, contrast
        self._lit = _lit(self._image, brightness, contrast)
        self.update()

    def fit(self, part: QRectF | None = None) -> None:
        """Show all of the picture, or a part of it as large as there is room."""
        self._scale = 0.0
        if part is not None and not part.isEmpty():
            part = part.adjusted(-8, -8, 8, 8) & self._whole
            self._scale = min(self.width() / part.width(), self.height() / part.height())
        self._centre = (part or self._whole).center()
        self.update()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Larger or smaller, around the middle or a place of the widget."""
        before = self._to_picture(at) if at is not None else self._centre
        least = self._fitting()
        self._scale = min(max(self._zoom() * factor, least), _MOST_ZOOM)
        if self._scale <= least * 1.001:
            self.fit()
            return
        if at is not None:
            self._centre += before - self._to_picture(at)
        self._pan(QPointF())

    def give_up(self) -> bool:
        """Forget the box that is being marked; False where there is none."""
        there = bool(self._grid) or not self._drawn.isEmpty()
        self._grid, self._drawn, self._from = [], QRectF(), None
        self.update()
        return there

    def begin_grid(self) -> None:
        """Mark a box by keys: digits choose a ninth, again and again, arrows move it, Return takes it."""
        if not self._image.isNull():
            self._grid = [self._seen()]
            self._drawn = QRectF(self._grid[-1])
            self.update()

    # Qt's own

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture, the regions, and the box that is being marked."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), _GROUND)
        if self._lit.isNull():
            painter.setPen(QColor(220, 220, 220))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(24, 24, -24, -24), flags, self._words)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._zoom() < 3)
        painter.drawImage(self._on_screen(self._whole), self._lit)
        for one in self.boxes:
            self._paint_box(painter, one)
        if not self._drawn.isEmpty():
            place = self._on_screen(self._drawn)
            _paint_frame(painter, place, _DRAWN, 2)
            if self._grid:
                self._paint_grid(painter, place)
        if self.hasFocus():
            painter.setPen(QPen(self.palette().highlight().color(), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What was whole stays whole."""
        super().resizeEvent(event)
        if self._scale and self._scale < self._fitting():
            self._scale = 0.0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pan, zoom, and mark by the grid; other keys are the view's."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = _ARROWS.get(Qt.Key(key))
        if self._grid and self._grid_key(key, shift, step):
            return
        if step:
            self._pan(step * _PAN)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(_STEP)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom(1 / _STEP)
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key == Qt.Key.Key_G and self._marks:
            self.begin_grid()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(_STEP ** (event.angleDelta().y() / 120), event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a box; with the right button or Shift, pan."""
        self.setFocus()
        self.entered.emit()
        if self._image.isNull():
            return
        moves = event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton)
        if moves or not self._marks or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._pan_from = (event.position(), QPointF(self._centre))
        elif event.button() == Qt.MouseButton.LeftButton:
            self.give_up()
            self._from = self._to_picture(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pan_from is not None:
            begun, centre = self._pan_from
            self._centre = centre - (event.position() - begun) / self._zoom()
            self._pan(QPointF())
        elif self._from is not None:
            self._drawn = QRectF(self._from, self._to_picture(event.position())).normalized() & self._whole
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the box, or choose the region that was clicked on."""
        drawn, begun, self._from, self._pan_from = self._drawn, self._from, None, None
        if begun is None:
            return
        if min(drawn.width(), drawn.height()) * self._zoom() > 2 * _LEAST_BOX:
            self._take()
            return
        self._drawn = QRectF()
        self.update()
        there = [one for one in self.boxes if QRectF(one.box).contains(begun)]
        if there:
            self.chosen.emit(min(there, key=lambda one: one.box.width() * one.box.height()).id)

    # Inside

    def _grid_key(self, key: int, shift: bool, step: QPointF | None) -> bool:
        box = self._drawn
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            part = _ninth(box, key - Qt.Key.Key_1)
            if min(part.width(), part.height()) >= _LEAST_BOX:
                self._grid.append(box)
                self._drawn = part
        elif key == Qt.Key.Key_Backspace:
            self._drawn = self._grid.pop() if len(self._grid) > 1 else self._grid[0]
        elif step:
            by = step * max(1.0, 8 / self._zoom())
            moved = box.adjusted(0, 0, by.x(), by.y()) if shift else box.translated(by)
            if self._whole.contains(moved) and min(moved.width(), moved.height()) >= _LEAST_BOX:
                self._drawn = moved
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        else:
            return False
        self.update()
        return True

    def _take(self) -> None:
        self._grid = []
        self.box_drawn.emit(self._drawn.toAlignedRect())

    def _paint_box(self, painter: QPainter, one: ShownBox) -> None:
        colour = _CHOSEN if one.id == self.current else _BOX
        place = self._on_screen(QRectF(one.box))
        _paint_frame(painter, place, colour, 3 if one.id == self.current else 2)
        _paint_label(painter, one.code, colour, place.topLeft())

    def _paint_grid(self, painter: QPainter, place: QRectF) -> None:
        for number in range(_GRID * _GRID):
            cell = _ninth(place, number)
            painter.setPen(QPen(_DRAWN, 1, Qt.PenStyle.DotLine))
            painter.drawRect(cell)
            if min(cell.width(), cell.height()) > 2 * painter.fontMetrics().height():
                _paint_label(painter, str(number + 1), _DRAWN, cell.center(), middle=True)

    def _fitting(self) -> float:
        if self._full.isEmpty():
            return 1.0
        return min(self.width() / self._full.width(), self.height() / self._full.height(), 4.0)

    def _zoom(self) -> float:
        return self._scale or self._fitting()

    @property
    def _whole(self) -> QRectF:
        return QRectF(0, 0, self._full.width(), self._full.height())

    def _seen(self) -> QRectF:
        """The part of the picture that is in view."""
        far = QPointF(self.width(), self.height())
        return QRectF(self._to_picture(QPointF(0, 0)), self._to_picture(far)) & self._whole

    def _pan(self, by: QPointF) -> None:
        """Move what is seen, no further than the picture's edge in the middle."""
        centre, edge = self._centre + by / self._zoom(), self._whole
        self._centre = QPointF(
            min(max(centre.x(), 0.0), edge.right()), min(max(centre.y(), 0.0), edge.bottom())
        )
        self.update()

    def _to_picture(self, place: QPointF) -> QPointF:
        middle = QPointF(self.width() / 2, self.height() / 2)
        return self._centre + (place - middle) / self._zoom()

    def _on_screen(self, box: QRectF) -> QRectF:
        middle = QPointF(self.width() / 2, self.height() / 2)
        return QRectF(middle + (box.topLeft() - self._centre) * self._zoom(), box.size() * self._zoom())


def _lit(image: QImage, brightness: int, contrast: int) -> QImage:
    """The picture with other light: contrast around middle grey, then brightness, by a table of values."""
    if image.isNull() or not (brightness or contrast):
        return image
    steep = (100 + contrast) / 100 if contrast <= 0 else 1 / max(0.02, 1 - contrast / 101)
    values = ((grey - 127.5) * steep + 127.5 + brightness * 1.28 for grey in range(256))
    table = bytes(int(min(max(value, 0), 255)) for value in values)
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    pixels = bytes(plain.constBits()).translate(table)
    return QImage(pixels, plain.width(), plain.height(), plain.bytesPerLine(), plain.format()).copy()


def _paint_frame(painter: QPainter, place: QRectF, colour: QColor, width: int) -> None:
    """A box with dark edges: on bright and on dark grounds it is seen alike."""
    for pen in (QPen(_GROUND, width + 2), QPen(colour, width)):
        painter.setPen(pen)
        painter.drawRect(place)


def _ninth(box: QRectF, number: int) -> QRectF:
    row, column = divmod(number, _GRID)
    size = box.size() / _GRID
    return QRectF(QPointF(box.left() + column * size.width(), box.top() + row * size.height()), size)


def _paint_label(painter: QPainter, words: str, colour: QColor, at: QPointF, *, middle: bool = False) -> None:
    metrics = painter.fontMetrics()
    label = QRectF(at.x(), at.y(), metrics.horizontalAdvance(words) + 8, metrics.height() + 2)
    if middle:
        label.moveCenter(at)
    painter.fillRect(label, colour)
    painter.setPen(QColor(0, 0, 0))
    painter.drawText(label, Qt.AlignmentFlag.AlignCenter, words)

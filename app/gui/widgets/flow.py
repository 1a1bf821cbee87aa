"""Rows that flow into lines, and parts that are divided by a bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from PySide6.QtCore import QByteArray, QEvent, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QWidget

_SPACING, _BETWEEN = 4, 8


class Unwheeled:
    """Beside a kind of widget: a wheel scrolls what is around; it would choose what nobody asked for."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Lettered:
    """Beside a kind of widget: `fit_letters` is called when letters or the style are others."""

    def fit_letters(self) -> None:
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)  # type: ignore[misc]
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit_letters()


class Fitted:
    """Beside a kind of widget: `arrange` is called when its size is another."""

    def arrange(self) -> None:
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)  # type: ignore[misc]
        self.arrange()


class Arranging(Fitted, QWidget):
    """Arranges what is in it also when that asks for another size."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.arrange()
        return super().event(event)


class FlowRow(Arranging):
    """As wide as it is let; as high as the widgets then need. Those that expand share what a row leaves."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self._parts: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        for part in parts:
            self.add(part)

    def add(self, widget: QWidget) -> None:
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
        hints = [part.minimumSizeHint() if _expands(part) else part.sizeHint() for part in self._parts]
        widest = max((hint.width() for hint in hints), default=0)
        return QSize(widest, self._arrange(max(self.width(), widest), move=False))

    def arrange(self) -> None:
        """Put the widgets anew: their words have changed."""
        self._arrange(self.width(), move=True)
        self.updateGeometry()

    def _arrange(self, width: int, *, move: bool) -> int:
        hints = [part.sizeHint() for part in self._parts]
        y = 0
        for row in _rows(tuple(hint.width() for hint in hints), width):
            high = max(hints[one].height() for one in row)
            if move:
                self._place(row, hints, QRect(0, y, width, high))
            y += high + _SPACING
        return max(y - _SPACING, 0)

    def _place(self, row: range, hints: list[QSize], room: QRect) -> None:
        wide = [one for one in row if _expands(self._parts[one])]
        left = max(room.width() - _width(tuple(hint.width() for hint in hints), row), 0)
        x = 0
        for one in row:
            across = min(hints[one].width() + (left // len(wide) if one in wide else 0), room.width())
            high = room.height() if wide else hints[one].height()
            self._parts[one].setGeometry(QRect(x, room.y(), across, high))
            x += across + _SPACING


class TwoColumns(FlowRow):
    """Two columns, each read downwards; one where there is no room for two."""

    def sizeHint(self) -> QSize:
        width = self._across(2)
        return QSize(width, self._arrange(self.width() or width, move=False))

    def _across(self, columns: int) -> int:
        widest = max((part.sizeHint().width() for part in self._parts), default=0)
        return columns * (widest + _BETWEEN) - _BETWEEN

    def _arrange(self, width: int, *, move: bool) -> int:
        columns = 2 if self._across(2) <= width else 1
        high = -(-len(self._parts) // columns)
        line = max((part.sizeHint().height() for part in self._parts), default=0) + _BETWEEN
        for place, part in enumerate(self._parts if move else ()):
            column, row = divmod(place, high)
            size = part.sizeHint()
            x = column * (self._across(1) + _BETWEEN)
            part.setGeometry(QRect(x, row * line, min(size.width(), width), size.height()))
        return max(high * line - _BETWEEN, 0)


def _expands(part: QWidget) -> bool:
    return bool(part.sizePolicy().expandingDirections() & Qt.Orientation.Horizontal)


# Layouts ask a great many times, for the same widths nearly always.
@lru_cache(maxsize=1024)
def _rows(widths: tuple[int, ...], width: int) -> list[range]:
    """As few as `width` allows, and then as narrow as leaves them as few: none stays alone."""
    rows = _broken(widths, width)
    while len(rows) > 1:
        narrower = _broken(widths, max(_width(widths, row) for row in rows) - 1)
        if len(narrower) > len(rows) or narrower == rows:
            break
        rows = narrower
    return rows


def _broken(widths: tuple[int, ...], width: int) -> list[range]:
    rows: list[range] = []
    for one in range(len(widths)):
        if rows and _width(widths, range(rows[-1].start, one + 1)) <= width:
            rows[-1] = range(rows[-1].start, one + 1)
        else:
            rows.append(range(one, one + 1))
    return rows


def _width(widths: tuple[int, ...], row: range) -> int:
    return sum(widths[one] for one in row) + _SPACING * (len(row) - 1)


Share = Callable[[int], Sequence[int]]

# The style adds to it what can be grasped on either side.
_GRIP = 1


class Splitter(QSplitter):
    """No part can be made to vanish; `share` says how long each is of so many pixels.

    What a user has set, now or at an earlier start, stays as it was set.
    """

    def __init__(self, orientation: Qt.Orientation, *parts: QWidget) -> None:
        super().__init__(orientation)
        self.share: Share | None = None
        self._by_user = False
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_GRIP)
        for part in parts:
            self.addWidget(part)
        self.splitterMoved.connect(self._keep)

    def setSizes(self, sizes: Sequence[int]) -> None:
        """As a user sets them, with a handle."""
        super().setSizes(list(sizes))
        self._keep()

    def share_out(self) -> None:
        """Give each part its share, where the user has set none."""
        if self.share is not None and not self._by_user:
            # Without the handles, which the style makes wider than it says.
            super().setSizes([max(part, 1) for part in self.share(sum(self.sizes()))])

    def shape(self) -> QByteArray:
        """What the user has set, empty where that is nothing."""
        return self.saveState() if self._by_user else QByteArray()

    def take_shape(self, shape: QByteArray) -> None:
        """Give back what a user has set before, or else each part its share."""
        self._by_user = not shape.isEmpty() and self.restoreState(shape)
        self.share_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_out()

    def showEvent(self, event: QShowEvent) -> None:
        """Share out now that the parts know their letters."""
        super().showEvent(event)
        self.share_out()

    def changeEvent(self, event: QEvent) -> None:
        """Share out anew when the letters have another size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            # Once the parts have taken them over.
            QTimer.singleShot(0, self, self.share_out)

    def _keep(self) -> None:
        self._by_user = True


def shared_height(height: int, upper: int, lower: int, most: float) -> tuple[int, int]:
    """Heights of two parts that want `upper` and `lower` pixels: the lower has what it wants as far as that
    is no more than the share `most`, or the upper leaves it; what nobody wants is the upper's."""
    low = min(lower, max(round(height * most), height - upper))
    return height - low, low


def within(least: float, wanted: float, most: float) -> int:
    """What is wanted, but no less and no more than that."""
    return round(max(least, min(wanted, most)))

"""Splitters that share out their length by what is in them, until the user moves a handle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

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
        """Share out anew."""
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

"""The three columns of an open project: lists left, the report in the middle, what belongs to it right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSplitter, QVBoxLayout, QWidget

from app.gui.shell.preferences import Preferences

if TYPE_CHECKING:
    from app.gui.modes.mode import Mode

_SIDE, _CENTRE = 260, 760
# How text and what stands beside it share the width, until a user shares it out otherwise.
_SHARES = (1, 2, 1)
# The most of the width that a mode's side may insist on, and of the height what stands above the text.
_INSISTED, _MOST_ABOVE = 0.3, 0.4
# The style adds to it what can be grasped on either side.
_GRIP = 1


class Slot(QWidget):
    """Shows one of several widgets in the same place; the others ask for no room."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for number, widget in enumerate(widgets):
            column.addWidget(widget)
            widget.setHidden(number > 0)
        self._shown = widgets[0] if widgets else None
        self.setHidden(not widgets)

    def insist(self, most: int) -> None:
        """Ask for the least width that what it shows asks for, `most` pixels where that is more."""
        self.setMinimumWidth(min(self._column.minimumSize().width(), most))

    def show_only(self, wanted: QWidget | None) -> None:
        """Show this widget and no other, nothing where it is None; needs a parent."""
        if wanted is not self._shown:
            if self._shown is not None:
                self._shown.hide()
            if wanted is not None and self._column.indexOf(wanted) < 0:
                self._column.addWidget(wanted)
            if wanted is not None:
                wanted.show()
            self._shown = wanted
        self.setHidden(wanted is None)


class ReportColumn(QWidget):
    """Heading, text, and a line of hints; modes put something between them, and beside the text."""

    def __init__(self, heading: QWidget, text: QWidget, hints: QWidget, find_bar: QWidget) -> None:
        super().__init__()
        self._above, self._before, self._after = Slot(), Slot(), Slot()
        self.row = split(Qt.Orientation.Horizontal, self._before, text, self._after)
        for place, share in enumerate(_SHARES):
            self.row.setStretchFactor(place, share)
        self._hints, self._find_bar = hints, find_bar
        # The bar opens over the hints, so that the text does not move.
        below = QGridLayout()
        below.addWidget(hints, 0, 0)
        below.addWidget(find_bar, 0, 0)
        find_bar.setAutoFillBackground(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(heading)
        column.addWidget(self._above)
        column.addWidget(self.row, 1)
        column.addLayout(below)

    def show_mode(self, mode: Mode | None) -> None:
        """Put a mode's parts around the text; the hints are those of annotating, which None is."""
        before, after = mode.beside if mode is not None and mode.beside is not None else (None, None)
        self._above.show_only(mode.above if mode is not None else None)
        self._before.show_only(before)
        self._after.show_only(after)
        self._hints.setHidden(mode is not None)
        # While annotating the line stays empty for the bar; a mode needs all the height there is.
        kept = self._find_bar.sizePolicy()
        kept.setRetainSizeWhenHidden(mode is None)
        self._find_bar.setSizePolicy(kept)
        self._limit()
        self.row.setSizes([_CENTRE * share for share in _SHARES])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the text its part of width and height."""
        super().resizeEvent(event)
        self._limit()

    def _limit(self) -> None:
        least = self._above.minimumSizeHint().height()
        self._above.setMaximumHeight(max(least, round(_MOST_ABOVE * self.height())))
        for slot in (self._before, self._after):
            slot.insist(round(_INSISTED * self.width()))


class Columns(QWidget):
    """Lists left, the report in the middle, what belongs to it right; modes put their own in their places.

    Each mode keeps the sizes that it was given, from one start of the program to the next as well.
    """

    def __init__(
        self, preferences: Preferences, left: QWidget, report: ReportColumn, empty: QWidget, right: QWidget
    ) -> None:
        super().__init__()
        self._preferences = preferences
        self._mode: Mode | None = None
        self._parts = left, report, right
        self._empty, self._has_text = empty, True
        self._left, self._centre, self._right = Slot(left), Slot(report, empty), Slot(right)
        self._whole = split(Qt.Orientation.Horizontal, self._left, self._centre, self._right)
        self._whole.setStretchFactor(1, 1)
        self._whole.setSizes([_SIDE, _CENTRE, max(_SIDE, right.sizeHint().width())])
        self._shapes: dict[str, QByteArray] = {}
        self._annotating = self._whole.sizes()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._whole)
        self._restore()

    def turn_page(self, has_text: bool) -> None:
        """Show the report in the middle, or what to do without one, unless a mode has its own there."""
        self._has_text = has_text
        own = self._mode.centre if self._mode is not None else None
        self._centre.show_only(own if own is not None else self._parts[1] if has_text else self._empty)

    def show_mode(self, mode: Mode | None) -> None:
        """Show a mode's parts; None is annotating."""
        self._keep()
        self.setUpdatesEnabled(False)
        left, report, right = self._parts
        self._mode = mode
        own = (mode.left, mode.right) if mode is not None else (None, None)
        hides_right = mode is not None and mode.hides_right
        self._left.show_only(own[0] if own[0] is not None else left)
        self._right.show_only(own[1] if own[1] is not None else None if hides_right else right)
        report.show_mode(mode)
        self.turn_page(self._has_text)
        self._limit()
        self._restore()
        self.setUpdatesEnabled(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the middle its part of the width."""
        super().resizeEvent(event)
        self._limit()

    def put_away(self) -> None:
        """Keep the sizes for the next start."""
        self._keep()
        for name, shape in self._shapes.items():
            self._preferences.set_shape(name, shape)

    # Inside

    def _limit(self) -> None:
        """What modes have at the sides gives way to the middle; while annotating the categories do not."""
        most = self.width() if self._mode is None else round(_INSISTED * self.width())
        for slot in (self._left, self._right):
            slot.insist(most)

    def _splitters(self) -> dict[str, QSplitter]:
        """By the names of their shapes."""
        if self._mode is None:
            return {"columns": self._whole}
        splitters = {f"columns {self._mode.id}": self._whole}
        if self._mode.beside is not None:
            splitters[f"beside {self._mode.id}"] = self._parts[1].row
        return splitters

    def _keep(self) -> None:
        if self._mode is None:
            self._annotating = self._whole.sizes()
        self._shapes |= {name: splitter.saveState() for name, splitter in self._splitters().items()}

    def _restore(self) -> None:
        if self._mode is not None:
            # Its first sizes are those of annotating, as far as these leave it enough in the middle.
            most = round(_INSISTED * self.width())
            left, right = min(self._annotating[0], most), min(self._annotating[2], most)
            self._whole.setSizes([left, self.width() - left - right, right])
        for name, splitter in self._splitters().items():
            splitter.restoreState(self._shapes.get(name, self._preferences.shape(name)))


def split(orientation: Qt.Orientation, *parts: QWidget) -> QSplitter:
    """A splitter of which no part can be made to vanish."""
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(_GRIP)
    for part in parts:
        splitter.addWidget(part)
    return splitter

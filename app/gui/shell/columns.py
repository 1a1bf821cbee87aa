"""The three columns of an open project: lists left, the report in the middle, what belongs to it right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from app.gui.modes.annotate.heading import ReportHeading
from app.gui.modes.mode import Mode, ModeId
from app.gui.reader.view import Reader
from app.gui.shell.acts.actions import Actions
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.look.shapes import Shapes
from app.gui.widgets.boxes import for_command, stacked
from app.gui.widgets.flow import Arranging, Splitter, within
from app.gui.widgets.upright import UprightButton

# Least and most of the sides in letters, and their share of the width: left and right of the report, and
# beside its text, which has what lines of the measure need before that.
_LEFT, _RIGHT, _BESIDE = (42, 62), (54, 74), (32, 70)
# The letters that the list of reports keeps while the text has not so many.
_LISTS, _TEXT = 33, 60
# Of the height, what is below the text: a share, and least and most in lines of the interface.
_BELOW_SHARE, _BELOW = 0.46, (14, 36)
# The most letters on a line of what stands above the text, and the least margin there.
_WIDE, _MARGIN = 164, 16
_LEFT_SHARE, _RIGHT_SHARE = 0.16, 0.2
# The most of the width that a mode's side may insist on, and of the height what stands above the text.
_INSISTED, _MOST_ABOVE = 0.3, 0.36
# So few lines of the interface high, the heading does with two lines, or with one, for what stands above the
# text.
_LOW, _LOWEST = 36, 22
# What the text keeps beside what is opened below it, in lines of the interface.
_LEAST_TEXT = 5
# With less than this of the width at which lines are read best, the lists are folded away.
_FEW = 0.53
_FOLD = "view.lists"


class Slot(QWidget):
    """Shows one of several widgets in the same place; the others ask for no room."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._column = stacked(self, *widgets, spacing=0)
        for number, widget in enumerate(widgets):
            widget.setHidden(number > 0)
        self._shown = widgets[0] if widgets else None
        # Shown before it has its place, it would be a window of its own for a moment.
        if not widgets:
            self.hide()

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


class ReportColumn(Arranging):
    """Heading, text, a line of hints, and `under` them what is opened there; modes put something between
    heading and text, and beside the text."""

    def __init__(self, heading: ReportHeading, text: Reader, hints: QWidget, find_bar: QWidget) -> None:
        super().__init__()
        self._above, self._before, self._after = Slot(), Slot(), Slot()
        self._heading, self._text = heading, text
        self._wanted_above: QWidget | None = None
        self.row = Splitter(Qt.Orientation.Horizontal, self._before, text, self._after)
        self.row.share = self._share
        self._hints, self._find_bar = hints, find_bar
        self._annotates = True
        # The bar opens in place of the hints, so that the text does not move.
        below = QGridLayout()
        below.addWidget(hints, 0, 0)
        below.addWidget(find_bar, 0, 0)
        find_bar.setAutoFillBackground(True)
        self._upper = QWidget()
        self.under = Slot()
        self.stack = Splitter(Qt.Orientation.Vertical, self._upper, self.under)
        self.stack.share = self._share_height
        stacked(self._upper, self.row, below, wide=self.row, spacing=0)
        for part in (find_bar, self.under):
            part.installEventFilter(self)
        stacked(self, heading, self._above, self.stack, wide=self.stack, spacing=0)

    def show_mode(self, mode: Mode | None) -> None:
        """Put a mode's parts around the text; the hints are those of annotating, which None is."""
        before, after = mode.beside if mode is not None and mode.beside is not None else (None, None)
        self._wanted_above = mode.above if mode is not None else None
        self._above.show_only(self._wanted_above)
        self._before.show_only(before)
        self._after.show_only(after)
        self._annotates = mode is None
        self._show_hints()
        # While annotating the line stays empty for the bar; a mode needs all the height there is.
        kept = self._find_bar.sizePolicy()
        kept.setRetainSizeWhenHidden(mode is None)
        self._find_bar.setSizePolicy(kept)
        self.arrange()
        self.row.share_out()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Where letters are large for the window, one at a time is open below the text."""
        if event.type() == QEvent.Type.ShowToParent and self._is_low():
            (self.under if watched is self._find_bar else self._find_bar).hide()
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            (self.arrange if watched is self.under else self._show_hints)()
        return False

    def fit_text(self) -> None:
        self.arrange()
        self.row.share_out()

    def wanted_width(self) -> int:
        """The least width in pixels at which lines are as long as they are read best."""
        return self._text.wanted_width()

    def is_narrow(self, width: int, mode: Mode | None) -> bool:
        """Whether lines would have few letters in a column of so many pixels."""
        room = self._share(width)[1] if mode is not None and mode.beside is not None else width
        return room < _FEW * self.wanted_width()

    def _share(self, width: int) -> tuple[int, int, int]:
        """The text has what its lines need, what stands beside it the rest as far as it is of use."""
        letter = self.fontMetrics().averageCharWidth()
        side = within(_BESIDE[0] * letter, (width - self._text.wanted_width()) / 2, _BESIDE[1] * letter)
        side = min(side, round(_INSISTED * width))
        return side, width - 2 * side, side

    def _share_height(self, height: int) -> tuple[int, int]:
        """The text has the greater part; with nothing under it, all."""
        line = self.fontMetrics().lineSpacing()
        low = within(_BELOW[0] * line, _BELOW_SHARE * height, _BELOW[1] * line)
        return height - low, low

    def _show_hints(self) -> None:
        self._hints.setVisible(self._annotates and self._find_bar.isHidden())

    def _is_low(self, lines: int = _LOW) -> bool:
        return self.height() < lines * self.fontMetrics().lineSpacing()

    def _make_room(self) -> None:
        """What is opened below the text has what it needs, if need be instead of what stands above it."""
        text = _LEAST_TEXT * self.fontMetrics().lineSpacing()
        least = max(self._upper.minimumSizeHint().height(), text) + self.under.minimumSizeHint().height()
        above = (self._heading, self._wanted_above) if self._wanted_above is not None else (self._heading,)
        least += sum(part.minimumSizeHint().height() for part in above)
        there = self.under.isHidden() or least <= self.height()
        self._heading.setVisible(there)
        self._above.show_only(self._wanted_above if there else None)

    def arrange(self) -> None:
        """Leave the text its part; what stands above it may need another height for what it shows now."""
        self._make_room()
        low = self._is_low() and not (self._above.isHidden() and self.under.isHidden())
        lowest = self._is_low(_LOWEST)
        self._heading.set_lines(4 if not low else 1 if lowest else 2)
        least = self._above.minimumSizeHint().height()
        self._above.setMaximumHeight(max(least, round(_MOST_ABOVE * self.height())))
        for slot in (self._before, self._after):
            slot.insist(round(_INSISTED * self.width()))
        inset = self._text.inset(self.width())
        if not self._above.isHidden():
            # May be wider than the lines of text, but has all the width only with columns beside the text.
            wide = (self.width() - _WIDE * self.fontMetrics().averageCharWidth()) // 2
            beside = not self._before.isHidden()
            inset = _MARGIN // 2 if beside else max(_MARGIN, min(inset, wide))
            margin = 0 if beside else inset - _MARGIN
            self._above.setContentsMargins(margin, 0, margin, 0)
        self._heading.set_inset(inset)


class Columns(QWidget):
    """Lists left, the report in the middle, what belongs to it right; modes put their own in their places.

    Each mode keeps the sizes that it was given, from one start of the program to the next as well. Lists are
    folded away where the text would have too few letters on a line, and else where the user wants it.
    """

    # Whether the lists are shown now, after the user has shown or hidden them.
    lists_turned = Signal(bool)

    def __init__(
        self,
        preferences: Preferences,
        actions: Actions,
        left: QWidget,
        report: ReportColumn,
        empty: QWidget,
        right: QWidget,
    ) -> None:
        super().__init__()
        self.shapes = Shapes(preferences)
        self._mode: Mode | None = None
        self._parts = left, report, right
        self._empty, self.has_text = empty, True
        self._strip = for_command(UprightButton(), "Lists", actions, _FOLD)
        actions.on(_FOLD, self._turn_lists)
        self._folded, self._narrow = False, False
        self._wanted: dict[ModeId, bool] = {}
        self._left, self._centre, self._right = Slot(left), Slot(report, empty), Slot(right)
        self._whole = Splitter(Qt.Orientation.Horizontal, self._left, self._centre, self._right)
        self._whole.setStretchFactor(1, 1)
        self._whole.share = self._share
        self._annotating: list[int] = []
        stacked(self, self._whole)
        self._restore()

    def fit_text(self) -> None:
        self._parts[1].fit_text()
        self._fold()

    def with_lists(self, call: Callable[[], object]) -> None:
        """Show the lists, and do what is done in them."""
        if self._folded:
            self._want_lists(True)
        call()

    def in_sight(self, part: QWidget) -> QWidget:
        """A part of the lists; while these are folded away, what stands for them."""
        return self._strip if self._folded else part

    def turn_page(self, has_text: bool) -> None:
        """Show the report in the middle, or what to do without one, unless a mode has its own there."""
        self.has_text = has_text
        own = self._mode.centre if self._mode is not None else None
        self._centre.show_only(own if own is not None else self._parts[1] if has_text else self._empty)
        self._fold()

    def show_mode(self, mode: Mode | None) -> None:
        """Show a mode's parts; None is annotating."""
        self.keep()
        self.setUpdatesEnabled(False)
        _, report, right = self._parts
        self._mode = mode
        own = mode.right if mode is not None else None
        hides_right = mode is not None and mode.hides_right
        self._folded = self._settle_fold()
        self._show_left()
        self._right.show_only(own if own is not None else None if hides_right else right)
        report.show_mode(mode)
        self.turn_page(self.has_text)
        self._limit()
        self._restore()
        self.setUpdatesEnabled(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._limit()
        self._fold()

    def event(self, event: QEvent) -> bool:
        """The sides may ask for another width, with the letters of another size for one."""
        if event.type() == QEvent.Type.LayoutRequest and self._limit():
            self._whole.share_out()
        return super().event(event)

    def keep(self) -> None:
        """Keep the sizes, before the size of the interface changes or the project is closed."""
        if self._mode is None and not self._folded:
            self._annotating = [] if self._whole.shape().isEmpty() else self._whole.sizes()
        self.shapes.keep(self._splitters())

    def follow_size(self) -> None:
        """Take the sizes that go with the size of the interface there is now."""
        self.shapes.follow()
        self._annotating = []
        self._limit()
        self._fold()
        self._restore()

    # Inside

    def _turn_lists(self) -> None:
        self._want_lists(self._folded)
        self.lists_turned.emit(not self._folded)

    def _want_lists(self, shown: bool) -> None:
        self._wanted[self._id] = shown
        self._fold()

    @property
    def _id(self) -> ModeId:
        return self._mode.id if self._mode is not None else ""

    def _settle_fold(self) -> bool:
        """Whether to fold: as the user wants, whose word is forgotten when room has come or gone."""
        mode = self._mode
        if not self.has_text or (mode is not None and mode.centre is not None):
            return False
        _, centre, right = self._shared(self.width())
        room = centre + right if mode is not None and mode.hides_right and mode.right is None else centre
        # What a mode has at the left leads through its work.
        narrow = (mode is None or mode.left is None) and self._parts[1].is_narrow(room, mode)
        if narrow != self._narrow:
            self._narrow = narrow
            self._wanted.clear()
        return not self._wanted.get(self._id, not narrow)

    def _fold(self) -> None:
        folded = self._settle_fold()
        if folded != self._folded:
            self.keep()
            focused = QApplication.focusWidget()
            inside = focused is not None and self._left.isAncestorOf(focused)
            self._folded = folded
            self._show_left()
            if folded and inside:
                # What is typed on must not reach the text.
                self._strip.setFocus(Qt.FocusReason.OtherFocusReason)
            self._limit()
            self._restore()

    def _show_left(self) -> None:
        own = self._mode.left if self._mode is not None else None
        self._left.show_only(self._strip if self._folded else own if own is not None else self._parts[0])

    def _limit(self) -> bool:
        """What modes have at the sides gives way to the middle; while annotating the categories do not.

        Whether a side insists on another width than before.
        """
        most = self.width() if self._mode is None else round(_INSISTED * self.width())
        sides = (self._left, self._right)
        before = [slot.minimumWidth() for slot in sides]
        for slot in sides:
            slot.insist(most)
        return before != [slot.minimumWidth() for slot in sides]

    def _share(self, width: int) -> tuple[int, int, int]:
        if not self._folded:
            return self._shared(width)
        strip, (_, _, right) = self._strip.sizeHint().width(), self._shared(width)
        if self._mode is None:
            # What lines need comes before what is of use beside them.
            spare = width - strip - self._parts[1].wanted_width()
            right = max(self._right.minimumWidth(), min(right, spare))
        return strip, width - strip - right, right

    def _shared(self, width: int) -> tuple[int, int, int]:
        """Sides that grow with the window up to what is of use; in a mode, those of annotating."""
        letter = self.fontMetrics().averageCharWidth()
        left = within(_LEFT[0] * letter, _LEFT_SHARE * width, _LEFT[1] * letter)
        least = max(_RIGHT[0] * letter, self._parts[2].sizeHint().width())
        right = within(least, _RIGHT_SHARE * width, max(_RIGHT[1] * letter, least))
        if self._mode is None or self._mode.left is None:
            left = min(left, max(_LISTS * letter, width - right - _TEXT * letter))
        if self._mode is not None:
            # As far as these leave it enough in the middle.
            most = round(_INSISTED * width)
            if self._annotating:
                left, right = self._annotating[0], self._annotating[2]
            left, right = min(left, most), min(right, most)
        return left, width - left - right, right

    def _splitters(self) -> dict[str, Splitter]:
        """By the names of their shapes."""
        folded = " folded" if self._folded else ""
        if self._mode is None:
            return {f"columns{folded}": self._whole, "below": self._parts[1].stack}
        splitters = {f"columns {self._mode.id}{folded}": self._whole}
        if self._mode.beside is not None:
            splitters[f"beside {self._mode.id}"] = self._parts[1].row
        return splitters

    def _restore(self) -> None:
        for name, splitter in self._splitters().items():
            self.shapes.restore(name, splitter)

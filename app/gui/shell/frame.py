"""Which mode is on screen: made when it is entered first, its parts in their places, its keys handed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.gui.dialogs.forms import plain_label
from app.gui.figures.report_figures import ReportFigures
from app.gui.modes import ANNOTATE, MODES
from app.gui.modes.mode import Mode, ModeContext, ModeId
from app.gui.shell.acts.actions import Actions
from app.gui.shell.columns import Columns
from app.gui.shell.lines.mode_bar import ModeBar
from app.gui.widgets.flow import Lettered
from app.gui.widgets.tips import with_key


@dataclass(frozen=True, slots=True)
class Panes:
    """What the focus goes round while annotating, from left to right; modes put their own in the places."""

    lists: tuple[QWidget, ...]
    heading: QWidget
    sides: tuple[QWidget, ...]
    bar: ModeBar
    status: QWidget
    below: QWidget


class Frame(QObject):
    """The modes, and the way from one to another."""

    def __init__(
        self, context: ModeContext, columns: Columns, panes: Panes, go_on: Callable[[], None], parent: QObject
    ) -> None:
        """`go_on` puts the focus where work goes on in the mode on screen."""
        super().__init__(parent)
        self._context, self._columns, self._panes, self._go_on = context, columns, panes, go_on
        self.session, self.actions, self.reader = context.session, context.actions, context.reader
        self.figures = ReportFigures(self.session, context.page, self.actions, columns)
        self._made: dict[ModeId, Mode] = {}
        self.current: ModeId = ANNOTATE.id
        for mode in self.ids:
            self.actions.on(f"mode.{mode}", partial(self.open_mode, mode))
        self._hand_over()
        self._tick()

    @property
    def mode(self) -> Mode | None:
        """The mode on screen, None while annotating."""
        return None if self.current == ANNOTATE.id else self._made[self.current]

    @property
    def ids(self) -> tuple[ModeId, ...]:
        return (ANNOTATE.id, *MODES)

    def open_mode(self, mode: ModeId) -> None:
        """Go to a mode, and put the focus where work goes on in it."""
        self.figures.close()
        if mode != self.current:
            self._turn(mode)
        self._tick()
        self._go_on()

    def open_review(self, name: str) -> None:
        """Go to the mode Review, to review the spans of that name."""
        from app.gui.modes.review.mode import ReviewMode

        review = self._make("review")
        if isinstance(review, ReviewMode):
            # Before it is entered: it would show, on record, whom it showed last.
            review.reviewing.choose(name)
        self.open_mode("review")

    def review_report(self, name: str, key: str) -> None:
        """Open a report, and review in it the spans of that name."""
        session = self.session
        if self.current == "review":
            # It would show, on record, whom it shows now in the report that is opened.
            self.open_mode(ANNOTATE.id)
        session.show_others(())
        if session.report_model.key != key:
            session.open_report(key)

        def turn(_: None) -> None:
            if session.report_model.key == key:
                self.open_review(name)

        # Review shows, on record, what is in the report that is open: not before it is this one.
        session.worker.ask(lambda _: None, turn, latest="report to review")

    def panes(self) -> list[QWidget]:
        """What the focus goes round, from left to right."""
        there, mode = self._panes, self.mode
        lists, sides = there.lists, there.sides
        text: tuple[QWidget | None, ...] = (there.heading, self.reader, there.below)
        if mode is not None:
            before, after = mode.beside or (None, None)
            lists = (mode.left,) if mode.left is not None else lists
            sides = (mode.right,) if mode.right is not None else () if mode.hides_right else sides
            text = (there.heading, mode.above, before, self.reader, after, there.below)
            text = (mode.centre,) if mode.centre is not None else text
        return [pane for pane in (*lists, *text, *sides, there.bar, there.status) if pane is not None]

    @property
    def unsaved(self) -> str:
        """What was written in the modes and is not kept when the project is closed, in words."""
        return " ".join(filter(None, (mode.unsaved for mode in self._made.values())))

    def put_away(self) -> None:
        """Leave the mode on screen, and give all keys back."""
        self.figures.close()
        if self.mode is not None:
            self.mode.leave()
        for mode in self._made.values():
            mode.put_away()
        for place in MODES:
            self.actions.set_place(place, [])
        self.actions.set_place("text", [])

    # Inside

    def _make(self, mode: ModeId) -> Mode:
        make = MODES[mode].make
        if mode not in self._made and make is not None:
            made = self._made[mode] = make(self._context)
            # It hears of nothing any more when its widgets are gone.
            made.setParent(self)
        return self._made[mode]

    def _turn(self, to: ModeId) -> None:
        before = self.mode
        if to != ANNOTATE.id:
            self._make(to)
        if before is not None:
            before.leave()
        self.current = to
        self._columns.show_mode(self.mode)
        self._hand_over()
        if self.mode is not None:
            self.mode.enter()

    def _hand_over(self) -> None:
        """The keys of the mode on screen act, and no others."""
        from app.operations.project.encryption import is_encrypted

        mode, actions = self.mode, self.actions
        actions.set_place("text", [self.reader] if mode is None else [])
        for known in MODES:
            here = [*_widgets(mode), self.reader] if mode is not None and mode.id == known else []
            actions.set_place(known, here)
        # What is done to the report on the page is done while it can be seen.
        seen = mode is None or mode.centre is None
        locked = is_encrypted(self.session.path)
        actions.enable("nothing", "project", *["encryption"] * locked, *["report"] * seen)

    def _tick(self) -> None:
        for mode in self.ids:
            self.actions[f"mode.{mode}"].setChecked(mode == self.current)
        self._panes.bar.show_mode(self.current)


def _widgets(mode: Mode) -> list[QWidget]:
    parts = (mode.left, mode.centre, mode.above, *(mode.beside or ()), mode.right)
    return [part for part in parts if part is not None]


_COLUMNS = 60


class EmptyProject(Lettered, QWidget):
    """Says what this place is for, and what to do; the list beside it has the button."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        bring = with_key("Import case reports", actions.key("project.import"))
        paste = with_key("paste one", actions.key("project.paste"))
        self.words = plain_label(
            f"Reports are read and annotated here.\n\n{bring}, {paste}, or drop files and folders on this "
            "window: PDF, Word, saved web pages, JATS XML, plain text and more. Their text is frozen as it "
            "is, and nothing leaves this computer."
        )

        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addWidget(self.words, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self.fit_letters()

    def fit_letters(self) -> None:
        width = self.words.fontMetrics().averageCharWidth() * _COLUMNS
        self.words.setFixedSize(width, self.words.heightForWidth(width))


def step_pane(panes: Sequence[QWidget], step: int) -> None:
    """Put the focus into the next pane (1) or the previous one (-1) that takes it."""
    focused = QApplication.focusWidget()
    here = next((number for number, pane in enumerate(panes) if _holds(pane, focused)), 0)
    for offset in range(1, len(panes) + 1):
        if _reached(panes[(here + step * offset) % len(panes)]):
            return


def _holds(pane: QWidget, widget: QWidget | None) -> bool:
    return widget is not None and (pane is widget or pane.isAncestorOf(widget))


def _reached(pane: QWidget) -> bool:
    """Put the focus where the pane itself says, else on its first part that takes it by Tab, if any."""
    if not pane.isVisible():
        return False
    part = _first(pane)
    take_focus = getattr(pane, "take_focus", None)
    if take_focus is not None:
        take_focus()
        there = pane.window().focusWidget()
        if there is not None and there.isVisible() and _holds(pane, there):
            return True
    if part is not None:
        part.setFocus(Qt.FocusReason.TabFocusReason)
    return part is not None


def _first(pane: QWidget) -> QWidget | None:
    part: QWidget | None = pane
    while part is not None and not _takes(part):
        after = part.nextInFocusChain()
        part = after if after is not None and pane.isAncestorOf(after) else None
    return part


def _takes(part: QWidget) -> bool:
    by_tab = part.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(by_tab) and part.isEnabled() and part.isVisible()

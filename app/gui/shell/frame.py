"""Which mode is on screen: made when it is entered first, its parts in their places, its keys handed over."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.gui.modes.mode import Mode, ModeContext, ModeId, OtherId

if TYPE_CHECKING:
    from app.gui.modes.annotate.editing import Editing
    from app.gui.reader.report_page import Page
    from app.gui.reader.view import Reader
    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.actions import Actions
    from app.gui.shell.preferences import Preferences
    from app.gui.shell.workbench import Workbench


def _review(context: ModeContext) -> Mode:
    from app.gui.modes.review.mode import ReviewMode

    return ReviewMode(context)


def _agreement(context: ModeContext) -> Mode:
    from app.gui.modes.agreement.mode import AgreementMode

    return AgreementMode(context)


def _reconcile(context: ModeContext) -> Mode:
    from app.gui.modes.reconcile.mode import ReconcileMode

    return ReconcileMode(context)


# In the order of the bar; each is made, and what it needs loaded, when it is entered first.
FACTORIES: dict[OtherId, Callable[[ModeContext], Mode]] = {
    "review": _review,
    "agreement": _agreement,
    "reconcile": _reconcile,
}


class Frame(QObject):
    """The context that modes work at, and the way from one to another."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._made: dict[OtherId, Mode] = {}
        self.current: ModeId = "annotate"
        for mode in self.ids:
            self.actions.on(f"mode.{mode}", partial(self.open_mode, mode))
        self._hand_over()
        self._tick()

    @property
    def session(self) -> ProjectSession:
        """The open project."""
        return self._workbench.session

    @property
    def actions(self) -> Actions:
        """All commands."""
        return self._workbench.actions_

    @property
    def preferences(self) -> Preferences:
        """What the user has chosen."""
        return self._workbench.preferences

    @property
    def page(self) -> Page:
        """What the reader shows of the open report."""
        return self._workbench.page

    @property
    def reader(self) -> Reader:
        """The text of the open report."""
        return self._workbench.reader

    @property
    def editing(self) -> Editing:
        """What the keys of the text do."""
        return self._workbench.editing

    @property
    def mode(self) -> Mode | None:
        """The mode on screen, None while annotating."""
        return None if self.current == "annotate" else self._made[self.current]

    @property
    def ids(self) -> tuple[ModeId, ...]:
        """All modes, as the bar lists them."""
        return ("annotate", *FACTORIES)

    def open_mode(self, mode: ModeId) -> None:
        """Go to a mode, and put the focus where work goes on in it."""
        if mode != self.current:
            self._turn(mode)
        self._tick()
        self._workbench.go_on()

    def open_review(self, name: str) -> None:
        """Go to the mode Review, to review the spans of that name."""
        from app.gui.modes.review.mode import ReviewMode

        review = self._make("review")
        if isinstance(review, ReviewMode):
            # Before it is entered: it would show, on record, whom it showed last.
            review.reviewing.choose(name)
        self.open_mode("review")

    def panes(self) -> list[QWidget]:
        """What the focus goes round, from left to right."""
        context, mode = self._workbench, self.mode
        lists: list[QWidget] = [context.reports, context.outline]
        sides: list[QWidget] = [context.palette_, context.guideline, context.inspector]
        text: list[QWidget | None] = [context.heading, context.reader]
        if mode is not None:
            before, after = mode.beside or (None, None)
            lists = [mode.left] if mode.left is not None else lists
            sides = [mode.right] if mode.right is not None else [] if mode.hides_right else sides
            text = [context.heading, mode.above, before, context.reader, after]
            text = [mode.centre] if mode.centre is not None else text
        return [pane for pane in (*lists, *text, *sides, context.modes, context.status) if pane is not None]

    def put_away(self) -> None:
        """Leave the mode on screen, and give all keys back."""
        if self.mode is not None:
            self.mode.leave()
        for mode in self._made.values():
            mode.put_away()
        for place in FACTORIES:
            self.actions.set_place(place, [])
        self.actions.set_place("text", [])

    # Inside

    def _make(self, mode: OtherId) -> Mode:
        if mode not in self._made:
            made = self._made[mode] = FACTORIES[mode](self)
            if isinstance(made, QObject):
                # It hears of nothing any more when its widgets are gone.
                made.setParent(self)
        return self._made[mode]

    def _turn(self, to: ModeId) -> None:
        before = self.mode
        if to != "annotate":
            self._make(to)
        if before is not None:
            before.leave()
        self.current = to
        self._workbench.columns.show_mode(self.mode)
        self._hand_over()
        if self.mode is not None:
            self.mode.enter()

    def _hand_over(self) -> None:
        """The keys of the mode on screen act, and no others."""
        mode, actions = self.mode, self.actions
        actions.set_place("text", [self.reader] if mode is None else [])
        for known in FACTORIES:
            here = [*_widgets(mode), self.reader] if mode is not None and mode.id == known else []
            actions.set_place(known, here)
        # What is done to the report on the page is done while it can be seen.
        seen = mode is None or mode.centre is None
        actions.enable("nothing", "project", *(["report"] if seen else []))

    def _tick(self) -> None:
        for mode in self.ids:
            self.actions[f"mode.{mode}"].setChecked(mode == self.current)
        self._workbench.modes.show_mode(self.current)


def _widgets(mode: Mode) -> list[QWidget]:
    parts = (mode.left, mode.centre, mode.above, *(mode.beside or ()), mode.right)
    return [part for part in parts if part is not None]

"""The mode Review: two columns of quotes beside the text, and the keys that judge them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.gui.modes.review.columns import Columns
from app.gui.modes.review.edit_item import Taking
from app.gui.modes.review.reviewing import ReviewSession
from app.gui.modes.review.strip import Strip
from app.gui.reader.palette import PagePalette, page_palette
from app.gui.shell.theme import is_contrast, is_dark
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from app.gui.modes.mode import Bench, OtherId


class ReviewMode(QObject):
    """Shows the reviewed spans in the text while it is on screen; others' that were shown before return."""

    id: OtherId = "review"
    left: QWidget | None = None
    centre: QWidget | None = None
    right: QWidget | None = None
    hides_right = True

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench, self._desk, self._actions = bench, bench.desk, bench.actions
        self._before: tuple[str, ...] = ()
        self.session = ReviewSession(bench.desk, bench.page, bench.actions, self)
        self.taking = Taking(self.session, bench.page, bench.desk.scheme, bench.preferences, self)
        self.columns = Columns(
            self.session,
            bench.desk.scheme,
            bench.actions,
            bench.reader,
            self._colours(),
            bench.desk.annotator,
        )
        self.strip = Strip(self.session, self.taking, bench.desk.scheme, bench.actions)
        self.above: QWidget | None = self.strip
        self.beside: tuple[QWidget, QWidget] | None = (self.columns.own, self.columns.theirs)
        for command, call in self._commands().items():
            bench.actions.on(command, call)
        for polarity in POLARITIES:
            bench.actions.on(f"review.{polarity}", partial(self.taking.set_polarity, polarity))
        # Escape is nobody's to give away; while nothing is being edited it is the text's.
        parts = (bench.reader, self.strip, *self.beside)
        self._escapes = [QShortcut(QKeySequence("Esc"), part) for part in parts]
        for escape in self._escapes:
            escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            escape.activated.connect(self.taking.give_up)
        self.taking.changed.connect(self._escape)
        self._escape()
        bench.preferences.changed.connect(self._prefer)
        bench.desk.annotator_changed.connect(self.columns.own.title.say)
        self.columns.theirs.whose.activated.connect(lambda _: bench.reader.setFocus())

    def enter(self) -> None:
        """Show what is to be reviewed, once somebody's set was chosen."""
        self._before = self._desk.showing
        self.session.enter()
        self.strip.tell()

    def leave(self) -> None:
        """Give up what is being edited, and show whom was shown before."""
        if self.taking.draft is not None:
            self.taking.give_up()
            self._desk.said.emit("The quote that was being edited was left as it is.")
        self.session.leave()
        if self._desk.showing != self._before:
            self._desk.show_others(self._before)

    def take_focus(self) -> None:
        """Into the text, or where there is nothing to judge yet, to what can be done about it."""
        if self.session.run in self.session.here:
            self._bench.reader.setFocus()
        else:
            self.columns.theirs.take_focus()

    def put_away(self) -> None:
        """Speak to nobody any more."""
        self.session.leave()

    def _commands(self) -> dict[str, Callable[[], object]]:
        session, taking = self.session, self.taking
        return {
            "review.accept": self._unless_busy(lambda: session.judge("accepted")),
            "review.reject": self._unless_busy(lambda: session.judge("rejected")),
            "review.edit": taking.begin,
            "review.next": self._unless_busy(session.next),
            "review.previous": self._unless_busy(session.previous),
            "review.same": self._unless_busy(session.accept_same),
            "review.next_report": self._unless_busy(session.open_next_report),
            "review.take": lambda: taking.finish() if taking.draft is not None else session.judge("accepted"),
            "review.category": self._pick(self.strip.pick_category),
            "review.field": self._pick(self.strip.pick_field),
            "review.end_on": lambda: taking.nudge(0, 1),
            "review.end_back": lambda: taking.nudge(0, -1),
            "review.start_back": lambda: taking.nudge(-1, 0),
            "review.start_on": lambda: taking.nudge(1, 0),
        }

    def _escape(self) -> None:
        for escape in self._escapes:
            escape.setEnabled(self.taking.draft is not None)

    def _unless_busy(self, call: Callable[[], object]) -> Callable[[], object]:
        return lambda: None if self.taking.busy() else call()

    def _pick(self, menu: Callable[[], object]) -> Callable[[], object]:
        """Only what is being edited can be given something else."""
        return lambda: menu() if self.taking.draft is not None else None

    def _colours(self) -> PagePalette:
        theme = self._bench.preferences.theme
        return page_palette(self._desk.scheme, is_dark(theme), is_contrast(theme))

    def _prefer(self, name: str) -> None:
        if name == "theme":
            self.columns.set_page_palette(self._colours())
        self.columns.set_font()

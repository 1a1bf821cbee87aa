"""The mode Review: two columns of quotes beside the text, and the keys that judge them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from app.gui.modes.mode import Mode, ModeContext
from app.gui.modes.review.columns import Columns
from app.gui.modes.review.reviewing import ReviewSession
from app.gui.modes.review.strip import ItemEdit, Strip
from app.gui.widgets.swatch import theme_colours
from extractors.model.finding import POLARITIES

_ABANDONED = "The quote that was being edited was left as it is."


class ReviewMode(Mode):
    """Shows the reviewed spans in the text while it is on screen; others' that were shown before return."""

    id = "review"
    hides_right = True

    def __init__(self, context: ModeContext) -> None:
        super().__init__()
        self._context, self._session, self._actions = context, context.session, context.actions
        self._before: tuple[str, ...] = ()
        self.reviewing = ReviewSession(context.session, context.page, context.actions, self)
        self.item_edit = ItemEdit(
            self.reviewing, context.page, context.session.scheme, context.preferences, self
        )
        self.columns = Columns(
            self.reviewing,
            context.session.scheme,
            context.actions,
            context.reader,
            theme_colours(context.session.scheme, context.preferences.theme),
            context.session.annotator,
        )
        self.strip = Strip(self.reviewing, self.item_edit, context.session.scheme, context.actions)
        self.above = self.strip
        self.beside = (self.columns.own, self.columns.theirs)
        for command, call in self._commands().items():
            context.actions.on(command, call)
        for polarity in POLARITIES:
            put = partial(self.item_edit.set_polarity, polarity)
            context.actions.on(f"review.{polarity}", self._of_an_edit(put))
        # Escape is nobody's to give away; while nothing is being edited it is the text's.
        parts = (context.reader, self.strip, *self.beside)
        self._escapes = [QShortcut(QKeySequence("Esc"), part) for part in parts]
        for escape in self._escapes:
            escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            escape.activated.connect(self.item_edit.give_up)
        self.item_edit.changed.connect(self._escape)
        self.item_edit.abandoned.connect(lambda: self._session.message.emit(_ABANDONED))
        self._escape()
        context.preferences.changed.connect(self._prefer)
        context.session.annotator_changed.connect(self.columns.own.title.say)
        self.columns.theirs.choice.activated.connect(lambda _: context.reader.setFocus())

    @property
    def unsaved(self) -> str:
        """An edit of a quote that was begun."""
        return "The quote that is being edited is not taken over yet." if self.item_edit.draft else ""

    def enter(self) -> None:
        """Show what is to be reviewed, once somebody's set was chosen."""
        self._before = self._session.showing
        self.reviewing.enter()
        self.strip.refresh()

    def leave(self) -> None:
        """Give up what is being edited, and show whom was shown before."""
        self.item_edit.leave()
        self.reviewing.leave()
        if self._session.showing != self._before:
            self._session.show_others(self._before)

    def take_focus(self) -> None:
        """Into the text, or where there is nothing to judge yet, to what can be done about it."""
        if self.reviewing.run in self.reviewing.here:
            self._context.reader.setFocus()
        else:
            self.columns.theirs.take_focus()

    def _commands(self) -> dict[str, Callable[[], object]]:
        reviewing, item_edit = self.reviewing, self.item_edit
        return {
            "review.accept": self._unless_busy(lambda: reviewing.judge("accepted")),
            "review.both": self._unless_busy(reviewing.keep_both),
            "review.reject": self._unless_busy(lambda: reviewing.judge("rejected")),
            "review.edit": item_edit.begin,
            "review.next": self._unless_busy(reviewing.next),
            "review.previous": self._unless_busy(reviewing.previous),
            "review.same": self._unless_busy(reviewing.accept_same),
            "review.next_report": self._unless_busy(reviewing.open_next_report),
            "review.take": lambda: (
                item_edit.finish() if item_edit.draft is not None else reviewing.judge("accepted")
            ),
            "review.category": self._of_an_edit(self.strip.pick_category),
            "review.field": self._of_an_edit(self.strip.pick_field),
            "review.end_on": self._of_an_edit(partial(item_edit.nudge, 0, 1)),
            "review.end_back": self._of_an_edit(partial(item_edit.nudge, 0, -1)),
            "review.start_back": self._of_an_edit(partial(item_edit.nudge, -1, 0)),
            "review.start_on": self._of_an_edit(partial(item_edit.nudge, 1, 0)),
        }

    def _escape(self) -> None:
        for escape in self._escapes:
            escape.setEnabled(self.item_edit.draft is not None)

    def _unless_busy(self, call: Callable[[], object]) -> Callable[[], object]:
        return lambda: None if self.item_edit.busy() else call()

    def _of_an_edit(self, call: Callable[[], object]) -> Callable[[], object]:
        """Only what is being edited can be given something else."""
        return lambda: None if self.item_edit.idle() else call()

    def _prefer(self, name: str) -> None:
        if name == "theme":
            theme = self._context.preferences.theme
            self.columns.set_page_palette(theme_colours(self._session.scheme, theme))
        self.columns.set_font()

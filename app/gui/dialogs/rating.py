"""Rate outputs one after the other, blind if wished, and see the means."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.gui.dialogs.forms import FormDialog, Role
from app.gui.dialogs.watching import busy_sentence
from app.gui.modes.review.rating.page import RatingPage, ResultsPage, StartPage
from app.gui.widgets.boxes import Tabs, pages_of
from app.operations.rate.ratings import (
    Output,
    RatedState,
    ShownOutput,
    following,
    list_outputs,
    list_sets,
    rate_output,
    remove_rating,
    show_output,
)
from app.operations.rate.sheets import list_items
from app.text import counted
from extractors.model.errors import CasespanError

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project

_COLUMNS, _LINES = 190, 46
_SCREEN_SHARE = 0.92
_DIGITS = range(Qt.Key.Key_0, Qt.Key.Key_6)
_REFUSED = "This output could not be shown or rated: it, or its report, is not there as it was. Start again."


class RatingDialog(FormDialog):
    """What is said of an output is saved whenever it is left, also by closing."""

    guide = "review"

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__("Rate a run", parent)
        self._session = session
        self.outputs: tuple[Output, ...] = ()
        self.shown: Output | None = None
        self._before: tuple[dict[str, int], str] = ({}, "")
        self._lost: dict[tuple[str, str], tuple[dict[str, int], str]] = {}
        self._not_saved = ""
        self._asked = 0
        self.start = StartPage(session.annotator)
        self.page = RatingPage()
        self.results = ResultsPage(session, self.say)
        self._pages = pages_of(self.start, self.page)
        self.tabs = Tabs("Rate, or see the means")
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._pages, "Ra&te")
        self.tabs.addTab(self.results, "&Means")
        self.body.addWidget(self.tabs, 1)
        self.settings_button = self.add_button("&Sets to rate…", Role.ActionRole, self._go_back)
        self.previous_button = self.add_button("&Previous", Role.ActionRole, self._previous)
        self.next_button = self.add_button("Be&gin", Role.ActionRole, self._next, default=True)
        self.add_button("&Close", Role.RejectRole)
        self.start.changed.connect(self._count)
        self.start.form.box("rater", QLineEdit).textChanged.connect(lambda _: self._offer())
        self.tabs.currentChanged.connect(lambda _: self._turn())
        self._offer()
        self._turn()

    @property
    def blind(self) -> bool:
        return self.start.form.value.blind

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        wanted = QSize(metrics.averageCharWidth() * _COLUMNS, metrics.lineSpacing() * _LINES)
        return wanted.boundedTo(self.screen().availableSize() * _SCREEN_SHARE)

    def done(self, result: int) -> None:
        self._save()
        super().done(result)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits rate from wherever nothing is typed."""
        commands = (
            event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.ShiftModifier
        )
        if not commands and self._rating() and event.key() in _DIGITS:
            self.page.scale.take_key(event.key())
        else:
            super().keyPressEvent(event)

    # What there is to rate

    def _offer(self) -> None:
        name = self.start.name()
        self._session.worker.ask(lambda p: list_sets(p, name), self.start.put, self.say, latest="rated sets")

    def _count(self) -> None:
        """Read the outputs of those chosen, and how many are rated."""
        name, runs, blind = self.start.name(), self.start.chosen(), self.blind
        self._asked += 1
        self.say("" if name else "Enter the name of the rater.")
        if not runs or not name:
            self._list(self._asked, ())
            return
        self._session.worker.ask(
            lambda p: list_outputs(p, name, runs, blind=blind),
            partial(self._list, self._asked),
            partial(self._refuse, self._asked),
            latest="rated outputs",
        )

    def _list(self, asked: int, outputs: tuple[Output, ...]) -> None:
        if asked == self._asked:
            self.outputs = outputs
            self._show_words()

    def _refuse(self, asked: int, sentence: str) -> None:
        if asked == self._asked:
            self._list(asked, ())
            self._complain(sentence)

    def _show_words(self) -> None:
        whole = sum(one.state == "rated" for one in self.outputs)
        partial = sum(one.state == "partial" for one in self.outputs)
        words = f"{whole} of {counted(len(self.outputs), 'output')} rated"
        words += f", {partial} in part" if partial else ""
        self.start.progress.setText(words + ".")
        blind = " · blind" if self.blind else ""
        self.page.progress.say(f"{words}{blind}")
        self._allow()

    # One output after the other

    def _rating(self) -> bool:
        return self.tabs.currentIndex() == 0 and self._pages.currentWidget() is self.page

    def _next(self) -> None:
        if not self._rating():
            first = following(self.outputs, None) or next(iter(self.outputs), None)
            if first is not None:
                self._show(first)
            return
        self._save()
        after = (self.shown.report, self.shown.run) if self.shown else None
        found = following(self.outputs, after)
        if found is not None:
            self._show(found)
        else:
            self.say("There is no other output left to rate. “Previous” goes back to those you have rated.")

    def _previous(self) -> None:
        self._save()
        place = self._place()
        if place > 0:
            self._show(self.outputs[place - 1])

    def _place(self) -> int:
        """Where the output that is shown stands in the list, -1 for nowhere."""
        shown = (self.shown.report, self.shown.run) if self.shown else None
        return next((n for n, one in enumerate(self.outputs) if (one.report, one.run) == shown), -1)

    def _show(self, output: Output) -> None:
        name, annotates = self.start.name(), self.start.name() == self._session.annotator
        self.next_button.setEnabled(False)

        def read(project: Project) -> ShownOutput | str:
            try:
                return show_output(project, name, output.run, output.report, annotates=annotates)
            except CasespanError as error:
                return str(error)

        self.page.scale.hold()
        self._not_saved = ""
        self.say(busy_sentence(self._session))
        # The look goes on record.
        self._session.worker.note(read, partial(self._put, output))

    def _put(self, output: Output, shown: ShownOutput | str) -> None:
        if isinstance(shown, str):
            self._go_back()
            self._count()
            self._complain(shown)
            return
        self.shown = output
        self._pages.setCurrentWidget(self.page)
        self.page.put(output, shown, self._session.scheme)
        self._before = (self.page.scores(), self.page.note_text())
        self._complain(self._not_saved)
        lost = self._lost.get((output.report, output.run))
        if lost is not None:
            self.page.restore(*lost)
        self._turn()
        self.page.scale.release()

    def _save(self) -> None:
        """Save what was said of the output that is shown, if that is something new."""
        now = (self.page.scores(), self.page.note_text())
        if self.shown is None or now == self._before:
            return
        self._before = now
        scores, note = now
        name, blind, output = self.start.name(), self.blind, self.shown

        def change(project: Project) -> None:
            if scores or note:
                rate_output(project, name, output.run, output.report, scores, note, blind=blind)
            else:
                remove_rating(project, name, output.run, output.report)

        state: RatedState = "unrated"
        if scores or note:
            state = "rated" if len(scores) == len(list_items()) else "partial"
        self._lost.pop((output.report, output.run), None)
        self._mark(state)
        self._session.worker.act(change, lambda _: None, partial(self._lose, output, now))

    def _lose(self, output: Output, said: tuple[dict[str, int], str], sentence: str) -> None:
        self._lost[output.report, output.run] = said
        self._count()
        self._not_saved = f"The rating of {output.label} in {output.report} was not saved. {sentence}"
        self._complain(self._not_saved)

    def _mark(self, state: RatedState) -> None:
        place = self._place()
        self.outputs = tuple(
            replace(one, state=state) if number == place else one for number, one in enumerate(self.outputs)
        )
        self._show_words()

    def _complain(self, sentence: str) -> None:
        """Say why not; a blind rater is told no more than that where a name stands in it."""
        named = self.blind and any(name in sentence for name in self.start.names())
        self.say(_REFUSED if named else sentence)

    def _go_back(self) -> None:
        self._save()
        self.shown = None
        self._pages.setCurrentWidget(self.start)
        self._turn()

    # What can be done now

    def _turn(self) -> None:
        if self.tabs.currentWidget() is self.results:
            self._save()
            self.results.read(hidden=self.blind)
        self.next_button.setText("Save and ne&xt" if self._rating() else "Be&gin")
        self._allow()

    def _allow(self) -> None:
        rating = self._rating()
        self.next_button.setEnabled(
            rating or (self.tabs.currentWidget() is self._pages and bool(self.outputs))
        )
        self.previous_button.setEnabled(rating and self._place() > 0)
        self.settings_button.setEnabled(rating)

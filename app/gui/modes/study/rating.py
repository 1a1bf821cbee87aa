"""The page on which a person rates answers by keyboard, one after the other, blind to whose they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QWidget

from app.gui.dialogs.forms import GRID, plain_label
from app.gui.figures.row import PictureRow
from app.gui.modes.study.item_text import ItemText, input_parts, shown_pictures
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.boxes import lined, push_button, split, stacked
from app.operations.study.answers import in_words
from app.operations.study.judging import ToRate, next_to_rate, rate_answer
from app.operations.study.running import StudyOptions
from app.studies.study import Rubric, Study
from app.text import as_label, counted

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_EMPTY = "Answers that a rubric speaks of come here, those of models, methods and people alike."
_UNSPOKEN = ("evidence", "report", "cut")
_CLEARS = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)


class KeyedList(QListWidget):
    """Keys of its own are its before they are commands of the mode; `given` comes with Return."""

    given = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # By whole rows, the first would be out of sight above an empty place for it.
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)

    def act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key typed with no more than Shift does here, None for nothing."""
        raise NotImplementedError

    def _act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        plain = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        return None if event.modifiers() & ~plain else self.act_of(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._act_of(event) is not None:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._act_of(event)
        if act is not None:
            # One that is held would go on to what comes next.
            if not event.isAutoRepeat():
                act()
        elif event.key() in ENTER:
            self.given.emit()
        else:
            super().keyPressEvent(event)


class Criteria(KeyedList):
    """What is asked of an answer: a value's key gives it to the criterion in view and goes to the next.

    Yes and no are Y and N, numbers their digits; Backspace takes a value back.
    """

    def __init__(self) -> None:
        super().__init__("Criteria")
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self._rubric: Rubric | None = None
        self.values: dict[str, Any] = {}

    def put(self, rubric: Rubric, given: Mapping[str, Any]) -> None:
        """Ask for these, the first that has no value in view."""
        self._rubric, self.values = rubric, {name: given.get(name) for name in rubric.criteria}
        self.clear()
        self.addItems([self._words(name) for name in self.values])
        names = list(self.values)
        self.setCurrentRow(next((row for row, one in enumerate(names) if self.values[one] is None), 0))

    def act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Give the criterion in view the value that the key stands for, or none again."""
        name = self._name
        if name is None or self._rubric is None:
            return None
        if event.key() in _CLEARS:
            return partial(self._give, None)
        typed = event.text().casefold()
        for value in self._rubric.criteria[name] if typed else ():
            if typed == in_words(value)[:1]:
                return partial(self._give, value)
        return None

    def _give(self, value: Any) -> None:  # noqa: ANN401 (a value of the scale)
        name, row = self._name, self.currentRow()
        if name is None:
            return
        self.values[name] = value
        self.item(row).setText(self._words(name))
        if value is not None and row + 1 < self.count():
            self.setCurrentRow(row + 1)

    @property
    def _name(self) -> str | None:
        row = self.currentRow()
        return list(self.values)[row] if 0 <= row < len(self.values) else None

    def _words(self, name: str) -> str:
        if self._rubric is None:
            return ""
        called, about = self._rubric.called(name), self._rubric.about.get(name, "")
        value = self.values.get(name)
        words = in_words(value).upper() if value is not None else "–"
        return f"{words}   {called}\n{about}".rstrip()


class RatePage(QWidget):
    """`rated` has the answer that was in view and the values given to it; `passed` one left for later."""

    rated = Signal(object, object)
    passed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.to_rate: ToRate | None = None
        self.progress, self._hint = plain_label(name="How far you are"), plain_label()
        self.pictures = PictureRow("Pictures of the case")
        self.text = ItemText("Case, reference and answer")
        self.criteria = Criteria()
        self.save, self.later = push_button("Save and next", self._save), push_button("&Later", self._pass)
        case = QWidget()
        stacked(case, self.text, self.pictures, wide=self.text)
        parts = split(Qt.Orientation.Horizontal, case, self.criteria, shares=(3, 2))
        buttons = lined(None, self._hint, self.later, self.save, wide=self._hint)
        stacked(self, self.progress, parts, buttons, wide=parts, margins=(GRID,) * 4)
        self.criteria.given.connect(self._save)
        self.show_answer("", None)

    def take_focus(self) -> None:
        (self.criteria if self.to_rate is not None else self.text).setFocus()

    def show_answer(self, rater: str, to_rate: ToRate | None) -> None:
        """Ask for a rating of this, or say that there is none; what is in view already stays as it is."""
        now = self.to_rate
        if now is not None and to_rate is not None and (now.id, now.given) == (to_rate.id, to_rate.given):
            return
        self.to_rate = to_rate
        if now is not None and to_rate is None and self.isVisible():
            self.take_focus()  # what has it goes
        for part in (self.criteria, self.save, self.later):
            part.setVisible(to_rate is not None)
        if to_rate is None:
            self.progress.setText(f"Nothing is left for {rater} to rate." if rater else "")
            self.pictures.put(())
            self.text.put([("", _EMPTY)])
            self._hint.setText("")
            return
        row = to_rate.answer.row
        self.progress.setText(
            f"{rater} rates: {counted(to_rate.left, 'answer')} left. This is {to_rate.label}; whose it is "
            "stays hidden."
        )
        self.pictures.put(shown_pictures(row.item.input))
        reference = "\n".join(
            f"{as_label(name)}: {in_words(one)}" for name, one in _spoken(row.item.reference).items()
        )
        self.text.put(
            [
                (f"Answer: {to_rate.label}", in_words(row.value)),
                ("Reference", reference),
                *input_parts(row.item.input),
            ]
        )
        self.criteria.put(to_rate.rubric, to_rate.given)
        keys = "Y yes, N no" if _of_words(to_rate) else "digits give values"
        self._hint.setText(f"{keys} · Backspace takes back · Enter saves")
        if self.isVisible():
            self.take_focus()

    def _save(self) -> None:
        if self.to_rate is not None:
            self.rated.emit(self.to_rate, dict(self.criteria.values))

    def _pass(self) -> None:
        if self.to_rate is not None:
            self.passed.emit(self.to_rate)


def _spoken(reference: Mapping[str, Any]) -> dict[str, Any]:
    """What of a reference a rater needs, the answer first; where it is from may tell more than the case."""
    fields = {name: value for name, value in reference.items() if value and name not in _UNSPOKEN}
    return dict(sorted(fields.items(), key=lambda one: one[0] != "answer"))


def _of_words(to_rate: ToRate) -> bool:
    return all(isinstance(value, bool) for scale in to_rate.rubric.criteria.values() for value in scale)


class Rating(QObject):
    """What the page asks of the project: the next answer, and what was said of the last."""

    def __init__(
        self,
        session: ProjectSession,
        page: RatePage,
        study: Callable[[], Study | None],
        options: Callable[[Study], StudyOptions],
    ) -> None:
        super().__init__(page)
        self._session, self._page, self._study, self._options = session, page, study, options
        self._passed: list[tuple[str, str]] = []  # by whom, and which answer
        self._hidden = ""
        page.rated.connect(self._keep)
        page.passed.connect(self._pass)

    def ask(self, hidden: str = "") -> None:
        """What the person is to rate next; nothing where a sentence says why it is `hidden`."""
        study, rater = self._study(), self._session.annotator
        passed = [answer for who, answer in self._passed if who == rater]
        self._hidden = hidden
        if hidden:
            self._refuse(hidden)
        if study is None or hidden:
            return
        options = self._options(study)

        def show(found: ToRate | str | None) -> None:
            if study is not self._study() or self._hidden:
                return
            if isinstance(found, str):
                self._refuse(found)
            else:
                self._page.show_answer(rater, found)

        self._session.worker.ask(
            lambda p: next_to_rate(p, study, rater, options, passed), show, show, latest="to rate"
        )

    def _refuse(self, sentence: str) -> None:
        self._page.show_answer("", None)
        self._page.progress.setText(sentence)

    def _keep(self, to_rate: ToRate, given: Mapping[str, Any]) -> None:
        study, rater = self._study(), self._session.annotator
        if study is None:
            return
        if None in given.values():
            self._put_last(to_rate)
        self._session.worker.act(
            lambda p: rate_answer(p, study, rater, to_rate.run, to_rate.answer, given, blind=True),
            lambda _: self.ask(),
        )

    def _pass(self, to_rate: ToRate) -> None:
        self._put_last(to_rate)
        self.ask()

    def _put_last(self, to_rate: ToRate) -> None:
        last = self._session.annotator, to_rate.id
        self._passed = [*(one for one in self._passed if one != last), last]

"""The page on which a person answers: the item, its options, all by keyboard."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListWidgetItem, QPlainTextEdit, QProgressBar, QPushButton, QSizePolicy, QWidget

from app.gui.dialogs.forms import GRID, named, plain_label
from app.gui.figures.row import PictureRow
from app.gui.modes.study.item_text import CHOICES, ItemText, input_parts, options_of, shown_pictures
from app.gui.modes.study.rating import ENTER, KeyedList
from app.gui.modes.study.start import StartPage
from app.gui.widgets.boxes import lined, lines_high, push_button, stacked
from app.gui.widgets.flow import Fitted
from app.gui.widgets.tips import explain
from app.text import counted
from extractors.tasks import choice
from extractors.tasks.forms import Choice, Ranking

if TYPE_CHECKING:
    from app.operations.study.people import Question
    from app.studies.study import Study
    from extractors.tasks.base import Form

_KEY = Qt.ItemDataRole.UserRole
_MOST_LINES, _LEAST_LINES, _LINES, _NARROW_LINES = 20, 6, 5, 2
_LARGER, _ROW = 1.15, 6
_IDK_KEY = "K"
_QUESTION, _FEW_LINES = 1.6, 24


class Options(KeyedList):
    """The options of a choice: a digit or an option's own letter takes it, Space ticks one of several, Enter
    answers with what is taken; K or 0 is "I do not know", where that is offered. `given` has come with Enter
    or a double click, `back` with Backspace, `parked` with P."""

    back = Signal()
    parked = Signal()

    def __init__(self) -> None:
        super().__init__("Options")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setStyleSheet(f"QListWidget::item {{ padding: {_ROW}px 0; }}")
        self._several = False
        self._idk = ""
        self.itemDoubleClicked.connect(lambda _: self.given.emit())
        self.itemChanged.connect(self._alone)

    def put(self, form: Choice | choice.Options, given: object = None, *, idk: bool = True) -> None:
        """Show the options, taken what was `given` before; `idk` where "I do not know" is one."""
        self.clear()
        self._several = form.several
        lettered = isinstance(form, choice.Options)
        words = options_of(form, idk=idk)
        self._idk = form.idk if isinstance(form, choice.Options) and idk else ""
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _LARGER)
        taken = given if isinstance(given, list) else [given]
        for place, (key, value) in enumerate(words.items(), start=1):
            shown = _IDK_KEY if key == self._idk else key
            named = key if key == value else f"{shown}   {value}"
            item = QListWidgetItem(named if lettered or key.isdigit() or place > 9 else f"{place}   {named}")
            item.setData(_KEY, key)
            item.setFont(font)
            if form.several:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if key in taken else Qt.CheckState.Unchecked)
            self.addItem(item)
            if key in taken:
                self.setCurrentItem(item)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as the options, up to some lines of them."""
        width = super().sizeHint().width()
        metrics = QFontMetrics(self.item(0).font()) if self.count() else self.fontMetrics()
        wrap = Qt.TextFlag.TextWordWrap.value
        # Beside the words there are the box, and the bar where it is needed.
        room = QRect(0, 0, max(self.width() - 2 * metrics.horizontalAdvance("0000"), 1), 10_000)
        texts = [self.item(row).text() for row in range(self.count())]
        rows = sum(metrics.boundingRect(room, wrap, text).height() + GRID // 2 + 2 * _ROW for text in texts)
        return QSize(width, min(rows + 2 * self.frameWidth() + GRID, lines_high(self, _MOST_LINES)))

    def minimumSizeHint(self) -> QSize:
        return QSize(
            super().minimumSizeHint().width(), min(self.sizeHint().height(), lines_high(self, _LEAST_LINES))
        )

    @property
    def value(self) -> Any:  # noqa: ANN401 (a key, or a list of keys)
        """The key of the option that is taken, of several a list; None for none."""
        items = [self.item(row) for row in range(self.count())]
        if self._several:
            ticked = [one.data(_KEY) for one in items if one.checkState() == Qt.CheckState.Checked]
            return ticked or None
        return next((one.data(_KEY) for one in items if one.isSelected()), None)

    def act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        """Take an option, or what a key does that takes none."""
        row = self._row_of(event.text().casefold())
        if row is not None:
            return partial(self._choose, row)
        acts = {Qt.Key.Key_Backspace: self.back.emit, Qt.Key.Key_P: self.parked.emit}
        return acts.get(Qt.Key(event.key()))

    def _choose(self, row: int) -> None:
        self.setCurrentRow(row)
        if self._several:
            item = self.item(row)
            on = item.checkState() == Qt.CheckState.Checked
            item.setCheckState(Qt.CheckState.Unchecked if on else Qt.CheckState.Checked)

    def _alone(self, item: QListWidgetItem) -> None:
        """Who does not know ticks nothing else."""
        if not self._idk or item.checkState() != Qt.CheckState.Checked:
            return
        for row in range(self.count()):
            other = self.item(row)
            if other is not item and self._idk in (item.data(_KEY), other.data(_KEY)):
                other.setCheckState(Qt.CheckState.Unchecked)

    def _row_of(self, typed: str) -> int | None:
        if not typed.strip():
            return None
        keys = [str(self.item(row).data(_KEY)).casefold() for row in range(self.count())]
        if self._idk and typed in ("0", _IDK_KEY.casefold()):
            return keys.index(self._idk.casefold())
        if typed in keys:
            return keys.index(typed)
        # Where options are digits themselves they are no places.
        place = int(typed) if typed in "123456789" and not any(key.isdigit() for key in keys) else 0
        return place - 1 if 0 < place <= len(keys) - bool(self._idk) else None


class AnswerPage(Fitted, QWidget):
    """`answered` has the value that the person gives to the item on the page, and the seconds it took; `back`
    wants the one before, `parked` another first."""

    answered = Signal(object, float)
    back = Signal()
    parked = Signal()
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._form: Form | None = None
        self.question: Question | None = None
        self._spent: dict[tuple[str, str, int], float] = {}
        self._drafts: dict[tuple[str, str, int], str] = {}
        self._person = ""
        self._since = time.monotonic()
        self.start = StartPage()
        self.bar = named(QProgressBar(textVisible=False), "Questions done")
        self.bar.setFixedHeight(GRID // 2)
        self.progress = plain_label(name="How far you are")
        self.problem = plain_label(name="Why the answer was not taken")
        self.text = ItemText("Item", snug=True, scale=_QUESTION)
        self.pictures = PictureRow("Pictures of the item")
        self.options = Options()
        self.words = named(QPlainTextEdit(), "Your answer")
        self.words.setTabChangesFocus(True)
        self.button = push_button("Save and next", self._give)
        self.back_button, self.park_button = QPushButton("Back"), QPushButton("Park")
        self.close_button = push_button("Close my answers…", self.closing.emit)
        self._hint = plain_label()
        self._buttons = (self.close_button, self.back_button, self.park_button, self.button)
        buttons = lined(None, *self._buttons)
        buttons.insertStretch(0, 1)
        column = stacked(
            self,
            self.start,
            self.bar,
            self.progress,
            self.pictures,
            self.text,
            self.options,
            self.words,
            self._hint,
            self.problem,
            buttons,
            margins=(GRID,) * 4,
        )
        column.addStretch(1)
        column.setStretchFactor(self.start, 100)
        self.options.given.connect(self._give)
        for signal in (self.options.back, self.back_button.clicked):
            signal.connect(lambda *_: self.back.emit())
        for signal in (self.options.parked, self.park_button.clicked):
            signal.connect(lambda *_: self.parked.emit())
        self.words.installEventFilter(self)
        self._allow()

    def take_focus(self) -> None:
        if not self.start.isHidden():
            self.start.take_focus()
            return
        by_hand = self.options if isinstance(self._form, CHOICES) else self.words
        (by_hand if self.question is not None else self.text).setFocus()

    def show_question(self, study: Study, person: str, question: Question | None) -> None:
        """Ask this, or say that all is answered; what is asked already stays as it is."""
        if question is not None and question == self.question:
            return
        self.leave()
        self.start.hide()
        self.question, self._person, self._since = question, person, time.monotonic()
        self.problem.setText("")
        item = question.kept.item if question is not None else None
        self._form = study.form(item) if study.form is not None and item is not None else None
        self._allow()
        if question is None or item is None:
            self.progress.setText(f"{person} has answered everything there is to answer.")
            self.pictures.put(())
            self.text.put([("", "Close your answers when they are final, or build more items.")])
            self._hint.setText("")
            return
        round_ = ", second round: a guess for what you did not know" if question.round > 1 else ""
        self.progress.setText(f"{person} answers: {counted(question.left, 'item')} left{round_}.")
        self.pictures.put(shown_pictures(item.input))
        self.bar.setRange(0, max(question.total, 1))
        self.bar.setValue(max(question.total - question.left, 0))
        # What is asked comes first: a low window has room for no more.
        named = study.item_words(item) if study.item_words else [*input_parts(item.input), ("Item", item.id)]
        self.text.put([*named, *question.allowed])
        if isinstance(self._form, CHOICES):
            idk = bool(question.again.get("idk", True))
            self.options.put(self._form, question.given, idk=idk)
            self._hint.setText(_hint(self._form, idk=idk))
            explain(self.options, self._hint.text())
        else:
            given = question.given
            draft = self._drafts.pop(self._key_of(question), "")
            self.words.setPlainText(draft or ("\n".join(given) if isinstance(given, list) else given or ""))
            self.words.document().setModified(bool(draft))
            each = "One name a line, the likeliest first · " if isinstance(self._form, Ranking) else ""
            self._hint.setText(f"{each}Ctrl+Enter saves and goes on")
        if self.isVisible():
            self.take_focus()

    def leave(self) -> None:
        """Ask it no more; words that are no answer yet stay until it is asked again."""
        self._stop_clock()
        if self.question is not None and self._written():
            self._drafts[self._key_of(self.question)] = self.words.toPlainText()
        self.question = None

    def keep_nothing_of(self, question: Question, person: str) -> None:
        """It was answered: what was written for it is on disk."""
        self._drafts.pop((person, question.kept.uuid, question.round), None)
        if self.question == question:
            self._stop_clock()
            self.question = None

    @property
    def unsaved(self) -> bool:
        return bool(self._drafts) or self._written()

    def _written(self) -> bool:
        by_hand = self.question is not None and not isinstance(self._form, CHOICES)
        return by_hand and self.words.document().isModified() and bool(self.words.toPlainText().strip())

    def _key_of(self, question: Question) -> tuple[str, str, int]:
        return self._person, question.kept.uuid, question.round

    def refuse(self, sentence: str) -> None:
        """Say why nothing was taken, or nothing can be asked."""
        self.problem.setText(sentence)

    def show_nothing(self, sentence: str) -> None:
        """There is nobody to ask, or nothing."""
        self.leave()
        self.start.hide()
        self._allow()
        for button in (self.close_button, self.back_button):
            button.setEnabled(False)
        self.progress.setText(sentence)
        self.pictures.put(())
        self.text.put(())
        self.problem.setText("")
        self._hint.setText("")

    def show_start(self) -> None:
        """Ask how long and of what first."""
        self.show_nothing("")
        self.start.show()
        for part in (self.progress, self.text, self.problem, self._hint, *self._buttons):
            part.hide()
        if self.isVisible():
            self.take_focus()

    def _allow(self) -> None:
        for part in (self.progress, self.text, self.problem, self._hint, *self._buttons):
            part.show()
        there, chosen = self.question is not None, isinstance(self._form, CHOICES)
        self.options.setVisible(there and chosen)
        self.words.setVisible(there and not chosen)
        self.bar.setVisible(there)
        for button in self._buttons:
            button.setEnabled(there or button in (self.close_button, self.back_button))
        self.arrange()

    def arrange(self) -> None:
        """In few lines the question is smaller, the field for words low, and the options' tip alone has the
        line of keys."""
        narrow = self.height() < _FEW_LINES * self.fontMetrics().lineSpacing()
        self.text.enlarge(1.0 if narrow else _QUESTION)
        self.words.setFixedHeight(lines_high(self.words, _NARROW_LINES if narrow else _LINES))
        if self.start.isHidden():
            self._hint.setVisible(not narrow)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Ctrl+Enter answers from within the words."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in ENTER:
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._give()
                return True
        return False

    def _give(self) -> None:
        if self.question is None:
            return
        value = self._value()
        if value is None:
            self.problem.setText("Choose an option first, or write an answer.")
            return
        self.answered.emit(value, round(self._stop_clock(), 1))

    def _stop_clock(self) -> float:
        """How long the person has had the question on the page in all, in seconds."""
        if self.question is None:
            return 0.0
        key = self._key_of(self.question)
        self._spent[key] = self._spent.get(key, 0.0) + time.monotonic() - self._since
        self._since = time.monotonic()
        return self._spent[key]

    def _value(self) -> Any:  # noqa: ANN401 (any JSON value)
        if isinstance(self._form, CHOICES):
            return self.options.value
        words = self.words.toPlainText().strip()
        if isinstance(self._form, Ranking):
            return [one.strip() for one in words.split("\n") if one.strip()] or None
        return words or None


def _hint(form: Choice | choice.Options, *, idk: bool) -> str:
    parts = ["A digit or letter takes an option"]
    parts += ["K or 0: I do not know"] if isinstance(form, choice.Options) and idk else []
    parts += ["several may be right, Space ticks"] if form.several else []
    return " · ".join([*parts, "Enter saves", "Backspace goes back", "P parks"])

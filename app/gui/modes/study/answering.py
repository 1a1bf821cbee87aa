"""The page on which a person answers: the item, its options, all by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.gui.dialogs.forms import GRID, plain_label
from app.gui.figures.row import PictureRow
from app.gui.modes.study.item_text import ItemText, input_parts, shown_pictures
from app.gui.widgets.boxes import lined, stacked
from app.gui.widgets.parts import lines_high
from app.text import counted
from extractors.tasks.forms import Choice, Ranking

if TYPE_CHECKING:
    from app.operations.study.people import Question
    from app.studies.study import Study
    from extractors.tasks.base import Form

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_KEY = Qt.ItemDataRole.UserRole
_MOST_LINES, _LEAST_LINES, _LINES = 12, 6, 5


class Options(QListWidget):
    """The options of a choice: a digit or an option's own letter takes it, Space ticks one of several, Enter
    answers with what is taken. `given` has come with Enter or a double click."""

    given = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Options")
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._several = False
        self.itemDoubleClicked.connect(lambda _: self.given.emit())

    def put(self, form: Choice) -> None:
        """Show the options, none of them taken."""
        self.clear()
        self._several = form.several
        for place, (key, words) in enumerate(form.options.items(), start=1):
            named = key if key == words else f"{key}  {words}"
            item = QListWidgetItem(named if key.isdigit() or place > 9 else f"{place}   {named}")
            item.setData(_KEY, key)
            if form.several:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Unchecked)
            self.addItem(item)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In another width the words take another height."""
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as the options, up to some lines of them."""
        width = super().sizeHint().width()
        metrics, wrap = self.fontMetrics(), Qt.TextFlag.TextWordWrap.value
        # Beside the words there are the box, and the bar where it is needed.
        room = QRect(0, 0, max(self.width() - 2 * metrics.horizontalAdvance("0000"), 1), 10_000)
        texts = [self.item(row).text() for row in range(self.count())]
        rows = sum(metrics.boundingRect(room, wrap, text).height() + GRID // 2 for text in texts)
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

    def event(self, event: QEvent) -> bool:
        """Options' own letters are theirs before they are commands of the mode."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._row_of(event) is not None:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._row_of(event)
        if row is not None:
            self.setCurrentRow(row)
            if self._several:
                self._turn(self.item(row))
        elif event.key() in _ENTER:
            self.given.emit()
        else:
            super().keyPressEvent(event)

    def _turn(self, item: QListWidgetItem) -> None:
        on = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if on else Qt.CheckState.Checked)

    def _row_of(self, event: QKeyEvent) -> int | None:
        typed = event.text().casefold()
        modifiers = (
            event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.ShiftModifier
        )
        if not typed.strip() or modifiers:
            return None
        keys = [str(self.item(row).data(_KEY)).casefold() for row in range(self.count())]
        if typed in keys:
            return keys.index(typed)
        # Where options are digits themselves they are no places.
        place = int(typed) if typed in "123456789" and not any(key.isdigit() for key in keys) else 0
        return place - 1 if 0 < place <= len(keys) else None


class AnswerPage(QWidget):
    """`answered` has the value that the person gives to the item on the page."""

    answered = Signal(object)
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._form: Form | None = None
        self.question: Question | None = None
        self.progress, self.trouble = plain_label(), plain_label()
        self.progress.setAccessibleName("How far you are")
        self.trouble.setAccessibleName("Why the answer was not taken")
        self.text = ItemText("Item", snug=True)
        self.pictures = PictureRow("Pictures of the item")
        self.options = Options()
        self.words = QPlainTextEdit()
        self.words.setAccessibleName("Your answer")
        self.words.setTabChangesFocus(True)
        self.words.setFixedHeight(lines_high(self.words, _LINES))
        self.button = QPushButton("Save and next")
        self.close_button = QPushButton("Close my answers…")
        self._hint = plain_label()
        buttons = lined(None, self.close_button, self.button)
        buttons.insertStretch(0, 1)
        column = stacked(
            self,
            self.progress,
            self.pictures,
            self.text,
            self.options,
            self.words,
            self._hint,
            self.trouble,
            buttons,
            margins=(GRID,) * 4,
        )
        column.addStretch(1)
        self.button.clicked.connect(self._give)
        self.close_button.clicked.connect(self.closing)
        self.options.given.connect(self._give)
        self.words.installEventFilter(self)
        self._allow()

    def take_focus(self) -> None:
        """To what is answered with."""
        by_hand = self.options if isinstance(self._form, Choice) else self.words
        (by_hand if self.question is not None else self.text).setFocus()

    def show_question(self, study: Study, person: str, question: Question | None) -> None:
        """Ask this, or say that all is answered; what is asked already stays as it is."""
        if question is not None and question == self.question:
            return
        self.question = question
        self.trouble.setText("")
        item = question.kept.item if question is not None else None
        self._form = study.form(item) if study.form is not None and item is not None else None
        self._allow()
        if question is None or item is None:
            self.progress.setText(f"{person} has answered everything there is to answer.")
            self.pictures.put(())
            self.text.put([("", "Close your answers when they are final, or build more items.")])
            self._hint.setText("")
            return
        round_ = f", round {question.round}" if question.round > 1 else ""
        self.progress.setText(f"{person} answers: {counted(question.left, 'item')} left{round_}.")
        self.pictures.put(shown_pictures(item.input))
        self.text.put([("Item", item.id), *input_parts(item.input)])
        if isinstance(self._form, Choice):
            self.options.put(self._form)
            ticks = "Space ticks · " if self._form.several else ""
            self._hint.setText(f"A digit or letter takes an option · {ticks}Enter saves")
        else:
            self.words.clear()
            each = "One name a line, the likeliest first · " if isinstance(self._form, Ranking) else ""
            self._hint.setText(f"{each}Ctrl+Enter saves and goes on")
        if self.isVisible():
            self.take_focus()

    def refuse(self, sentence: str) -> None:
        """Say why nothing was taken, or nothing can be asked."""
        self.trouble.setText(sentence)

    def show_nothing(self, sentence: str) -> None:
        """There is nobody to ask, or nothing."""
        self.question = None
        self._allow()
        self.progress.setText(sentence)
        self.pictures.put(())
        self.text.put(())
        self.trouble.setText("")
        self._hint.setText("")

    def _allow(self) -> None:
        """Show what this item is answered with."""
        there, choice = self.question is not None, isinstance(self._form, Choice)
        self.options.setVisible(there and choice)
        self.words.setVisible(there and not choice)
        self.button.setEnabled(there)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Ctrl+Enter answers from within the words."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in _ENTER:
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._give()
                return True
        return False

    def _give(self) -> None:
        if self.question is None:
            return
        value = self._value()
        if value is None:
            self.trouble.setText("Choose an option first, or write an answer.")
            return
        self.answered.emit(value)

    def _value(self) -> Any:  # noqa: ANN401 (any JSON value)
        if isinstance(self._form, Choice):
            return self.options.value
        said = self.words.toPlainText().strip()
        if isinstance(self._form, Ranking):
            return [one.strip() for one in said.split("\n") if one.strip()] or None
        return said or None

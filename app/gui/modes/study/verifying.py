"""The page on which people accept, edit or reject a sample of a study's items, by keyboard."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from app.gui.dialogs.forms import GRID, plain_label
from app.gui.figures.row import PictureRow
from app.gui.modes.study.item_text import ItemText, input_parts, shown_pictures
from app.gui.modes.study.rating import ENTER
from app.gui.widgets.boxes import labelled, lined, lines_high, push_button, row_of, scrolled, split, stacked
from app.gui.widgets.lists import ListTable
from app.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.operations.study.building import Sampled
    from app.studies.results import Item
    from app.studies.study import Study

ACCEPT, EDIT, REJECT = "accept", "edit", "reject"
_KEYS = {Qt.Key.Key_Y: ACCEPT, Qt.Key.Key_E: EDIT, Qt.Key.Key_N: REJECT}
_LINES = 6
_NONE = "This study has no sample of items to be looked at; a build of one draws it."
_HINT = "In the list: Y accept · E edit, Ctrl+Enter keeps it · N reject, for a reason"


class VerifyPage(QWidget):
    """The sample, and of one item the case beside question, answer and evidence.

    `answered` has the item and what is said of it: "verdict", "reason", "question", "answer".
    """

    answered = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._sample: Sequence[Sampled] = ()
        self._study: Study | None = None
        self._hidden = ""
        self._shown: Sampled | None = None
        # The item whose verdict is on its way, and those whose verdicts have not been read again.
        self._waits: Item | None = None
        self._judged: frozenset[tuple[str, str]] = frozenset()
        self._person = ""
        # Question, answer and reason that somebody wrote for items of a study and that were not kept.
        self._drafts: dict[tuple[str, ...], tuple[str, str, str]] = {}
        self._key: tuple[str, ...] = ()
        self._sent: tuple[str, ...] = ()
        self.progress = plain_label(name="How far you are")
        self.problem, self.hint = plain_label(name="What the audit says"), plain_label(_HINT)
        self.list = ListTable("Sample", ("Item", "Task", "Verdict", "Reason"), 3, 3)
        self.list.setMaximumHeight(lines_high(self.list, 5))
        self.text, self.evidence = ItemText("Blinded case"), ItemText("Evidence and reference")
        self.pictures = PictureRow("Pictures of the case")
        self.question, self.answer, self.reason = QPlainTextEdit(), QPlainTextEdit(), QLineEdit()
        for field, name in ((self.question, "Question"), (self.answer, "Reference answer")):
            field.setAccessibleName(name)
            field.setTabChangesFocus(True)
            field.setFixedHeight(lines_high(field, 2))
            field.installEventFilter(self)
        self.list.installEventFilter(self)
        left, right = QWidget(), QWidget()
        stacked(left, self.text, self.pictures, wide=self.text)
        words = (labelled("&Question:", self.question), labelled("Reference ans&wer:", self.answer))
        stacked(right, words[0], self.question, words[1], self.answer, self.evidence, wide=self.evidence)
        self.parts = split(Qt.Orientation.Horizontal, left, right)
        self.parts.setSizes([500, 500])
        captions = {ACCEPT: "Accept", EDIT: "Keep the edit", REJECT: "Reject"}
        self.buttons = {one: push_button(said, partial(self._say, one)) for one, said in captions.items()}
        self.reason.returnPressed.connect(lambda: self._say(REJECT))
        reason = row_of(labelled("Reaso&n:", self.reason), self.reason)
        acts = lined(None, reason, *self.buttons.values(), wide=reason)
        column = (self.progress, self.hint, self.list, self.parts, acts, self.problem)
        inside = QWidget()
        stacked(inside, *column, wide=self.parts, margins=(GRID,) * 4)
        # With large letters on a small screen all is scrolled, rather than the case squeezed to a line.
        for text in (self.text, self.evidence):
            text.setMinimumHeight(lines_high(text, _LINES))
        area = scrolled(inside)
        stacked(self, area, wide=area)
        self.list.chosen.connect(self._show)

    @property
    def unsaved(self) -> bool:
        """Whether something was written that no verdict has kept."""
        return bool(self._drafts) or self._written()

    def _written(self) -> bool:
        edited = any(one.document().isModified() for one in (self.question, self.answer))
        return self._shown is not None and (edited or bool(self.reason.text().strip()))

    def take_focus(self) -> None:
        """To the list, where the keys are."""
        self.list.setFocus()

    def put(self, study: Study, sample: Sequence[Sampled], hidden: str = "") -> None:
        """Show a sample; `hidden` says why nothing of it may be seen yet. What is being written stays."""
        row = max(self.list.row, 0) if study is self._study else 0
        if study is self._study and sample == self._sample and hidden == self._hidden:
            return
        self._study, self._sample, self._hidden = study, sample, hidden
        self._judged &= {_name(one.item) for one in sample if not one.verdict}
        verdicts = Counter(one.verdict or "still open" for one in sample)
        numbers = ", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items()))
        about = f"{counted(len(sample), 'item')} to look at: {numbers}." if sample else _NONE
        self.progress.setText(hidden or about)
        called = study.called
        rows = [
            (one.item.id, called("task", one.item.task), one.verdict or "–", one.reason) for one in sample
        ]
        problem = self.problem.text()
        self.list.put(rows, min(row, max(len(rows) - 1, 0)))
        self.problem.setText(problem)

    def ask(self, person: str) -> None:
        """Let somebody else verify; what the one before wrote waits for that one."""
        self._keep_draft()
        self._person, self._shown = person, None
        self._show()

    def refuse(self, sentence: str) -> None:
        """Say why a verdict was not taken; what was written stays."""
        self._waits = None
        self.problem.setText(sentence)

    def taken(self, item: Item, verdict: str) -> None:
        """Say that it was, and go on to the next that nobody has looked at, where one has not gone on."""
        self._waits = None
        self._judged |= {_name(item)}
        self._drafts.pop(self._sent, None)
        if self._shown is None or self._shown.item != item:
            return
        # What was written of it is no draft any more.
        self._fill(self.question.toPlainText(), self.answer.toPlainText())
        passed = "The edited item passes the audit and takes the other's place." if verdict == EDIT else ""
        rest = range(len(self._sample))
        here = self.list.row
        open_ = [row for row in (*rest[here + 1 :], *rest[:here]) if self._is_open(self._sample[row])]
        if open_:
            self.list.selectRow(open_[0])
        self.problem.setText(passed)
        self.take_focus()

    def _is_open(self, one: Sampled) -> bool:
        return not one.verdict and _name(one.item) not in self._judged

    def _show(self) -> None:
        row = self.list.row
        one = self._sample[row] if 0 <= row < len(self._sample) else None
        for part in (self.parts, self.reason, *self.buttons.values()):
            part.setEnabled(one is not None)
        if one is not None and self._shown is not None and one.item == self._shown.item:
            return
        self._keep_draft()
        self._shown = one
        self.problem.setText("")
        values = one.item.input if one is not None else {}
        self.pictures.put(shown_pictures(values))
        self.text.put([part for part in input_parts(values) if part[0] != "Question"])
        evidence = self._study.evidence if self._study is not None else None
        parts = evidence(one.item) if evidence is not None and one is not None else ()
        self.evidence.put([part for part in parts if part[0] != "Answer"])
        answer = str(one.item.reference.get("answer", "")) if one is not None else ""
        self._key = self._key_of(one.item if one is not None else None)
        draft = self._drafts.pop(self._key, ())
        self._fill(*(draft or (str(values.get("question", "")), answer)))
        for field in (self.question, self.answer):
            field.document().setModified(bool(draft))

    def _keep_draft(self) -> None:
        if self._written():
            written = self.question.toPlainText(), self.answer.toPlainText(), self.reason.text()
            self._drafts[self._key] = written

    def _key_of(self, item: Item | None) -> tuple[str, ...]:
        study = self._study.id if self._study is not None else ""
        return self._person, study, *(_name(item) if item is not None else ())

    def _fill(self, question: str, answer: str, reason: str = "") -> None:
        self.question.setPlainText(question)
        self.answer.setPlainText(answer)
        self.reason.setText(reason)

    def _say(self, verdict: str) -> None:
        # A second verdict before the first is kept was meant for an item that has not been shown yet.
        if self._shown is not None and self._waits is None:
            self._waits, self._sent = self._shown.item, self._key
            question, answer = self.question.toPlainText(), self.answer.toPlainText()
            fields = {"reason": self.reason.text(), "question": question, "answer": answer}
            self.answered.emit(self._shown.item, {"verdict": verdict, **fields})

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Letters give verdicts in the list; Ctrl+Enter keeps an edit from within its fields."""
        if not isinstance(event, QKeyEvent):
            return False
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if watched is not self.list:
            keeps = event.type() == QEvent.Type.KeyPress and event.key() in ENTER and control
            if keeps:
                self._say(EDIT)
            return keeps
        verdict = _KEYS.get(Qt.Key(event.key())) if not event.modifiers() else None
        if verdict is None:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress:
            # One that is held would be a verdict on what comes next as well.
            if not event.isAutoRepeat():
                self._act(verdict)
        return True

    def _act(self, verdict: str) -> None:
        if verdict == ACCEPT:
            self._say(ACCEPT)
        else:
            (self.question if verdict == EDIT else self.reason).setFocus()


def _name(item: Item) -> tuple[str, str]:
    return item.task, item.id

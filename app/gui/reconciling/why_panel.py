"""Why it was decided so: reason, how sure one is, note, and the clause of the guideline it touches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QPushButton, QVBoxLayout, QWidget

from app.gui.actions import Actions
from app.gui.panels.guideline_text import read_guideline
from app.gui.panels.note_edit import NoteEdit
from app.gui.panels.parts import FlexRow, print_key
from app.gui.reconciling.words import CONFIDENCES, REASON_WORDS
from app.gui.reconciling.work import Work
from app.gui.tips import explain, tip
from extractors.guideline import Guideline

if TYPE_CHECKING:
    from app.reconcile.choices import Reason
    from extractors.scheme import Category

_NO_CLAUSE = "no clause"


class WhyPanel(QWidget):
    """What is set before a decision goes with it; set afterwards, the decision is recorded again with it."""

    text_wanted = Signal()

    def __init__(self, work: Work, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._work, self._actions = work, actions
        self._category: Category | None = None
        self.reasons: dict[Reason, QPushButton] = {}
        for reason, words in REASON_WORDS.items():
            button = self.reasons[reason] = QPushButton()
            button.setCheckable(True)
            print_key(button, words, actions, f"reconcile.{reason}", narrow=True)
            button.clicked.connect(actions[f"reconcile.{reason}"].trigger)
            # It is pressed where that is the reason, not where it was clicked.
            button.clicked.connect(self._show)
            actions.on(f"reconcile.{reason}", self._toggler(reason))
        self.confidence = QComboBox()
        self.confidence.setAccessibleName("How sure")
        for words, value in CONFIDENCES:
            self.confidence.addItem(words, value)
        self.confidence.activated.connect(lambda _: self._set_confidence())
        self.note = NoteEdit()
        self.note.setAccessibleName("Note on the decision")
        self.note.saved.connect(lambda note: work.set_why(replace(work.why, note=note.strip())))
        self.note.left.connect(self.text_wanted)
        self.clause = QComboBox()
        self.clause.setEditable(True)
        self.clause.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.clause.setAccessibleName("Clause of the guideline")
        self.clause.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.clause.setMinimumContentsLength(10)
        self.clause.activated.connect(lambda _: self._set_clause())
        line = self.clause.lineEdit()
        if line is not None:
            line.setPlaceholderText(_NO_CLAUSE)
            line.editingFinished.connect(self._set_clause)
        self._lay_out()
        actions.on("reconcile.confidence", self._step_confidence)
        actions.on("reconcile.note", self._go_to_note)
        actions.on("reconcile.clause", self._go_to_clause)
        work.why_changed.connect(self._show)
        work.current_changed.connect(self._show)

    def set_category(self, category: Category) -> None:
        """Offer the clauses of this category's guideline."""
        if category != self._category:
            self._category = category
            with QSignalBlocker(self.clause):
                self.clause.clear()
                for clause in clauses_of(category):
                    self.clause.addItem(clause)
                    self.clause.setItemData(self.clause.count() - 1, tip(clause), Qt.ItemDataRole.ToolTipRole)
            self._show()

    def save(self) -> None:
        """Keep what is being written."""
        self.note.save()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 0)
        column.setSpacing(4)
        buttons = list(self.reasons.values())
        column.addWidget(FlexRow(buttons[:2]))
        column.addWidget(FlexRow(buttons[2:4]))
        column.addWidget(buttons[4])
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for words, part, command in (
            ("Sure", self.confidence, "reconcile.confidence"),
            ("Note", self.note, "reconcile.note"),
            ("Clause", self.clause, "reconcile.clause"),
        ):
            key = self._actions.key(command)
            form.addRow(f"{words} ({key})" if key else words, part)
        column.addLayout(form)

    def _show(self) -> None:
        work = self._work
        there = work.current is not None
        for reason, button in self.reasons.items():
            button.setChecked(work.why.reason == reason)
            button.setEnabled(there)
        with QSignalBlocker(self.confidence):
            known = next((at for at, (_, one) in enumerate(CONFIDENCES) if one == work.why.confidence), -1)
            self.confidence.setCurrentIndex(known)
            said = f"{work.why.confidence:.0%}" if known < 0 and work.why.confidence is not None else ""
            explain(self.confidence, said or "How sure whoever decides is")
        self.note.put(work.why.note)
        with QSignalBlocker(self.clause):
            self.clause.setCurrentIndex(self.clause.findText(work.why.clause) if work.why.clause else -1)
            self.clause.setEditText(work.why.clause)
            line = self.clause.lineEdit()
            if line is not None:
                line.setCursorPosition(0)
        explain(self.clause, work.why.clause or "Which clause of the guideline this touches")
        for part in (self.confidence, self.note, self.clause):
            part.setEnabled(there)

    def _toggler(self, reason: Reason) -> Callable[[], None]:
        def toggle() -> None:
            why = self._work.why
            if self._work.current is not None:
                self._work.set_why(replace(why, reason="" if why.reason == reason else reason))

        return toggle

    def _set_confidence(self) -> None:
        self._work.set_why(replace(self._work.why, confidence=self.confidence.currentData()))

    def _step_confidence(self) -> None:
        if self._work.current is not None:
            values = [value for _, value in CONFIDENCES]
            now = self._work.why.confidence
            place = values.index(now) if now in values else 0
            self._work.set_why(replace(self._work.why, confidence=values[(place + 1) % len(values)]))

    def _set_clause(self) -> None:
        self._work.set_why(replace(self._work.why, clause=self.clause.currentText().strip()))

    def _go_to_note(self) -> None:
        self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.note.selectAll()

    def _go_to_clause(self) -> None:
        self.clause.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.clause.showPopup()


def clauses_of(category: Category) -> tuple[str, ...]:
    """What the category's guideline includes, excludes and says of boundaries; nothing where it is broken."""
    guideline = read_guideline(category)
    if not isinstance(guideline, Guideline):
        return ()
    return (*guideline.include, *guideline.exclude, *guideline.boundaries)

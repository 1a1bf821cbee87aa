"""Why it was decided so: reason, how sure one is, note, and the clause of the guideline it touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from app.gui.dialogs.forms import named
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import CONFIDENCES, REASON_WORDS
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import FlexRow, field_rows, for_command, heading_label, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.guideline_text import as_read, read_guideline
from app.gui.widgets.note_edit import NoteEdit
from app.gui.widgets.tips import explain, with_key
from app.reconcile.gold import Reason
from extractors.model.guideline import Guideline
from extractors.model.scheme import Category, Scheme

_NO_CLAUSE = "no clause"
_LISTED = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class ClauseEdit(DropDown):
    """`saved` comes where the clause was changed, `left` where the user is done here."""

    saved = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__("Clause of the guideline", 6)
        self.line = NoteEdit()
        self.setEditable(True)
        self.setLineEdit(self.line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.line.setAccessibleName(self.accessibleName())
        self.line.setPlaceholderText(_NO_CLAUSE)
        self.line.saved.connect(self.saved)
        self.line.left.connect(self.left)
        self.activated.connect(lambda _: self._choose())

    def offer(self, clauses: Iterable[str]) -> None:
        """List these clauses; what stands in the line stays."""
        self.line.save()
        words = self.currentText()
        self.fill((clause, clause, clause) for clause in clauses)
        self.put(words)

    def put(self, clause: str) -> None:
        with QSignalBlocker(self):
            if clause != self.currentText():
                self.setCurrentIndex(self.findText(clause) if clause else -1)
        self.line.put(clause)
        self.line.show_beginning()
        explain(self, clause or "Which clause of the guideline this touches")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """To look through the clauses, they are listed."""
        if event.key() in _LISTED:
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        self.saved.emit(self.currentText())
        self.left.emit()


class RationalePanel(QWidget):
    """What is set before a decision goes with it; set afterwards, the decision is recorded again with it."""

    text_wanted = Signal()

    def __init__(self, work: Work, actions: Actions) -> None:
        super().__init__()
        self._work, self._actions = work, actions
        self._category: Category | None = None
        self._here = ""
        self.reasons: dict[Reason, QPushButton] = {}
        for reason, words in REASON_WORDS.items():
            button = self.reasons[reason] = QPushButton()
            button.setCheckable(True)
            for_command(button, words, actions, f"reconcile.{reason}")
        self.confidence = DropDown("How sure", entries=CONFIDENCES)
        self.confidence.activated.connect(lambda _: self._set_confidence())
        self.note = named(NoteEdit(), "Note on the decision")
        self.note.saved.connect(lambda note: work.set_rationale(replace(work.rationale, note=note.strip())))
        self.note.left.connect(self.text_wanted)
        self.clause = ClauseEdit()
        self.clause.saved.connect(
            lambda clause: work.set_rationale(replace(work.rationale, clause=clause.strip()))
        )
        self.clause.left.connect(self.text_wanted)
        self._lay_out()
        work.leaving.connect(self.save)
        work.rationale_changed.connect(self._show)
        work.current_changed.connect(self._show)

    def commands(self) -> dict[str, Callable[[], object]]:
        """What is done when a command is given, where a difference is shown."""
        return {
            **{f"reconcile.{reason}": partial(self._toggle, reason) for reason in self.reasons},
            "reconcile.confidence": self._step_confidence,
            "reconcile.note": self._go_to_note,
            "reconcile.clause": self._go_to_clause,
        }

    def set_category(self, wanted: str, scheme: Scheme) -> None:
        """Offer the clauses of this category's (id) guideline."""
        category = scheme.category(wanted)
        if category != self._category:
            self._category = category
            self.clause.offer(as_read(clause, scheme) for clause in clauses_of(category))
            self._show()

    def save(self) -> None:
        self.note.save()
        self.clause.line.save()

    def _lay_out(self) -> None:
        buttons = list(self.reasons.values())
        form = field_rows()
        form.setVerticalSpacing(4)
        for words, part, command in (
            ("How sure", self.confidence, "reconcile.confidence"),
            ("Note", self.note, "reconcile.note"),
            ("Clause", self.clause, "reconcile.clause"),
        ):
            form.addRow(with_key(words, self._actions.key(command)), part)
        reasons = (FlexRow(buttons[:2]), FlexRow(buttons[2:4]), buttons[4])
        stacked(self, heading_label("Reason"), *reasons, form, margins=(8, 8, 8, 0), spacing=4)

    def _show(self) -> None:
        work = self._work
        there = work.current is not None
        for reason, button in self.reasons.items():
            button.setChecked(work.rationale.reason == reason)
            button.setEnabled(there)
        with QSignalBlocker(self.confidence):
            known = next(
                (at for at, (_, one) in enumerate(CONFIDENCES) if one == work.rationale.confidence), -1
            )
            self.confidence.setCurrentIndex(known)
            words = (
                f"{work.rationale.confidence:.0%}"
                if known < 0 and work.rationale.confidence is not None
                else ""
            )
            explain(self.confidence, words or "How sure whoever decides is")
        here = work.current.difference.id if work.current is not None else ""
        stayed, self._here = here == self._here, here
        # What is being typed stays, as long as it is about the same.
        if not (stayed and self.note.hasFocus() and self.note.isModified()):
            self.note.put(work.rationale.note)
        if not (stayed and self.clause.hasFocus() and self.clause.line.isModified()):
            self.clause.put(work.rationale.clause)
        for part in (self.confidence, self.note, self.clause):
            part.setEnabled(there)

    def _toggle(self, reason: Reason) -> None:
        rationale = self._work.rationale
        self._work.set_rationale(replace(rationale, reason="" if rationale.reason == reason else reason))

    def _set_confidence(self) -> None:
        self._work.set_rationale(replace(self._work.rationale, confidence=self.confidence.currentData()))

    def _step_confidence(self) -> None:
        values = [value for _, value in CONFIDENCES]
        now = self._work.rationale.confidence
        place = values.index(now) if now in values else 0
        self._work.set_rationale(replace(self._work.rationale, confidence=values[(place + 1) % len(values)]))

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

"""The clause that a decision touches: chosen from a list or typed, never changed by passing over it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.note_edit import NoteEdit
from app.gui.widgets.tips import explain, tip

_NO_CLAUSE = "no clause"
_LISTED = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class ClauseEdit(DropDown):
    """`saved` comes where the clause was changed, `left` where the user is done here."""

    saved = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Clause of the guideline", 6, parent)
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
        with QSignalBlocker(self):
            self.clear()
            for clause in clauses:
                self.addItem(clause)
                self.setItemData(self.count() - 1, tip(clause), Qt.ItemDataRole.ToolTipRole)
        self.put(words)

    def put(self, clause: str) -> None:
        """Show the clause that goes with the decision."""
        with QSignalBlocker(self):
            if clause != self.currentText():
                self.setCurrentIndex(self.findText(clause) if clause else -1)
        self.line.put(clause)
        if not self.hasFocus():
            self.line.setCursorPosition(0)
        explain(self, clause or "Which clause of the guideline this touches")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """To look through the clauses, they are listed."""
        if event.key() in _LISTED:
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turning the wheel over it chooses nothing."""
        event.ignore()

    def _choose(self) -> None:
        self.saved.emit(self.currentText())
        self.left.emit()

"""One line for a note, which is never lost: it is saved whenever the line is left."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenuBar

_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


class NoteEdit(QLineEdit):
    """`saved` comes where the text was changed, `left` where the user is done here."""

    saved = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._before = ""

    def put(self, note: str) -> None:
        """Show a note as it is on disk."""
        self._before = note
        if note != self.text() or self.isModified():
            self.setText(note)
            self.show_beginning()

    def save(self) -> None:
        """Save what was typed, if anything was."""
        if self.isModified() and self.text() != self._before:
            self._before = self.text()
            self.setModified(False)
            self.saved.emit(self._before)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setText(self._before)
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.save()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.save()
        self.show_beginning()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            # A key of the window's (the next report) takes the span away without taking the focus first.
            if not event.isAccepted() and event.modifiers() & _COMMANDS:
                self.save()
        return done

    def show_beginning(self) -> None:
        """Where nobody writes; from a menu, or another window, one comes back to where one was."""
        holder = self.window().focusWidget()
        if holder is not (self.focusProxy() or self) and not isinstance(holder, QMenuBar):
            self.setCursorPosition(0)

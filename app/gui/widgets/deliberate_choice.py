"""The choice of whose spans are shown: none is chosen in passing, for each look goes on record."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent

from app.gui.widgets.drop_down import DropDown

_WALKING = frozenset(
    {
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
    }
)


class DeliberateChoice(DropDown):
    """Arrows and letters open the list and go through it there; Return, or a click, chooses."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What would step from entry to entry opens the list instead."""
        commanding = event.modifiers() & ~(
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        )
        typed = event.text() if event.text().isprintable() else ""
        walks = event.key() in _WALKING or bool(typed.strip())
        if not walks or commanding != Qt.KeyboardModifier.NoModifier or not self.count():
            super().keyPressEvent(event)
            return
        self.showPopup()
        if typed.strip():
            self.view().keyboardSearch(typed)

    def showPopup(self) -> None:
        """Where nothing is chosen yet, what would be chosen first is what Return chooses."""
        super().showPopup()
        if self.currentIndex() < 0:
            self.view().setCurrentIndex(self.model().index(0, self.modelColumn()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel goes past entries that nobody asked for."""
        event.ignore()

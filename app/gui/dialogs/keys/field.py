"""A field that takes the next key that is pressed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

_ALONE = frozenset(
    {
        Qt.Key.Key_Shift,
        Qt.Key.Key_Control,
        Qt.Key.Key_Alt,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_Meta,
        Qt.Key.Key_CapsLock,
        Qt.Key.Key_NumLock,
        Qt.Key.Key_unknown,
    }
)
_LEAVING = frozenset({Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape})


class KeyField(QLineEdit):
    """Tab and Escape act as everywhere, so that nobody is caught in it; `pressed` says the key (portable)."""

    pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setPlaceholderText("Press a key")
        self.setAccessibleName("Press the new key")

    def event(self, event: QEvent) -> bool:
        """Keep other shortcuts from acting while a key is awaited."""
        if event.type() == QEvent.Type.ShortcutOverride:
            if isinstance(event, QKeyEvent) and event.key() not in _LEAVING:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell of the key, unless it leads out of the field or is a modifier alone."""
        if event.key() in _LEAVING:
            event.ignore()
        elif event.key() not in _ALONE:
            self.pressed.emit(_portable(event))


def _portable(event: QKeyEvent) -> str:
    """The key as command tables write it; Shift is part of a sign such as "?" and not named beside it."""
    key = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
    key = key.replace("Num+", "", 1)
    sign = event.text()
    if key.startswith("Shift+") and sign.isprintable() and sign.strip() and not sign.isalpha():
        key = key.removeprefix("Shift+")
    return key

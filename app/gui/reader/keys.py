"""Keys that move the caret by sentence and by section, beside Qt's own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.gui.reader import motion

_SHIFT, _KEYPAD = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier


def caret_after(event: QKeyEvent, text: str, sections: Sequence[tuple[int, int]], caret: int) -> int | None:
    """Where the caret goes by Ctrl with an arrow up or down, or with page up or down; None for other keys."""
    if event.modifiers() & ~(_SHIFT | _KEYPAD) != Qt.KeyboardModifier.ControlModifier:
        return None
    match event.key():
        case Qt.Key.Key_Down:
            return motion.next_sentence(text, caret)
        case Qt.Key.Key_Up:
            return motion.previous_sentence(text, caret)
        case Qt.Key.Key_PageDown:
            return motion.next_section(text, sections, caret)
        case Qt.Key.Key_PageUp:
            return motion.previous_section(sections, caret)
    return None


def asks_for_menu(event: QKeyEvent) -> bool:
    """Whether it is the menu key or its stand-in."""
    return event.key() == Qt.Key.Key_Menu or (
        event.key() == Qt.Key.Key_F10 and event.modifiers() & ~_KEYPAD == _SHIFT
    )


def extends(event: QKeyEvent) -> bool:
    """Whether the selection grows with the caret."""
    return bool(event.modifiers() & _SHIFT)

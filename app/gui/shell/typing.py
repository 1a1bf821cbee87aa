"""What is typed into fields, and Space on buttons, before it is a mode's key."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_COMMANDING = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_NONE = Qt.KeyboardModifier.NoModifier
# So the key that types signs comes on some systems.
_ALT_GR = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
_EDITING = frozenset(
    {
        Qt.Key.Key_Return,
        Qt.Key.Key_Enter,
        Qt.Key.Key_Delete,
        Qt.Key.Key_Backspace,
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    }
)
_FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)


class TypingKept(QObject):
    """Watches widgets for keys that the part with the focus in them is to have itself."""

    def watch(self, widget: QWidget) -> None:
        """Watch a widget, and the lists that open from its choices: these are windows of their own."""
        widget.installEventFilter(self)
        for choice in widget.findChildren(QComboBox):
            choice.view().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Before a key is a shortcut's, each widget from the focus outwards is asked whether it wants it."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        wanted = _is_wanted(QApplication.focusWidget(), event)
        if wanted:
            event.accept()
        return wanted


def _is_wanted(focused: QWidget | None, event: QKeyEvent) -> bool:
    if isinstance(focused, (QAbstractButton, QComboBox)) and event.key() == Qt.Key.Key_Space:
        return True
    if isinstance(focused, QAbstractItemView) and focused.window().windowType() == Qt.WindowType.Popup:
        # The list takes Return and the like itself, in this same event.
        return _is_typed(event)
    if isinstance(focused, QComboBox) and not focused.isEditable():
        # A letter chooses the entry that begins with it.
        return _is_typed(event)
    if isinstance(focused, QComboBox):
        focused = focused.lineEdit()
    if not isinstance(focused, _FIELDS) or focused.isReadOnly():
        return False
    commanding = event.modifiers() & _COMMANDING
    return _is_typed(event) or (commanding == _NONE and event.key() in _EDITING)


def _is_typed(event: QKeyEvent) -> bool:
    printable = bool(event.text()) and event.text().isprintable()
    return printable and event.modifiers() & _COMMANDING in (_NONE, _ALT_GR)

"""What has a key before it is a command's: an open menu or list, a field, a button."""

from __future__ import annotations

import sys
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

_COMMANDING = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_HELD = _COMMANDING | Qt.KeyboardModifier.ShiftModifier
_HOLDING = frozenset({Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta})
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
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_FOCUS = (QEvent.Type.FocusIn, QEvent.Type.FocusOut)
_X = "xcb"
_Owner = tuple[QWidget | None, bool]
_FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)


class KeysKept(QObject):
    """Keeps keys from being a command's where they are something else's: the menu's or list's that is open,
    the field's that has the focus, or, while a key is held down, that of what it was pressed in.

    It hears the widget with the focus and, only while a menu or list is open, everything: to hear everything
    always would cost a tenth of the time in which a project opens. Where no window is active, as while they
    are made and taken apart, there is no key to hear of.
    """

    # There is one keyboard, of which the first filter that is asked may be the only one to hear.
    _pressed: ClassVar[tuple[int, _Owner]] = (0, (None, False))
    _chord: ClassVar[_Owner] = (None, False)
    _released: ClassVar[tuple[int, int]] = (0, 0)

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._application = application
        application.focusChanged.connect(self._follow)
        application.focusWindowChanged.connect(self._listen)
        self._follow(None, application.focusWidget())

    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and isValid(old):
            old.removeEventFilter(self)
        if new is not None:
            new.installEventFilter(self)
        self._listen()

    def _listen(self) -> None:
        """Hear everything while a menu is open, and in a window without a focus, which tells of no menu."""
        application = self._application
        if isValid(application):
            application.removeEventFilter(self)
            lost = application.activeWindow() is not None and application.focusWidget() is None
            if lost or application.activePopupWidget() is not None:
                application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A key is asked about twice: whether a command may have it, then what becomes of it."""
        kind = event.type()
        if kind in _FOCUS:
            # So Qt tells the widget with the focus that the first menu has opened, or the last one closed.
            self._listen()
        elif isinstance(event, QKeyEvent):
            if kind == QEvent.Type.KeyRelease:
                KeysKept._released = (event.key(), event.timestamp())
            if kind == QEvent.Type.ShortcutOverride:
                return self._keep(event)
            if kind == QEvent.Type.KeyPress:
                idle = self._is_elsewhere(event) or _is_held(watched, event) or self._goes_on(event)
                return idle or _is_no_letter(watched, event) or _pressed_by_return(watched, event)
        return False

    def _keep(self, event: QKeyEvent) -> bool:
        if not event.isAutoRepeat():
            KeysKept._pressed = (event.key(), self._begun_in(event))
        if self._is_elsewhere(event) or self._goes_on(event):
            event.accept()
            return True
        if self._application.activePopupWidget() is not None:
            # The list takes Return and the like itself, in this same event.
            event.accept()
            return False
        wanted = _is_wanted(self._application.focusWidget(), event)
        if wanted:
            event.accept()
        return wanted

    def _goes_on(self, event: QKeyEvent) -> bool:
        """Whether a key is held without being told to be: X says so by the time of its last release alone."""
        again = event.timestamp() > 0 and (event.key(), event.timestamp()) == self._released
        if not again or self._application.platformName() != _X or event.key() in _EDITING - {*_RETURN}:
            return False
        focused = self._application.focusWidget()
        return not (_takes_lines(focused) if event.key() in _RETURN else _is_wanted(focused, event))

    def _begun_in(self, event: QKeyEvent) -> _Owner:
        """Where a key is pressed: that of Alt and a letter in a menu, which Alt has closed meanwhile."""
        owner, held = _owner(), (event.modifiers() & _HELD).value.bit_count()
        if held <= 1 and event.key() in _HOLDING:
            KeysKept._chord = owner
        from_menu = held > 0 and self._chord[1] and not owner[1]
        return self._chord if from_menu else owner

    def _is_elsewhere(self, event: QKeyEvent) -> bool:
        """Whether what the key was pressed in has been closed, or something been opened over it, since."""
        key, owner = self._pressed
        return owner != _owner() and (event.isAutoRepeat() or event.key() == key)


def _owner() -> _Owner:
    """The active window, and whether a menu or list is open in it; what completes a field is no such list."""
    popup = QApplication.activePopupWidget()
    return QApplication.activeWindow(), popup is not None and popup.focusProxy() is None


def _is_wanted(focused: QWidget | None, event: QKeyEvent) -> bool:
    if isinstance(focused, (QAbstractButton, QComboBox)) and event.key() == Qt.Key.Key_Space:
        return True
    if isinstance(focused, QComboBox) and not focused.isEditable():
        # A letter chooses the entry that begins with it; Return closes the list, and once more does nothing.
        return _is_typed(event) or (event.modifiers() & _COMMANDING == _NONE and event.key() in _RETURN)
    if isinstance(focused, QComboBox):
        focused = focused.lineEdit()
    if not isinstance(focused, _FIELDS) or focused.isReadOnly():
        return False
    commanding = event.modifiers() & _COMMANDING
    return _is_typed(event) or (commanding == _NONE and event.key() in _EDITING)


def _is_held(watched: QObject, event: QKeyEvent) -> bool:
    """Return that is held acts once, but for new lines: it would go on to what nobody has seen."""
    return event.isAutoRepeat() and event.key() in _RETURN and not _takes_lines(watched)


def _is_no_letter(watched: QObject, event: QKeyEvent) -> bool:
    """Alt and a letter that is underlined nowhere, which Qt would write; on macOS it types signs."""
    fills = isinstance(watched, QComboBox) or (isinstance(watched, _FIELDS) and not watched.isReadOnly())
    alone = event.modifiers() & _COMMANDING == Qt.KeyboardModifier.AltModifier
    return fills and alone and event.text() > " " and sys.platform != "darwin"


def _takes_lines(focused: QObject | None) -> bool:
    return isinstance(focused, (QTextEdit, QPlainTextEdit)) and not focused.isReadOnly()


def _pressed_by_return(watched: QObject, event: QKeyEvent) -> bool:
    """Return, where it is no command's, presses the button with the focus; Qt leaves that to the desktop."""
    plain = event.modifiers() & _COMMANDING == _NONE
    if isinstance(watched, QPushButton) and plain and event.key() in _RETURN:
        watched.click()
        return True
    return False


def _is_typed(event: QKeyEvent) -> bool:
    printable = bool(event.text()) and event.text().isprintable()
    return printable and event.modifiers() & _COMMANDING in (_NONE, _ALT_GR)

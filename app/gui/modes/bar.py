"""The line at the bottom of the window: the modes, each with its key, then what the status line says."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.gui.actions import Actions
from app.gui.dialogs.key_rules import plain_words
from app.gui.modes.mode import ModeId
from app.gui.panels.parts import follow_keys
from app.gui.plain import ElidedButton
from app.gui.tips import explain

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_GAP = 4
# How much of the line the modes may take: with their keys, and at all.
_WITH_KEYS, _MOST = 0.5, 0.6


class ModeBar(QWidget):
    """One button for each mode, that of the mode on screen pressed; the arrow keys go along them."""

    def __init__(self, actions: Actions, modes: Sequence[ModeId], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions, self._room = actions, 0
        self.setAccessibleName("Modes")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        self.buttons: dict[ModeId, QPushButton] = {}
        for mode in modes:
            button = self.buttons[mode] = ElidedButton()
            button.setCheckable(True)
            button.clicked.connect(actions[f"mode.{mode}"].trigger)
            row.addWidget(button)
        follow_keys(self, actions, [f"mode.{mode}" for mode in modes], self._write)

    def show_mode(self, current: ModeId) -> None:
        """Press the button of this mode and no other."""
        for mode, button in self.buttons.items():
            button.setChecked(mode == current)

    def take_focus(self) -> None:
        """Put the focus on the mode on screen."""
        for button in self.buttons.values():
            if button.isChecked():
                button.setFocus(Qt.FocusReason.TabFocusReason)

    def fit(self, room: int) -> None:
        """Take a place in a line of so many pixels, where they are few without keys, then with cut words."""
        self._room = room
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._write()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go along the buttons by the arrow keys, and press one by Enter as by Space."""
        buttons = list(self.buttons.values())
        here = next((number for number, button in enumerate(buttons) if button.hasFocus()), None)
        step = _STEPS.get(Qt.Key(event.key()), 0)
        if here is not None and step:
            buttons[(here + step) % len(buttons)].setFocus(Qt.FocusReason.TabFocusReason)
        elif here is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            buttons[here].click()
        else:
            super().keyPressEvent(event)

    # Inside

    def _write(self) -> None:
        self._name(with_keys=True)
        wanted = self._wanted()
        if wanted > self._room * _WITH_KEYS:
            self._name(with_keys=False)
            wanted = self._wanted()
        self.setFixedWidth(min(wanted, round(self._room * _MOST)))

    def _wanted(self) -> int:
        hints = [button.sizeHint().width() for button in self.buttons.values()]
        return sum(hints) + _GAP * (len(hints) - 1)

    def _name(self, *, with_keys: bool) -> None:
        for mode, button in self.buttons.items():
            command = f"mode.{mode}"
            words, key = plain_words(self._actions.command(command)), self._actions.key(command)
            button.setText(f"{words}  {key}" if with_keys and key else words)
            button.setAccessibleName(words)
            explain(button, self._actions.hint(command))


class BottomLine(QWidget):
    """The modes at the left, the status line in the room that is left."""

    def __init__(self, modes: ModeBar, status: QWidget) -> None:
        super().__init__()
        self._modes = modes
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(modes)
        row.addWidget(status, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the modes their share."""
        super().resizeEvent(event)
        self._modes.fit(event.size().width())

"""The line at the top of the window: the modes, each with its key, and at the right who annotates."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.gui.dialogs.keys.rules import plain_words
from app.gui.modes.mode import ModeId
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import follow_keys
from app.gui.widgets.flow import Fitted
from app.gui.widgets.plain import ElidedButton
from app.gui.widgets.tips import explain, with_key

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_GAP, _MARGIN = 4, 8
# How much of the line the modes may take, and the room above and below them.
_MOST, _AROUND = 0.85, 2


class ModeBar(QWidget):
    """One button for each mode, that of the mode on screen pressed; the arrow keys go along them."""

    def __init__(self, actions: Actions, modes: Sequence[ModeId]) -> None:
        super().__init__()
        self._actions = actions
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
        follow_keys(self, actions, [f"mode.{mode}" for mode in modes], self._explain)

    def show_mode(self, current: ModeId) -> None:
        for mode, button in self.buttons.items():
            button.setChecked(mode == current)

    def take_focus(self) -> None:
        for button in self.buttons.values():
            if button.isChecked():
                button.setFocus(Qt.FocusReason.TabFocusReason)

    def fit(self, room: int) -> int:
        """The width in pixels that it takes of so many: without keys, then with cut words, where it must."""
        with_keys = self._wanted(with_keys=True) <= room * _MOST
        for mode, button in self.buttons.items():
            button.setText(self._words(mode, with_keys=with_keys))
        return min(self._wanted(with_keys=with_keys), int(room * _MOST))

    def keyPressEvent(self, event: QKeyEvent) -> None:
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

    def _explain(self) -> None:
        for mode, button in self.buttons.items():
            button.setAccessibleName(self._words(mode, with_keys=False))
            explain(button, self._actions.hint(f"mode.{mode}"))
        # Whoever holds the bar gives it its place anew.
        self.updateGeometry()

    def _wanted(self, *, with_keys: bool) -> int:
        widths = []
        for mode, button in self.buttons.items():
            advance = button.fontMetrics().horizontalAdvance
            around = button.sizeHint().width() - advance(button.text())
            widths.append(around + advance(self._words(mode, with_keys=with_keys)))
        return sum(widths) + _GAP * (len(widths) - 1)

    def _words(self, mode: ModeId, *, with_keys: bool) -> str:
        command = f"mode.{mode}"
        key = self._actions.key(command) if with_keys else ""
        return with_key(plain_words(self._actions.command(command)), key)


class TopLine(Fitted, QWidget):
    """The modes at the left, where the eye begins; at the right another widget, in the room that is left."""

    def __init__(self, modes: ModeBar, right: QWidget) -> None:
        super().__init__()
        self._modes, self._right = modes, right
        for part in (modes, right):
            part.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as the higher part; its words are cut where it is too narrow for them."""
        return QSize(0, max(part.sizeHint().height() for part in (self._modes, self._right)) + 2 * _AROUND)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self.arrange()
        return super().event(event)

    def arrange(self) -> None:
        height = self.height() - 2 * _AROUND
        left = _MARGIN + self._modes.fit(self.width())
        self._modes.setGeometry(_MARGIN, _AROUND, left - _MARGIN, height)
        width = min(self._right.sizeHint().width(), self.width() - left - 2 * _MARGIN)
        self._right.setGeometry(self.width() - _MARGIN - width, _AROUND, width, height)

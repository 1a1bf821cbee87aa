"""The fields of a category to pick from by a digit, a first letter, the arrows or the mouse."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

NO_FIELD = "no field"


class FieldMenu(QMenu):
    """`picked` says the field, "" for none; a letter that begins several fields goes from one to the next."""

    picked = Signal(str)

    def __init__(self, fields: Sequence[str], current: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Field")
        self._by_key: dict[str, list[QAction]] = {}
        for number, field in enumerate(["", *fields]):
            action = self._added(number, field)
            action.setChecked(field == current)
            if field == current:
                self.setActiveAction(action)

    def _added(self, number: int, field: str) -> QAction:
        words = field or NO_FIELD
        digit = str(number) if number < 10 else ""
        # An ampersand in a field's name is a letter, not a mark for the key.
        shown = words.replace("&", "&&")
        # The blanks at the end are room that Qt forgets beside the ticks of large menus.
        action = self.addAction(f"{digit or ' '}   {shown}    ")
        action.setCheckable(True)
        action.triggered.connect(lambda _checked=False: self.picked.emit(field))
        for key in filter(None, [digit, words[0].casefold()]):
            self._by_key.setdefault(key, []).append(action)
        return action

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        # Digits keep their text with Ctrl, which is for commands.
        actions = [] if held else self._by_key.get(event.text().casefold(), [])
        if len(actions) == 1:
            actions[0].trigger()
            self.close()
        elif actions:
            place = actions.index(self.activeAction()) + 1 if self.activeAction() in actions else 0
            self.setActiveAction(actions[place % len(actions)])
        else:
            super().keyPressEvent(event)

"""The row of choices: one button each, with its key; what cannot be chosen says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import why_not
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.parts import follow_keys
from app.gui.widgets.plain import caption
from app.gui.widgets.tips import explain, with_key
from app.operations.reconcile.preview import CHOICES
from app.text import counted, shortened

if TYPE_CHECKING:
    from app.reconcile.choices import Choice

COMMANDS: Mapping[Choice, str] = {
    "left": "reconcile.left",
    "right": "reconcile.right",
    "both": "reconcile.both",
    "merged": "reconcile.merge",
    "edited": "reconcile.edit",
    "neither": "reconcile.neither",
    "ask": "reconcile.ask",
}
_WORDS: Mapping[Choice, str] = {
    "both": "Both",
    "merged": "Merge",
    "edited": "Edit",
    "neither": "Neither",
    "ask": "Ask again",
}
_LONGEST = 16


class ChoiceRow(FlowRow):
    """The choice that was taken stays pressed."""

    def __init__(self, work: Work, actions: Actions) -> None:
        super().__init__()
        self._work, self._actions = work, actions
        self.buttons: dict[Choice, QPushButton] = {}
        for choice in CHOICES:
            button = self.buttons[choice] = QPushButton()
            button.setCheckable(True)
            button.clicked.connect(actions[COMMANDS[choice]].trigger)
            # It is pressed where that is decided, not where it was clicked.
            button.clicked.connect(self._show_words)
            self.add(button)
        work.queue_changed.connect(self._write)
        work.current_changed.connect(self._show_words)
        work.states_changed.connect(lambda _: self._show_words())
        follow_keys(self, actions, tuple(COMMANDS.values()), self._write)

    def _write(self) -> None:
        words = {**_WORDS, "left": self._work.left or "Left", "right": self._work.right or "Right"}
        for choice, button in self.buttons.items():
            key = self._actions.key(COMMANDS[choice])
            text = shortened(words[choice], _LONGEST)
            button.setText(caption(with_key(text, key)))
        self.arrange()
        self._show_words()

    def _show_words(self) -> None:
        work = self._work
        offered, there = work.choices(), work.decision()
        targets = work.targets()
        many = f" on {counted(len(targets), 'difference')}" if work.whole else ""
        for choice, button in self.buttons.items():
            button.setEnabled(choice in offered)
            button.setChecked(there is not None and there.choice == choice)
            hint = self._actions.hint(COMMANDS[choice]) + many
            explain(button, hint if choice in offered or not targets else why_not(choice))

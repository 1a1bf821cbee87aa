"""Above the text: what the current term is, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton, QWidget

from app.gui.widgets.boxes import for_command, stacked
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.plain import ElidedButton, ElidedLabel, quoted

if TYPE_CHECKING:
    from app.gui.modes.phenotypes.items import Item
    from app.gui.modes.phenotypes.work import ProfileWork
    from app.gui.shell.acts.actions import Actions

_BUTTONS = (
    ("accept", "Accept"),
    ("reject", "Reject"),
    ("present", "Present"),
    ("negated", "Denied"),
    ("uncertain", "Uncertain"),
    ("term", "Term"),
    ("next", "Next"),
    ("previous", "Previous"),
    ("accept_all", "Accept all"),
)
_OF_A_TERM = ("accept", "reject", "present", "negated", "uncertain")
STANDING = {
    "own": "in the profile",
    "suggested": "suggested: it does not count until you accept it",
    "rejected": "rejected",
    "relative": "of a relative: it never counts",
}
_PAD, _GAP = 8, 4


class TermStrip(QWidget):
    """A sentence, and below it the keys as buttons."""

    def __init__(self, work: ProfileWork, actions: Actions) -> None:
        super().__init__()
        self._work = work
        self.sentence = ElidedLabel()
        self.buttons: dict[str, QPushButton] = {}
        row = FlowRow()
        for name, words in _BUTTONS:
            button = for_command(ElidedButton(flat=False), words, actions, f"phenotypes.{name}")
            self.buttons[name] = button
            row.add(button)
        stacked(self, self.sentence, row, margins=(_PAD, _GAP, _PAD, _GAP), spacing=_GAP)
        work.message.connect(self.sentence.say)
        work.changed.connect(self.refresh)
        work.current_changed.connect(self.refresh)

    def take_focus(self) -> None:
        self.buttons["next"].setFocus()

    def refresh(self) -> None:
        item = self._work.item
        for name in _OF_A_TERM:
            self.buttons[name].setEnabled(item is not None)
        left = sum(map(self._work.is_open, self._work.items))
        self.buttons["next"].setEnabled(bool(left))
        self.buttons["accept_all"].setEnabled(bool(left))
        self.buttons["previous"].setEnabled(bool(self._work.items))
        if item is not None:
            self.sentence.say(_about(item))
        elif left:
            self.sentence.say(f"{left} suggested here and not judged yet.")
        else:
            self.sentence.say("Nothing here is left to judge." if self._work.items else "")


def _about(item: Item) -> str:
    quote = quoted(item.annotation.finding.quote)
    return f"{item.words} ({item.coding.code}), {STANDING[item.standing]} · {quote}"

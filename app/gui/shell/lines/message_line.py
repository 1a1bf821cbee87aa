"""What the program said last, on a line of its own, and all that it has said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QTime
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import lined
from app.gui.widgets.parts import print_key
from app.gui.widgets.plain import ElidedLabel, one_line
from app.gui.widgets.wording import in_window

_COMMAND = "view.messages"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence, and when it was said."""

    time: str
    sentence: str


class MessageLine(QWidget):
    """Shows a message until it is taken away; its tool tip has all of it, and so has the log."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.log: list[Message] = []
        self.message = ElidedLabel()
        self.open_log = QPushButton()
        self.open_log.setFlat(True)
        self.open_log.setStyleSheet("QPushButton { padding: 1px 6px; }")
        self.open_log.clicked.connect(actions[_COMMAND].trigger)
        print_key(self.open_log, "Messages", actions, _COMMAND)
        self.take_offer = QPushButton()
        self.take_offer.setVisible(False)
        self.take_offer.setStyleSheet("QPushButton { padding: 1px 6px; }")
        self.take_offer.clicked.connect(self._take)
        self._offer: Callable[[], object] | None = None
        lined(self, self.message, self.take_offer, self.open_log, wide=self.message, spacing=16)

    def offer(self, sentence: str, words: str, call: Callable[[], object]) -> None:
        """Show a message with a button of these words, which calls; both are there until the next message."""
        self.show_message(sentence)
        self._offer = call
        self.take_offer.setText(words)
        self.take_offer.setVisible(True)

    def show_message(self, sentence: str) -> None:
        """Show a message until the next one, put it into the log, and read it out."""
        sentence = in_window(sentence)
        self.log.append(Message(QTime.currentTime().toString("HH:mm:ss"), one_line(sentence)))
        self.clear()
        self.message.say(sentence)
        QAccessible.updateAccessibility(QAccessibleEvent(self.message, QAccessible.Event.Alert))

    def clear(self) -> None:
        """Take the message away; it stays in the log."""
        self.message.say("")
        self._offer = None
        self.take_offer.setVisible(False)

    def _take(self) -> None:
        call, self._offer = self._offer, None
        if call is not None:
            call()

    def show_log(self) -> None:
        """List what was said since the project was opened, the last first."""
        from app.gui.dialogs.project.summary import Part, SummaryDialog
        from app.text import counted

        lines = [f"{one.time}  {one.sentence}" for one in reversed(self.log)]
        since = "since the project was opened, the last one first."
        headline = f"{counted(len(lines), 'message')} {since}" if lines else "There are no messages yet."
        SummaryDialog("Messages", headline, parts=[Part("Messages", lines)], parent=self.window()).open()

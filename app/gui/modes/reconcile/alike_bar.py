"""One quiet line after a decision: others like it are undecided."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.gui.modes.reconcile.reasons import Offer
from app.gui.modes.reconcile.words import likeness_words
from app.gui.modes.reconcile.work import Work
from app.gui.shell.actions import Actions
from app.gui.widgets.parts import follow_keys
from app.gui.widgets.plain import ElidedButton, caption
from app.gui.widgets.tips import explain


class AlikeBar(ElidedButton):
    """Keeps its height where there is nothing to offer; takes no focus of its own accord."""

    wanted = Signal(object)

    def __init__(self, work: Work, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.offer: Offer | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self.take)
        work.offered.connect(self._show)
        follow_keys(self, actions, ["reconcile.alike"], self._write)

    def clear(self) -> None:
        """Offer nothing."""
        self.offer = None
        self._write()

    def take(self) -> None:
        """Ask for the offered ones to be listed, if there are any."""
        if self.offer is not None:
            self.wanted.emit(self.offer)

    def _show(self, offer: Offer) -> None:
        self.offer = offer if offer.items else None
        self._write()

    def _write(self) -> None:
        self.setVisible(self.offer is not None)
        if self.offer is None:
            self.setText(" ")
            return
        number = len(self.offer.items)
        kinds = Counter(map(likeness_words, self.offer.items))
        wherein = ", ".join(f"{words} ({count})" for words, count in kinds.items())
        key = self._actions.key("reconcile.alike")
        others = "1 other is" if number == 1 else f"{number} others are"
        said = f"{others} alike: {wherein}"
        self.setText(caption(f"{said} – {key} to look at them" if key else said))
        explain(self, f"{said}. Decide on them at once, after looking at each.")

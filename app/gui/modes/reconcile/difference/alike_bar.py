"""One quiet line after a decision: others like it are undecided."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from app.gui.modes.reconcile.queue.rationale import Offer
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import likeness_words
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.parts import follow_keys
from app.gui.widgets.plain import ElidedButton, caption
from app.gui.widgets.tips import explain

_DECIDE_FIRST = "Decide on a difference first; those like it are offered then."
_NOTHING_ALIKE = "Nothing that is undecided is like the difference decided last."
_ALONE = {
    "edited": "An edited span has its place in one report; it is not decided on others.",
    "ask": "What is to be asked again is not decided on others.",
}


class AlikeBar(ElidedButton):
    """Keeps its height where there is nothing to offer; takes no focus of its own accord."""

    wanted = Signal(object)
    # Why there is nothing to list.
    nothing = Signal(str)

    def __init__(self, work: Work, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.offer: Offer | None = None
        self._why_not = _DECIDE_FIRST
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        kept = self.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.setSizePolicy(kept)
        self.clicked.connect(self.take)
        work.offered.connect(self._show)
        follow_keys(self, actions, ["reconcile.alike"], self._write)

    def clear(self) -> None:
        """Offer nothing."""
        self.offer, self._why_not = None, _DECIDE_FIRST
        self._write()

    def take(self) -> None:
        """Ask for the offered ones to be listed; where there are none, say why."""
        if self.offer is not None:
            self.wanted.emit(self.offer)
        else:
            self.nothing.emit(self._why_not)

    def _show(self, offer: Offer) -> None:
        self.offer = offer if offer.items else None
        self._why_not = _ALONE.get(offer.resolution.choice, _NOTHING_ALIKE)
        self._write()

    def _write(self) -> None:
        self.setVisible(self.offer is not None)
        if self.offer is None:
            self.setText(" ")
            return
        kinds = {likeness_words(item): item.total for item in self.offer.items}
        number = sum(kinds.values())
        wherein = ", ".join(f"{words} ({count:,})" for words, count in kinds.items())
        key = self._actions.key("reconcile.alike")
        others = "1 other is" if number == 1 else f"{number:,} others are"
        self.setText(caption(f"{others} alike{f' ({key})' if key else ''}: {wherein}"))
        explain(self, f"{others} alike: {wherein}. Decide on them at once, after checking each.")

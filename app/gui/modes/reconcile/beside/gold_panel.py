"""The gold set: how much of it is settled, how it is built, and what it corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app.gui.dialogs.forms import plain_label
from app.gui.modes.reconcile.queue.work import Work
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import stacked
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.parts import heading_label, print_key
from app.text import counted

if TYPE_CHECKING:
    from app.operations.reconcile.gold import GoldSummary

_LINES = 2


class GoldPanel(QWidget):
    """Says what building would come to, and after it what was written."""

    def __init__(self, work: Work, actions: Actions) -> None:
        super().__init__()
        self._work = work
        self.words = plain_label()
        self.words.setAccessibleName("State of the gold set")
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self.build, self.corrections, self.export = QPushButton(), QPushButton(), QPushButton("Export…")
        print_key(self.build, "Build", actions, "reconcile.gold")
        self.build.clicked.connect(actions["reconcile.gold"].trigger)
        print_key(self.corrections, "Corrections", actions, "reconcile.corrections")
        self.corrections.clicked.connect(actions["reconcile.corrections"].trigger)
        buttons = FlowRow(self.build, self.corrections, self.export)
        stacked(self, heading_label("Gold set"), self.words, buttons, margins=(8, 4, 8, 8), spacing=4)
        self._built = ""
        work.queue_changed.connect(self._show_words)
        work.states_changed.connect(lambda _: self.forget())
        self._show_words()

    def show_built(self, summary: GoldSummary) -> None:
        """Say what was written."""
        self._built = built_words(summary)
        self._show_words()

    def forget(self) -> None:
        """What was built last is not how it is any more."""
        self._built = ""
        self._show_words()

    def _show_words(self) -> None:
        self.words.setMinimumHeight(_LINES * self.words.fontMetrics().lineSpacing())
        queue = self._work.queue
        self.build.setEnabled(queue is not None)
        self.corrections.setEnabled(queue is not None)
        if queue is None:
            self.words.setText("")
            return
        counts = self._work.counts
        asked = f"{counts['asked']:,} to be asked again, " if counts["asked"] else ""
        agreed = counted(queue.agreed, "span")
        words = f"{agreed} agreed, {counts['decided']:,} decided, {asked}{counts['open']:,} undecided."
        self.words.setText(self._built or words)


def built_words(summary: GoldSummary) -> str:
    """What a gold set is made of, and what is not in it."""
    words = f"{summary.name}: {counted(summary.spans, 'span')} in {counted(summary.reports, 'report')}"
    words += f" ({summary.added:,} added, {summary.removed:,} removed)."
    if summary.undecided:
        words += f" {counted(summary.undecided, 'difference')} undecided and left out."
    if summary.fields_differ:
        words += (
            f" In {counted(summary.fields_differ, 'span')} the fields differ; {summary.left}'s are taken."
        )
    return words

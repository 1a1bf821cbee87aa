"""Before rating begins: who rates, what is rated, and whether the rater is to be blind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.gui.dialogs.annotate.others import KINDS
from app.gui.dialogs.fields import Ask, Form, asked, line, tick
from app.gui.dialogs.forms import GRID, indented, plain_label
from app.gui.widgets.boxes import stacked
from app.gui.widgets.tick_list import TickList
from app.text import counted

if TYPE_CHECKING:
    from app.store.annotate.annotators import Annotator

NOTHING = (
    "There is nothing to rate yet: nobody but you has annotated a report. Extract with the rules or a model "
    "first (Project, Extract with rules or a model…)."
)
ABOUT = (
    "You are shown what a run has found in a report, beside the report's text, and rate it on twelve items "
    "from 1 to 5. Each rating is saved as you go on; you can stop at any time."
)
RECORDED = (
    "If you annotate here, rating shows you others' spans, and Casespan records that for "
    "each report: finish your own work on a report before you rate outputs of it."
)


@dataclass(frozen=True, slots=True)
class Rating:
    """Who rates, and whether he is to be told no names."""

    rater: str = asked("", Ask(line, "&Rater:"))
    blind: bool = asked(True, Ask(tick, "&Blind: hide who or what made the output"))


class StartPage(QWidget):
    """`changed` comes with every choice."""

    changed = Signal()

    def __init__(self, rater: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sets: tuple[Annotator, ...] = ()
        self._chosen: set[str] = set()
        self.form = Form(Rating(rater))
        self.form.changed.connect(self._turn)
        self.list = TickList("Annotation sets to rate")
        self.list.setMinimumHeight(6 * self.fontMetrics().lineSpacing())
        self.list.ticked.connect(self._tick)
        self.hidden = plain_label()
        self.hidden.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.hidden.setAccessibleName("Annotation sets to rate")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.hidden)
        self._pages.addWidget(self.list)
        self.progress = plain_label("Reading…")
        self.progress.setAccessibleName("Progress")
        sets = indented(self._pages)
        whole = stacked(self, plain_label(ABOUT), plain_label(RECORDED), self.form, sets, self.progress)
        whole.setContentsMargins(0, GRID, 0, 0)
        whole.setSpacing(2 * GRID)
        whole.setStretchFactor(sets, 1)
        self._turn()

    def names(self) -> tuple[str, ...]:
        """The names of all sets, rated or not."""
        return tuple(one.name for one in self._sets)

    def name(self) -> str:
        """Who rates."""
        return self.form.value.rater

    def chosen(self) -> tuple[str, ...]:
        """The names of the sets to be rated."""
        return tuple(one.name for one in self._sets if one.name in self._chosen)

    def put(self, sets: Sequence[Annotator]) -> None:
        """Offer sets; at first all runs are chosen."""
        new = {one.name for one in sets} - {one.name for one in self._sets}
        self._sets = tuple(sets)
        self._chosen |= {one.name for one in sets if one.name in new and one.kind == "run"}
        self._turn()

    def _turn(self) -> None:
        """Names, or how many there are; nobody who is blind reads a name."""
        blind = self.form.value.blind
        shown = () if blind else self._sets
        self.list.put([(f"{one.name} – {KINDS[one.kind]}", one.name) for one in shown], self._chosen)
        there = len(self._sets)
        self.hidden.setText(
            f"{len(self.chosen())} of {counted(there, 'set')} of annotations are rated: all runs at first. "
            "They are called “Output A” and so on; the letters are drawn anew for each report. To choose "
            "others, turn this off for a moment."
            if there
            else NOTHING
        )
        self._pages.setCurrentWidget(self.list if self._sets and not blind else self.hidden)
        self.changed.emit()

    def _tick(self) -> None:
        self._chosen = set(self.list.chosen())
        self.changed.emit()

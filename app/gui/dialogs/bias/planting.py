"""Plant errors into a copy of a run: from which run, how many, of which kinds, under what name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.gui.dialogs.fields import Ask, Form, asked, choice, line, number, ticks
from app.gui.dialogs.forms import GRID, plain_label, while_alive
from app.gui.widgets.boxes import push_button, stacked
from app.gui.widgets.plain import quoted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.bias.seeding import PlantedSummary
    from app.operations.bias.seeding_rules import MistakeKind
    from app.operations.bias.sets import BiasSets

ABOUT = (
    "A copy of a run is made as an annotation set of its own, in which some spans are "
    "wrong; nothing tells them apart in a review. The share that is rejected or corrected"
    " shows how closely suggestions are checked."
)
WARNING = (
    "The copy holds wrong spans: do not use it as results, and remove accepted errors from a set before that "
    "is used."
)
_KINDS: tuple[tuple[str, MistakeKind, str], ...] = (
    ("S&purious spans", "spurious", "Words that have nothing to do with their category."),
    ("Wrong cate&gory", "label", "A span of the run, put into another category."),
    ("Wrong e&dges", "boundary", "A span of the run, some words too long or too short."),
    ("Wrong polar&ity", "polarity", "Present where it is negated, or the other way round."),
)


@dataclass(frozen=True, slots=True)
class Planting:
    """What is to be planted, and where."""

    run: str | None = asked(None, Ask(choice, "Run to cop&y:"))
    name: str = asked(
        "", Ask(line, "Na&me of the copy:", help="Reviewers see this name: it should not mention errors.")
    )
    share: int = asked(
        10,
        Ask(
            number,
            "&Number of errors:",
            "Errors, in percent of the spans",
            least=1,
            most=100,
            suffix=" % of the spans",
        ),
    )
    seed: int = asked(
        1, Ask(number, "S&eed:", help="The same seed plants the same errors in the same project.")
    )
    kinds: tuple[MistakeKind, ...] = asked(
        tuple(kind for _, kind, _ in _KINDS), Ask(ticks, "Kinds:", choices=_KINDS)
    )


class PlantingForm(QWidget):
    """Makes a copy with errors; `planted` says what it came to, `refused` why nothing did."""

    planted = Signal(object)
    refused = Signal(str)

    def __init__(self, session: ProjectSession) -> None:
        super().__init__()
        self._session = session
        self._taken: tuple[str, ...] = ()
        self._run: str | None = None
        self.warning = plain_label(WARNING)
        self.warning.setAccessibleName("Warning")
        font = self.warning.font()
        font.setBold(True)
        self.warning.setFont(font)
        self.form = Form(Planting())
        self.button = push_button("P&lant errors", self._plant)
        self.outcome = plain_label()
        self.outcome.setAccessibleName("What was planted")
        self.outcome.setMinimumHeight(2 * self.outcome.fontMetrics().lineSpacing())
        self.outcome.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        parts = (plain_label(ABOUT), self.warning, self.form, self.button, self.outcome)
        stacked(self, *parts, margins=(3 * GRID, 0, 0, 0)).setAlignment(
            self.button, Qt.AlignmentFlag.AlignLeft
        )
        self.form.changed.connect(self._check)
        self._check()

    def offer(self, sets: BiasSets) -> None:
        """Let the runs be chosen that there are."""
        self._taken, self._run = sets.taken, None
        self.form.offer("run", [(name, name) for name in sets.sources], self.form.value.run)
        self._check()

    def show_message(self, sentence: str) -> None:
        """Say below the button what was planted."""
        self.outcome.setText(sentence)

    def _propose_name(self, run: str | None) -> None:
        self._run = run
        names = [f"{run} for review"]
        names += [f"{run} for review {number}" for number in range(2, len(self._taken) + 3)]
        self.form.put(name=next(name for name in names if name not in self._taken) if run else "")

    def _check(self) -> None:
        wanted = self.form.value
        if wanted.run != self._run:
            self._propose_name(wanted.run)
            return
        if wanted.name in self._taken:
            self.show_message(
                f"There is a set called {quoted(wanted.name)} already; give the copy another name."
            )
        free = wanted.name and wanted.name not in self._taken
        self.button.setEnabled(bool(wanted.run and free and wanted.kinds))

    def _plant(self) -> None:
        from app.operations.bias.seeding import plant_errors

        wanted = self.form.value
        self.button.setEnabled(False)
        self._session.worker.act(
            lambda project: plant_errors(
                project,
                wanted.run or "",
                wanted.name,
                share=wanted.share / 100,
                seed=wanted.seed,
                kinds=wanted.kinds,
            ),
            while_alive(self, self._done),
            while_alive(self, self._fail),
        )

    def _done(self, summary: PlantedSummary) -> None:
        self._session.reload()
        self.planted.emit(summary)

    def _fail(self, sentence: str) -> None:
        self._check()
        self.refused.emit(sentence)

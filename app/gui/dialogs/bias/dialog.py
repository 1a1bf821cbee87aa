"""Does help bias? The numbers in words and tables, written to a file, and errors planted to measure by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.gui.dialogs.bias.section import SectionView
from app.gui.dialogs.fields import Ask, Form, asked, choice, line, number, ticks
from app.gui.dialogs.files import ask_save
from app.gui.dialogs.forms import GRID, FormDialog, Role, fold, plain_label
from app.gui.widgets.boxes import push_button, stacked
from app.gui.widgets.plain import bold, cut_in_middle, quoted
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.bias.measures import Bias
    from app.operations.bias.report import BiasSets
    from app.operations.bias.seeding import PlantedSummary
    from app.operations.bias.seeding_rules import MistakeKind
    from app.operations.project.seeded_errors import PlantedAccepted
    from app.store.project import Project

PLANTING = (
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
        self._clash = ""
        self.warning = plain_label(WARNING, "Warning")
        self.warning.setFont(bold(self.warning.font()))
        self.form = Form(Planting())
        self.button = push_button("P&lant errors", self._plant)
        self.outcome = plain_label(name="What was planted", lines=2)
        parts = (plain_label(PLANTING), self.warning, self.form, self.button, self.outcome)
        stacked(self, *parts, margins=(3 * GRID, 0, 0, 0)).setAlignment(
            self.button, Qt.AlignmentFlag.AlignLeft
        )
        self.form.changed.connect(self._check)
        self._check()

    def offer(self, sets: BiasSets) -> None:
        self._taken, self._run = sets.taken, None
        self.form.offer("run", [(name, name) for name in sets.sources], self.form.value.run)
        self._check()

    def show_message(self, sentence: str) -> None:
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
        refused = f"There is a set called {quoted(wanted.name)} already; give the copy another name."
        clash = refused if wanted.name in self._taken else ""
        if clash != self._clash:
            # What was planted last stays until then.
            self._clash = clash
            self.show_message(clash)
        self.button.setEnabled(bool(wanted.run and wanted.name and not clash and wanted.kinds))

    def _plant(self) -> None:
        from app.operations.bias.seeding import plant_errors

        wanted = self.form.value
        self.button.setEnabled(False)
        share, seed, kinds = wanted.share / 100, wanted.seed, wanted.kinds
        self._session.worker.act(
            lambda p: plant_errors(p, wanted.run or "", wanted.name, share=share, seed=seed, kinds=kinds),
            self._done,
            self._fail,
            says=True,
        )

    def _done(self, summary: PlantedSummary) -> None:
        self._session.reload()
        self.planted.emit(summary)

    def _fail(self, sentence: str) -> None:
        self._check()
        self.refused.emit(sentence)


ABOUT = (
    "How much of somebody's work was done blind, what became of a run's suggestions, how long that took, and "
    "whether agreement differs where the suggestions were shown."
)
_LINES = 46
_SCREEN_SHARE = 0.92
SHOWN_ONE, NO_REFERENCE = "the run that was shown", "none"
_NOTHING_YET = "Finish a report, or review what a run found, and there is something to measure."
_NOBODY = "Nobody has annotated anything yet. Annotate a report, or review a run, and measure then."


@dataclass(frozen=True, slots=True)
class Sides:
    """Whose work is measured, beside which run and against what."""

    annotator: str | None = asked(None, Ask(choice, "&Annotator:"))
    run: str | None = asked(None, Ask(choice, "&Run:", "Run that made suggestions"))
    against: str | None = asked(None, Ask(choice, "Re&ference:"))


class BiasDialog(FormDialog):
    """Measures anew whenever another set is chosen."""

    guide = "agreement"

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__("Automation bias", parent)
        self._session = session
        self.bias: Bias | None = None
        self.form = Form(Sides())
        self.section = SectionView()
        self.remove_button = push_button("", self._remove)
        self.remove_button.setVisible(False)
        self.planting = PlantingForm(session)
        self.planting.planted.connect(self._planted)
        self.planting.refused.connect(self.say)
        self.fold = fold("Plan&t errors", self.planting)
        parts = (plain_label(ABOUT), self.form, self.section, self.remove_button, self.fold, self.planting)
        self.lay_out(*parts, None)
        self.body.setAlignment(self.remove_button, Qt.AlignmentFlag.AlignLeft)
        self.export_button = self.add_button("E&xport…", Role.ActionRole, self._choose_file)
        self.copy_button = self.add_button("Copy a&s text", Role.ActionRole, self._copy)
        self.add_button("&Close", Role.RejectRole, default=True)
        self.form.changed.connect(self.measure)
        self._allow()
        self.read()

    def read(self) -> None:
        """Read anew what there is to choose from, then measure."""
        from app.operations.bias.report import list_bias_sets

        self.say("Measuring…")
        self._session.worker.ask(list_bias_sets, self._offer, self.say, latest="bias sets")

    def measure(self) -> None:
        sides = self.form.value
        if sides.annotator is None:
            return
        self.say("Measuring…")
        self._session.worker.ask(lambda p: _measure(p, sides), self._show, self._fail, latest="bias")

    def export_to(self, out: Path) -> None:
        """Write the section to a file: CSV where its name says so, a page otherwise."""
        from app.operations.bias.report import report_bias, tabulate_bias

        bias = self.bias
        if bias is None:
            return
        write = tabulate_bias if out.suffix.lower() == ".csv" else report_bias
        self._session.worker.ask(lambda _: write(bias, out), partial(self._written, out), self.say)

    def sizeHint(self) -> QSize:
        """High enough for the tables, which come when it is on screen already, within the screen."""
        hint, screen = super().sizeHint(), self.screen().availableSize() * _SCREEN_SHARE
        high = min(self.fontMetrics().lineSpacing() * _LINES, screen.height())
        return hint.expandedTo(QSize(0, high))

    # Inside

    def _written(self, out: Path, _: object) -> None:
        self.say(f"Written to {cut_in_middle(str(out))}.")

    def _offer(self, sets: BiasSets) -> None:
        sides = self.form.value
        for name, first, names, chosen in (
            ("annotator", (), sets.people, sides.annotator or self._session.annotator),
            ("run", ((SHOWN_ONE, ""),), sets.runs, sides.run),
            ("against", ((NO_REFERENCE, ""),), sets.references, sides.against),
        ):
            self.form.offer(name, [*first, *((known, known) for known in names)], chosen)
        self.planting.offer(sets)
        if sets.people:
            self.measure()
        else:
            self.say(_NOBODY)
        self._allow()

    def _show(self, bias: Bias) -> None:
        from app.operations.bias.tables import bias_parts

        self.bias = bias
        self.section.show_parts(bias_parts(bias), bias.caveats)
        self.remove_button.setVisible(bool(bias.passed))
        self.remove_button.setText(f"Remove accepted err&ors from this set ({bias.passed})")
        self.say("" if bias.blind.n or bias.judged else _NOTHING_YET)
        self._allow()
        self.grow()

    def _fail(self, sentence: str) -> None:
        self.bias = None
        self.section.show_parts(())
        self.remove_button.setVisible(False)
        self.say(sentence)
        self._allow()

    def _allow(self) -> None:
        self.export_button.setEnabled(self.bias is not None)
        self.copy_button.setEnabled(self.bias is not None)

    def _copy(self) -> None:
        from app.operations.bias.report import bias_text

        if self.bias is not None:
            QGuiApplication.clipboard().setText(bias_text(self.bias))
            self.say("Copied.")

    def _choose_file(self) -> None:
        path = self._session.path
        filters = ("Page (*.html)", "Table of all numbers (*.csv)")
        name = f"{path.stem} bias.html"
        ask_save(self, "Export the section", "exports", self.export_to, path, name, *filters)

    def _remove(self) -> None:
        from app.operations.bias.seeding import remove_planted

        annotator = str(self.form.value.annotator)
        self.remove_button.setVisible(False)
        removed = partial(self._removed, annotator)
        self._session.worker.act(lambda p: remove_planted(p, annotator), removed, self._fail)

    def _removed(self, annotator: str, removed: tuple[PlantedAccepted, ...]) -> None:
        from app.operations.bias.tables import describe_removal

        self._session.reload()
        self._session.message.emit(describe_removal(annotator, removed)[0])
        self.measure()

    def _planted(self, summary: PlantedSummary) -> None:
        from app.operations.bias.tables import describe_planting

        self._session.message.emit(f"{summary.annotator} was made; it can be reviewed like a run.")
        self.read()
        self.planting.show_message(" ".join(describe_planting(summary)))


def _measure(project: Project, sides: Sides) -> Bias:
    from app.operations.bias.measures import measure_bias

    # Between two steps of an import the project holds what may yet be taken back.
    if project.acting:
        raise ProjectError("An import or the rules are still at work; measure when they have ended.")
    return measure_bias(project, sides.annotator or "", sides.run or None, sides.against or None)

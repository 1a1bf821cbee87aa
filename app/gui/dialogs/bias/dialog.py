"""Does help bias? The numbers in words and tables, written to a file, and errors planted to measure by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.gui.dialogs.bias.planting import PlantingForm
from app.gui.dialogs.bias.section import SectionView
from app.gui.dialogs.fields import Ask, Form, asked, choice
from app.gui.dialogs.files import ask_save
from app.gui.dialogs.forms import FormDialog, fold, plain_label, while_alive
from app.gui.widgets.boxes import push_button
from app.gui.widgets.plain import cut_in_middle

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.bias.measures import Bias
    from app.operations.bias.seeding import PlantedSummary
    from app.operations.bias.sets import BiasSets
    from app.operations.project.seeded_errors import PlantedAccepted
    from app.store.project import Project

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
        self.body.addWidget(plain_label(ABOUT))
        self.form = Form(Sides())
        self.body.addWidget(self.form)
        self.section = SectionView()
        self.body.addWidget(self.section)
        self.remove_button = push_button("", self._remove)
        self.remove_button.setVisible(False)
        self.body.addWidget(self.remove_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.planting = PlantingForm(session)
        self.planting.planted.connect(self._planted)
        self.planting.refused.connect(self.say)
        self.fold = fold("Plan&t errors", self.planting)
        self.body.addWidget(self.fold)
        self.body.addWidget(self.planting)
        self.body.addStretch(1)
        self.export_button = self.add_button("E&xport…", QDialogButtonBox.ButtonRole.ActionRole)
        self.export_button.clicked.connect(self._choose_file)
        self.copy_button = self.add_button("Copy a&s text", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.clicked.connect(self._copy)
        self.add_button("&Close", QDialogButtonBox.ButtonRole.RejectRole, default=True)
        self.form.changed.connect(self.measure)
        self._allow()
        self.read()

    def read(self) -> None:
        """Read anew what there is to choose from, then measure."""
        from app.operations.bias.sets import list_bias_sets

        self.say("Measuring…")
        self._session.worker.ask(
            list_bias_sets, while_alive(self, self._offer), while_alive(self, self.say), latest="bias sets"
        )

    def measure(self) -> None:
        """Measure with the sets that are chosen."""
        sides = self.form.value
        if sides.annotator is None:
            return
        self.say("Measuring…")
        self._session.worker.ask(
            lambda project: _measure(project, sides),
            while_alive(self, self._show),
            while_alive(self, self._fail),
            latest="bias",
        )

    def export_to(self, out: Path) -> None:
        """Write the section to a file: CSV where its name says so, a page otherwise."""
        from app.operations.bias.report import report_bias, tabulate_bias

        bias = self.bias
        if bias is None:
            return
        write = tabulate_bias if out.suffix.lower() == ".csv" else report_bias
        self._session.worker.ask(
            lambda _: write(bias, out),
            while_alive(self, lambda _: self.say(f"Written to {cut_in_middle(str(out))}.")),
            while_alive(self, self.say),
        )

    def sizeHint(self) -> QSize:
        """High enough for the tables, which come when it is on screen already, within the screen."""
        hint, screen = super().sizeHint(), self.screen().availableSize() * _SCREEN_SHARE
        high = min(self.fontMetrics().lineSpacing() * _LINES, screen.height())
        return hint.expandedTo(QSize(0, high))

    # Inside

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
        self._session.worker.act(
            lambda project: remove_planted(project, annotator),
            while_alive(self, lambda removed: self._removed(annotator, removed)),
            while_alive(self, self._fail),
        )

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
    from extractors.model.errors import ProjectError

    # Between two steps of an import the project holds what may yet be taken back.
    if project.acting:
        raise ProjectError("An import or the rules are still at work; measure when they have ended.")
    return measure_bias(project, sides.annotator or "", sides.run or None, sides.against or None)

"""Write one annotator's annotations to a file for others."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QFormLayout, QWidget

from app.formats import format_of, write_formats
from app.gui.dialogs.files import file_dialog
from app.gui.dialogs.forms import GRID, FormDialog, plain_label, sentence, while_alive
from app.gui.shell.job_line import JobLine
from app.gui.widgets.drop_down import DropDown
from app.operations.exchange.exporting import describe_export, exporting_annotations
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.exchange.exporting import ExportSummary
    from app.operations.project.files import ProjectOverview

_OUTCOME_LINES = 3


class ExportDialog(FormDialog):
    """Format, whose annotations, and then the file."""

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__("Export annotations", parent)
        self._session = session
        self._overview: ProjectOverview | None = None
        self._writing = False
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(GRID)
        self.annotator = DropDown("Annotator", 24)
        self.annotator.currentIndexChanged.connect(lambda _: self._tell_progress())
        form.addRow("&Annotations of:", self.annotator)
        self.progress = plain_label("Counting…")
        self.progress.setAccessibleName("Reports of this annotator")
        self.progress.setMinimumHeight(2 * self.progress.fontMetrics().lineSpacing())
        form.addRow("", self.progress)
        self.format = DropDown("Format")
        # What loses nothing comes first.
        for one in sorted(write_formats(), key=lambda one: not one.lossless):
            self.format.addItem(one.label, one.id)
        form.addRow("For&mat:", self.format)
        self.about = plain_label()
        self.about.setMinimumHeight(2 * self.about.fontMetrics().lineSpacing())
        form.addRow("", self.about)
        self.format.currentIndexChanged.connect(lambda _: self._explain())
        self.body.addLayout(form)
        self.outcome = plain_label()
        self.outcome.setAccessibleName("Result")
        self.outcome.setMinimumHeight(_OUTCOME_LINES * self.outcome.fontMetrics().lineSpacing())
        self.outcome.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self.body.addWidget(self.outcome)
        self.watch = JobLine()
        self.body.addWidget(self.watch)
        self.body.addStretch(1)
        self.export_button = self.add_button(
            "Choose file and &export…", QDialogButtonBox.ButtonRole.ActionRole, default=True
        )
        self.export_button.setEnabled(False)
        self.export_button.clicked.connect(self._choose_file)
        self.add_button("&Close", QDialogButtonBox.ButtonRole.RejectRole)
        self._explain()
        from app.operations.project.files import list_project

        session.worker.ask(list_project, while_alive(self, self._show), while_alive(self, self.say))

    def export_to(self, out: Path) -> None:
        """Write to a file; who chose it has been asked about one that is there already."""
        name, file_format = str(self.annotator.currentData()), str(self.format.currentData())
        self._writing = True
        self._check()
        self.outcome.setText("Writing…")
        self.watch.look(
            self._session.worker,
            "Export",
            lambda project: exporting_annotations(project, out, file_format, name),
            lambda summary: self._written(summary, name),
            self._failed,
            latest="export",
        )

    def _show(self, overview: ProjectOverview) -> None:
        """List everybody who has something, oneself first."""
        self._overview = overview
        totals: Counter[str] = Counter()
        for (_, holder), number in overview.annotations.items():
            totals[holder] += number
        people = sorted(overview.annotators, key=lambda one: one.name != self._session.annotator)
        for one in people:
            self.annotator.addItem(f"{one.name}  ({counted(totals[one.uuid], 'annotation')})", one.name)
        self._tell_progress()

    def _tell_progress(self) -> None:
        overview, name = self._overview, self.annotator.currentData()
        if overview is None:
            return
        holder = next((one.uuid for one in overview.annotators if one.name == name), None)
        if holder is None:
            self.progress.setText("Nobody has annotated anything yet; there is nothing to export.")
        else:
            states = Counter(review.state for review in overview.reviews if review.annotator == holder)
            untouched = len(overview.documents) - sum(states.values()) + states.pop("untouched", 0)
            said = [
                f"{states[state]} {state}" for state in ("done", "in progress", "parked") if states[state]
            ]
            said += [f"{untouched} untouched, which are not written"] if untouched else []
            self.progress.setText(f"{counted(len(overview.documents), 'report')}: {', '.join(said)}.")
        self._check()

    def _explain(self) -> None:
        self.about.setText(format_of(self.format.currentData()).about)

    def _check(self) -> None:
        self.export_button.setEnabled(self.annotator.count() > 0 and not self._writing)

    def _choose_file(self) -> None:
        known = format_of(str(self.format.currentData()))
        suffix = "" if known.folder else known.suffixes[0]
        dialog = file_dialog(self, "Export annotations", "exports", self._session.path)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix.lstrip("."))
        dialog.selectFile(f"{self._session.path.stem}{suffix or f'-{known.id}'}")
        dialog.fileSelected.connect(lambda name: self.export_to(Path(name)))
        dialog.open()

    def _written(self, summary: ExportSummary, name: str) -> None:
        self._writing = False
        first, *more = describe_export(summary, name)
        self.outcome.setText("\n".join([first, *(sentence(line) for line in more)]))
        self.grow()
        self.say("")
        self._check()

    def _failed(self, trouble: str) -> None:
        self._writing = False
        self.outcome.setText("")
        self.say(trouble)
        self._check()

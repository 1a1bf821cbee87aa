"""Bring reports, and annotations that come with them, into the open project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QWidget,
)

from app.formats import read_formats, read_suffixes
from app.gui.dialogs.exchange.labels import LabelsDialog
from app.gui.dialogs.exchange.preview import ReportPreviewPane
from app.gui.dialogs.files import ask_open, file_dialog
from app.gui.dialogs.forms import FormDialog, Role, fold, indented, named, plain_label
from app.gui.dialogs.project.summary import Part, SummaryDialog
from app.gui.dialogs.watching import busy_sentence, follow
from app.gui.widgets.boxes import field_rows, lined, lines_high, push_button, row_of, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.lists import WholeRows
from app.gui.widgets.tips import explain
from app.operations.exchange.importing import (
    DEFAULT_ANNOTATOR,
    ImportedReport,
    ImportOptions,
    ImportSummary,
    Source,
    describe_annotations,
    import_reports,
    list_unplaced_imports,
)
from app.operations.project.sets import import_name_problem
from app.text import counted

if TYPE_CHECKING:
    from app.formats.record import LeftOut
    from app.gui.session.jobs import Job
    from app.gui.session.project_session import ProjectSession

_ABOUT = (
    "Add articles (PDF, Word, saved web pages, JATS XML) or plain texts, folders with everything below them, "
    "or packages of PubMed Central. You can also drop them here."
)
_NOTHING_KEPT = "If you stop it, nothing of this import is kept."
_QUOTE_WIDTH = 500


class RefusedDropError(ValueError):
    """What was dropped is not on this computer; the message is a sentence for the user."""


def accept_copies(event: QDropEvent) -> None:
    """Take dropped files as copies: whoever was told of a move may delete them at their old place."""
    if event.mimeData().hasUrls() and event.possibleActions() & Qt.DropAction.CopyAction:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()


def dropped_paths(mime: QMimeData) -> list[Path]:
    """The files and folders that were dropped; raises RefusedDropError where anything is not local."""
    urls = mime.urls()
    if not urls:
        raise RefusedDropError("Drop files or folders of this computer here to import them.")
    strange = next((url for url in urls if not url.isLocalFile()), None)
    if strange is not None:
        raise RefusedDropError(
            f"{strange.toDisplayString()[:200]} is not on this computer, and nothing is fetched from "
            "elsewhere; save it here first, then import the file."
        )
    return [Path(url.toLocalFile()) for url in urls]


def start_import(
    session: ProjectSession, given: Sequence[Source], options: ImportOptions, parent: QWidget | None = None
) -> Job:
    """Import in one act and show what came of it; raises RuntimeError while other work is running.

    Stopped or failed, the project stays as it was.
    """
    sources = list(given)
    job = session.worker.begin("Import reports", lambda project: import_reports(project, sources, options))
    about = "You can go on reading; what you change is saved when the import has ended."

    def done(summary: ImportSummary) -> None:
        if len(summary.added) == 1:
            # Somewhere in a long list it would have to be looked for.
            session.open_report(summary.added[0].key)
            if summary == ImportSummary(added=summary.added, figures=summary.figures):
                # What happened first: a long title is cut.
                session.message.emit(f"Added: {summary.added[0].title}")
                return
        dialog = ImportSummaryDialog(summary, parent)
        dialog.labels_wanted.connect(lambda: LabelsDialog(session, parent).open())
        dialog.open()

    stopped = partial(session.message.emit, "The import was stopped; nothing of it was kept.")
    follow(job, parent, about, _NOTHING_KEPT, done, stopped, "Nothing was imported.", session.reload)
    return job


class ImportDialog(FormDialog):
    """Which files, what they are, and which reports to leave out."""

    guide = "import"

    def __init__(
        self, session: ProjectSession, parent: QWidget | None = None, paths: Sequence[Path] = ()
    ) -> None:
        """`paths` are those that were dropped on the window."""
        super().__init__("Import reports", parent)
        self._session = session
        self.setAcceptDrops(True)
        sources = self._sources()
        self.pane = ReportPreviewPane(session)
        more = QWidget()
        stacked(more, self._form(), *self._filters())
        self.more_button = fold("Format, annotator, and &what to leave out", more)
        self.lay_out(plain_label(_ABOUT), sources, self.pane, self.more_button, more, wide=self.pane)
        self.import_button = self.add_button("&Import", Role.AcceptRole, self._start, default=True)
        self.add_cancel()
        session.worker.job_changed.connect(self._check)
        self.sources.currentRowChanged.connect(self._preview)
        self.format.currentIndexChanged.connect(self._preview)
        self.finished.connect(self.pane.give_up)
        self.add_paths(paths)
        (self.sources if paths else self.files_button).setFocus()

    @property
    def paths(self) -> list[Path]:
        return [Path(self.sources.item(row).text()) for row in range(self.sources.count())]

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Put files and folders on the list, each once."""
        there = set(self.paths)
        new = [str(path) for path in dict.fromkeys(paths) if path not in there]
        self.sources.addItems(new)
        if new:
            row, flags = self.sources.count() - len(new), QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.sources.setCurrentRow(row, flags)
        self._check()

    def options(self) -> ImportOptions:
        return ImportOptions(
            file_format=self.format.currentData(),
            annotator=self.annotator.text() or DEFAULT_ANNOTATOR,
            only_case_reports=self.only_case_reports.isChecked(),
            exclude_titles=self.exclude_titles.isChecked(),
            terms=Path(self.terms.text()) if self.terms.text() else None,
            labels=Path(self.labels.text()) if self.labels.text() else None,
        )

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        accept_copies(event)

    def dropEvent(self, event: QDropEvent) -> None:
        accept_copies(event)
        try:
            self.add_paths(dropped_paths(event.mimeData()))
        except RefusedDropError as refused:
            self.say(str(refused))

    def _sources(self) -> QHBoxLayout:
        self.sources = named(QListWidget(), "Files and folders to import")
        self.sources.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        WholeRows(self.sources)
        self.sources.setUniformItemSizes(True)
        self.sources.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.sources.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sources.setFixedHeight(lines_high(self.sources, 5))
        self.files_button = push_button("&Files…", self._choose_files)
        self.remove_button = push_button("&Remove", self._remove)
        self.sources.itemSelectionChanged.connect(self._check)
        folder = push_button("F&older…", self._choose_folder)
        buttons = stacked(None, self.files_button, folder, self.remove_button, None)
        line = lined(None, self.sources, buttons, wide=self.sources)
        line.setAlignment(self.sources, Qt.AlignmentFlag.AlignTop)
        return line

    def _form(self) -> QFormLayout:
        form = field_rows()
        known = [(", ".join(filter(None, (one.label, one.made_by))), one.id) for one in read_formats()]
        self.format = DropDown("Format of the files", entries=[("Found out from each file", "auto"), *known])
        form.addRow("For&mat:", self.format)
        self.annotator = named(QLineEdit(DEFAULT_ANNOTATOR), "Annotations are by")
        self.annotator.textChanged.connect(self._check)
        form.addRow("&Annotations are by:", self.annotator)
        *some, last = (one.label for one in read_formats() if one.carries)
        form.addRow("", plain_label(f"Only used where the files carry any: {', '.join(some)} and {last}."))
        self.labels, row = self._file_row(
            "No table: what the project knows", "label table", self._choose_labels
        )
        form.addRow("Ta&ble of labels:", row)
        about = "TOML: which categories the labels of another program stand for. Others are kept, in grey."
        form.addRow("", plain_label(about))
        return form

    def _file_row(self, hint: str, what: str, choose: Callable[[], None]) -> tuple[QLineEdit, QWidget]:
        field = named(QLineEdit(placeholderText=hint, clearButtonEnabled=True), what.capitalize())
        button = push_button("C&hoose…" if what == "disease list" else "Choos&e…", choose)
        button.setAccessibleName(f"Choose a {what}")
        return field, row_of(field, button)

    def _filters(self) -> list[QWidget]:
        self.only_case_reports = QCheckBox("Only &case reports")
        self.exclude_titles = QCheckBox("Leave out by &title rules")
        self.terms, row = self._file_row("No list: every report is taken", "disease list", self._choose_terms)
        label = QLabel("Only reports with a term of this &disease list:")
        label.setBuddy(self.terms)
        label.setWordWrap(True)
        return [
            self.only_case_reports,
            indented(plain_label("Articles that say they are of another type are listed and left out.")),
            self.exclude_titles,
            indented(
                plain_label("Articles about a procedure or a treatment, told by their title, are left out.")
            ),
            label,
            row,
            indented(plain_label("A text file, one term a line; reports that mention none are left out.")),
        ]

    def _choose_files(self) -> None:
        dialog = file_dialog(self, "Files to import", "reports", self._session.path)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setOption(QFileDialog.Option.HideNameFilterDetails)
        named = " ".join(f"*{suffix}" for suffix in read_suffixes())
        dialog.setNameFilters([f"Reports and annotations ({named})", "All files (*)"])
        dialog.filesSelected.connect(self._take)
        dialog.open()

    def _choose_folder(self) -> None:
        dialog = file_dialog(self, "Folder to import", "reports", self._session.path)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.filesSelected.connect(self._take)
        dialog.open()

    def _take(self, names: Sequence[str]) -> None:
        self.add_paths([Path(name) for name in names])
        # From here Return imports; from the button it would ask for files again.
        self.sources.setFocus()

    def _choose_terms(self) -> None:
        ask_open(self, "Disease list", "lists", self.terms.setText, self._session.path)

    def _choose_labels(self) -> None:
        filters = "Tables of labels (*.toml)", "All files (*)"
        ask_open(self, "Table of labels", "labels", self.labels.setText, self._session.path, *filters)

    def _remove(self) -> None:
        for item in self.sources.selectedItems():
            self.sources.takeItem(self.sources.row(item))
        self._check()

    def _check(self) -> None:
        problem = busy_sentence(self._session) or import_name_problem(
            self.annotator.text() or DEFAULT_ANNOTATOR
        )
        if not problem and not self.sources.count():
            self.say("Choose at least one file or folder.")
        else:
            self.say(problem)
        self.import_button.setEnabled(not problem and self.sources.count() > 0)
        self.remove_button.setEnabled(bool(self.sources.selectedItems()))

    def _preview(self) -> None:
        item = self.sources.currentItem()
        if item is None:
            self.pane.clear()
        else:
            self.pane.ask([Path(item.text())], ImportOptions(file_format=self.format.currentData()))

    def _start(self) -> None:
        start_import(self._session, self.paths, self.options(), self.parentWidget())
        self.accept()


class ImportSummaryDialog(SummaryDialog):
    """What an import added, and everything that it did not; `labels_wanted` asks what labels stand for."""

    guide = "import"
    labels_wanted = Signal()

    def __init__(self, summary: ImportSummary, parent: QWidget | None = None) -> None:
        parts = [
            Part("Added", [_added(one) for one in summary.added]),
            Part("Already there", [_told(one) for one in summary.repeated]),
            Part("Left out", [_told(one) for one in summary.left_out]),
            Part("Notes", [f"{note.source}: {note.text}" for note in summary.notes]),
            Part("Quotes without a place", list_unplaced_imports(summary, _QUOTE_WIDTH)),
            Part("Other labels", [f"{label}: {number:,}" for label, number in summary.labels.most_common()]),
        ]
        super().__init__("Import reports", headline(summary), describe_annotations(summary), parts, parent)
        if summary.labels:
            self.labels_button = self.add_button("La&bels of other programs…", Role.ActionRole)
            explain(self.labels_button, "Say which categories they stand for.")
            self.labels_button.clicked.connect(self.accept)
            self.labels_button.clicked.connect(self.labels_wanted)


def headline(summary: ImportSummary) -> str:
    """The counts of an import in one sentence."""
    if summary.empty:
        return "There was nothing to import in what was given."
    parts = [f"{counted(len(summary.added), 'report')} added"]
    parts += [f"{len(summary.repeated)} there already"] if summary.repeated else []
    parts += [f"{len(summary.left_out)} left out"] if summary.left_out else []
    return f"{', '.join(parts)}."


def _added(one: ImportedReport) -> str:
    name = one.key if one.title == one.key else f"{one.key}  {one.title}"
    return f"{name}  ({one.source})"


def _told(record: LeftOut) -> str:
    return f"{record.source}: {record.reason}"

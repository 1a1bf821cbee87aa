"""Which categories the labels of other programs stand for: a table that the project remembers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.gui.dialogs.files import ask_open, ask_save
from app.gui.dialogs.forms import GRID, FormDialog, Role, plain_label
from app.gui.dialogs.project.summary import Part, SummaryDialog
from app.gui.dialogs.watching import busy_sentence, follow
from app.gui.widgets.boxes import heading_label, lined, push_button
from app.gui.widgets.drop_down import DropDown
from app.operations.exchange.labels import (
    KeptLabel,
    LabelSummary,
    kept_labels,
    meaning_of,
    read_label_table,
    save_label_table,
    set_labels,
)
from app.text import counted
from extractors.model.errors import FormatError, StorageError
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from app.formats.labels import Meaning
    from app.gui.session.project_session import ProjectSession
    from extractors.model.scheme import Scheme

_TITLE = "Labels of other programs"
_ABOUT = (
    "Annotations made elsewhere may carry labels that this project's categories lack. They are kept as they "
    "are, grey in the text, and go back into every export. Say here which category a label stands for: its "
    "annotations then become quotes of that category, now and in later imports. Undo takes it back at once."
)
_NONE = "No annotation of this project came under a label that is not one of its categories."
_TOML = "Tables of labels (*.toml)"
_LETTERS, _FEW = 14, 8


class LabelRow:
    """The choices for one label: category, field, polarity."""

    def __init__(self, kept: KeptLabel, scheme: Scheme) -> None:
        self._scheme = scheme
        self.kept = kept
        categories = [("Stays as it is", ""), *((one.name, one.id) for one in scheme.categories)]
        self.category = DropDown(f"{kept.label} stands for", _LETTERS, entries=categories)
        self.field = DropDown(f"Field of {kept.label}", _FEW)
        polarities = [("By the text", None), *((one.capitalize(), one) for one in POLARITIES)]
        self.polarity = DropDown(f"Polarity of {kept.label}", _FEW, entries=polarities)
        self.category.currentIndexChanged.connect(self._follow)
        self.put(kept.meaning)

    @property
    def meaning(self) -> Meaning | None:
        """What is chosen, None where the label is to stay as it is."""
        field, polarity = self.field.currentData() or "", self.polarity.currentData()
        return meaning_of(self.category.currentData(), field, polarity)

    def put(self, meaning: Meaning | None) -> None:
        self.category.setCurrentIndex(self.category.findData(meaning.category if meaning else ""))
        self._follow()
        if meaning is not None:
            self.field.setCurrentIndex(max(self.field.findData(meaning.field), 0))
            self.polarity.setCurrentIndex(max(self.polarity.findData(meaning.polarity), 0))

    def _follow(self) -> None:
        """Fields are those of the category; there is none, and no polarity, of what stays as it is."""
        category = self.category.currentData()
        fields = self._scheme.category(category).fields if category else ()
        self.field.fill([("No field", ""), *((field, field) for field in fields)])
        self.field.setEnabled(bool(fields))
        self.polarity.setEnabled(bool(category))


class LabelsDialog(FormDialog):
    """Every label that came along, how many annotations are kept under it, and what it stands for."""

    guide = "labels"
    columns = 120

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__(_TITLE, parent)
        self._session = session
        self.rows: list[LabelRow] = []
        # What a file says of labels that have not come along yet: remembered for later imports.
        self._besides: dict[str, Meaning | None] = {}
        self.about = plain_label("Reading…")
        self._grid = QGridLayout()
        self._grid.setSpacing(GRID)
        self._grid.setColumnStretch(0, 1)
        self.read_button = push_button("&Read a table…", self._choose_file)
        self.save_button = push_button("&Save as a table…", self._choose_where)
        tables = lined(None, self.read_button, self.save_button, None)
        self.lay_out(self.about, self._grid, tables, None)
        self.apply = self.add_button("&Use these", Role.AcceptRole, self._start, default=True)
        self.add_cancel()
        session.worker.job_changed.connect(self._check)
        session.worker.ask(kept_labels, self._fill)
        self._check()

    @property
    def changes(self) -> dict[str, Meaning | None]:
        """What is said otherwise than before, by label."""
        rows = {row.kept.label: row.meaning for row in self.rows if row.meaning != row.kept.meaning}
        return {**self._besides, **rows}

    def read_table(self, path: Path) -> None:
        """Take over what a TOML file says; a bad one changes nothing."""
        try:
            meanings = read_label_table(path, self._session.scheme)
        except FormatError as error:
            self.say(str(error))
            return
        by_label = {row.kept.label: row for row in self.rows}
        besides = {label: meaning for label, meaning in meanings.items() if label not in by_label}
        for label in meanings.keys() - besides.keys():
            by_label[label].put(meanings[label])
        self._besides |= besides
        self._check()
        more = f" For later imports: {counted(len(besides), 'label')} of it." if besides else ""
        self.say(f"{path.name} was read.{more}")

    def _fill(self, kept: Sequence[KeptLabel]) -> None:
        self.about.setText(_ABOUT if kept else f"{_NONE} {_ABOUT}")
        for column, words in enumerate(("Label", "Annotations", "Stands for", "Field", "Polarity")):
            if kept:
                self._grid.addWidget(heading_label(words), 0, column)
        for number, one in enumerate(kept, start=1):
            row = LabelRow(one, self._session.scheme)
            self.rows.append(row)
            label, amount = plain_label(one.label), QLabel(f"{one.annotations:,}")
            for column, widget in enumerate((label, amount, row.category, row.field, row.polarity)):
                self._grid.addWidget(widget, number, column)
            for choice in (row.category, row.field, row.polarity):
                choice.currentIndexChanged.connect(self._check)
        # Qt shows what is laid out in its next turn; before that it takes no room.
        QTimer.singleShot(0, self, self._settle)
        self._check()

    def _settle(self) -> None:
        self.grow()
        if self.rows:
            self.rows[0].category.setFocus()

    def _check(self) -> None:
        problem = busy_sentence(self._session)
        changes = self.changes
        moved = sum(
            row.kept.annotations for row in self.rows if row.kept.label in changes and row.meaning is not None
        )
        self.say(problem or (f"{counted(moved, 'annotation')} will become quotes." if moved else ""))
        self.apply.setEnabled(not problem and bool(changes))

    def _choose_file(self) -> None:
        ask_open(self, "Table of labels", "labels", lambda name: self.read_table(Path(name)), None, _TOML)

    def _choose_where(self) -> None:
        ask_save(self, "Save the table", "labels", self.save_table, self._session.path, "labels.toml", _TOML)

    def save_table(self, path: Path) -> None:
        """Write what is chosen as TOML, "" for what stays as it is."""
        known = {**{row.kept.label: row.meaning for row in self.rows}, **self._besides}
        try:
            save_label_table(path, known)
        except StorageError as error:
            self.say(str(error))
            return
        self.say(f"The table was saved as {path}.")

    def _start(self) -> None:
        start_setting(self._session, self.changes, self.parentWidget())
        self.accept()


def start_setting(
    session: ProjectSession, meanings: Mapping[str, Meaning | None], parent: QWidget | None = None
) -> None:
    """Say what labels stand for, in one act; stopped or failed, the project stays as it was."""
    job = session.worker.begin(_TITLE, lambda project: set_labels(project, meanings))
    about = "You can go on reading; what you change is saved when this has ended."

    def done(summary: LabelSummary) -> None:
        sentence = f"{counted(summary.moved, 'annotation')} became quotes; undo takes it back at once."
        if summary.notes:
            SummaryDialog(_TITLE, sentence, (), [Part("Notes", summary.notes)], parent).open()
        else:
            session.message.emit(sentence if summary.moved else "What the labels stand for is remembered.")

    stopped = partial(session.message.emit, "That was stopped; all stays as it was.")
    stop, lost = "If you stop it, all stays as it was.", "All stays as it was."
    follow(job, parent, about, stop, done, stopped, lost, session.reload)

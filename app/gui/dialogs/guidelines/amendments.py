"""How the guidelines were amended, what each time, and which reports were worked on before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from app.gui.dialogs.forms import FormDialog, Role, named, plain_label
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import labelled, lines_high
from app.gui.widgets.guideline_text import day_of
from app.gui.widgets.lists import ListTable
from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import tip
from app.operations.guidelines.amendments import Outdated, compare_versions, list_amendments, list_outdated

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project
    from app.store.reconcile.amendments import Amendment

_COLUMNS = ("Amended", "Category", "Added", "By")
_ROWS, _DIFF_LINES, _REPORT_LINES = 7, 7, 6
_MARKS = (("### ", "Example "), ("## ", ""), ("> ", ""), ("- ", "• "))
_KEY = Qt.ItemDataRole.UserRole
EMPTY = (
    "No guideline was amended yet. A decision in Reconcile can propose an amendment, or add one here; it is "
    "shown to annotators and put into the prompts of later runs."
)
_UP_TO_DATE = "Nobody's work on {} is older than its guideline."


class AmendmentsDialog(FormDialog):
    """Every amendment, the latest first; below the chosen one, what it changed and whose work is older."""

    guide = "reconcile"

    def __init__(self, session: ProjectSession, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__("Guideline amendments", parent)
        self._session, self._actions = session, actions
        self._made: tuple[Amendment, ...] = ()
        self._outdated: tuple[Outdated, ...] = ()
        self.about = plain_label("Reading…")
        self.table = ListTable("Amendments", _COLUMNS, _COLUMNS.index("Added"), _ROWS)
        self.difference = named(
            QPlainTextEdit(readOnly=True, tabChangesFocus=True), "What it changed in the guideline"
        )
        self.difference.setFixedHeight(lines_high(self.difference, _DIFF_LINES))
        self.words = plain_label()
        self.reports = named(QListWidget(), "Reports worked on before")
        self.reports.setMinimumHeight(lines_high(self.reports, _REPORT_LINES))
        changed = labelled("&What it changed:", self.difference)
        self.lay_out(self.about, self.table, changed, self.difference, self.words, wide=self.table)
        self.lay_out(self.reports, wide=self.reports)
        self.add = self.add_button("&Add an amendment…", Role.ActionRole, self._add)
        self.open_button = self.add_button("&Open the report", Role.ActionRole, self._open)
        self.add_button("&Close", Role.RejectRole, default=True)
        self.table.chosen.connect(self._choose)
        self.reports.currentRowChanged.connect(lambda row: self.open_button.setEnabled(row >= 0))
        self.reports.itemActivated.connect(lambda _item: self._open())
        session.scheme_changed.connect(self.read)
        self._choose()
        self.read()

    @property
    def chosen(self) -> Amendment | None:
        return self._made[self.table.row] if 0 <= self.table.row < len(self._made) else None

    def read(self) -> None:
        self._session.worker.ask(_read, self._show, latest="amendments listed")

    # Inside

    def _show(self, found: tuple[tuple[Amendment, ...], tuple[Outdated, ...]]) -> None:
        before = self.chosen.uuid if self.chosen else ""
        self._made, self._outdated = tuple(reversed(found[0])), found[1]
        self.about.setText(EMPTY if not self._made else "")
        self.about.setVisible(not self._made)
        uuids = [one.uuid for one in self._made]
        self.table.put(list(map(self._cells, self._made)), uuids.index(before) if before in uuids else 0)

    def _cells(self, one: Amendment) -> tuple[str, ...]:
        added = f"{one.section}: {one.clause}" if one.clause else "an example"
        if one.clause and one.example:
            added += " (with an example)"
        category = self._session.scheme.category(one.category).name
        return day_of(one.amended_at), category, one_line(added), one_line(one.author)

    def _choose(self) -> None:
        """Tell of the chosen amendment what it changed, and whose work is older than it."""
        one = self.chosen
        self.reports.clear()
        self.open_button.setEnabled(False)
        self.words.setText("")
        if one is None:
            self.difference.setPlainText("")
            return
        self._session.worker.ask(
            lambda p: (one.uuid, compare_versions(p, one)), self._show_difference, latest="versions"
        )
        name = self._session.scheme.category(one.category).name
        older = [work for work in self._outdated if one in work.amendments_since]
        for work in older:
            words = f"{work.report} – {work.annotator}, worked on {day_of(work.worked_on)}"
            item = QListWidgetItem(one_line(words), self.reports)
            item.setData(_KEY, work.report)
            item.setToolTip(tip(words))
        asked = f"Worked on under the older text of {name}; review them again:"
        self.words.setText(asked if older else _UP_TO_DATE.format(name))
        if older:
            self.reports.setCurrentRow(0)

    def _show_difference(self, found: tuple[str, Sequence[str]]) -> None:
        uuid, lines = found
        if self.chosen is not None and self.chosen.uuid == uuid:
            section = [f"{self.chosen.section}:"] if self.chosen.clause else []
            # The first two lines name the file.
            added = [_readable(line[1:]) for line in lines[2:] if line.startswith("+") and line[1:].strip()]
            self.difference.setPlainText("\n".join([*section, *added]))

    def _open(self) -> None:
        item, one = self.reports.currentItem(), self.chosen
        if item is not None and one is not None:
            self._session.use_category(one.category)
            self._session.open_report(str(item.data(_KEY)))
            self.accept()

    def _add(self) -> None:
        from app.gui.dialogs.guidelines.amendment import AmendmentDialog

        AmendmentDialog(self._session, self._actions, "", self).open()


def _readable(line: str) -> str:
    """A line of a guideline's Markdown in the words of the window."""
    for mark, words in _MARKS:
        if line.startswith(mark):
            return words + line.removeprefix(mark)
    return line


def _read(project: Project) -> tuple[tuple[Amendment, ...], tuple[Outdated, ...]]:
    return list_amendments(project), list_outdated(project)

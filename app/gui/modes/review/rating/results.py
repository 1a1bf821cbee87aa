"""The means of all ratings by run and item, and how far the raters agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app.gui.dialogs.files import ask_save
from app.gui.dialogs.forms import GRID, named, plain_label
from app.gui.widgets.boxes import push_button, row_of, stacked
from app.gui.widgets.tips import tip
from app.operations.rate.sheets import export_ratings, report_ratings, tabulate_ratings
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.tables import Table

HIDDEN = "The means name the runs. They are shown here once blind rating is turned off on the first page."
_ABOUT = (
    "Mean ± standard deviation, and how many scores. Every item runs from 1 to 5, and 5 is the better "
    "end. Alpha is Krippendorff's for ordinal data: 1 is full agreement, 0 what chance would give."
)


class ResultsPage(QWidget):
    """Read anew each time it is shown; `say` is the dialog's, for sentences."""

    def __init__(self, session: ProjectSession, say: Callable[[str], None]) -> None:
        super().__init__()
        self._session, self._say = session, say
        self._hidden = False
        self.head = plain_label(name="Ratings so far")
        self.table = named(QTableWidget(), "Means by item and run")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.setMinimumHeight(6 * self.fontMetrics().lineSpacing())
        self.about = plain_label(_ABOUT)
        self.export_button = push_button("Export &scores as CSV…", lambda: self._choose("csv"))
        self.page_button = push_button("Save as &HTML…", lambda: self._choose("html"))
        buttons = row_of(self.export_button, self.page_button)
        whole = stacked(self, self.head, self.table, self.about, buttons)
        whole.setStretchFactor(self.table, 1)
        whole.setAlignment(buttons, Qt.AlignmentFlag.AlignRight)
        whole.setContentsMargins(0, GRID, 0, 0)
        self._show_nothing("Reading…")

    def read(self, *, hidden: bool) -> None:
        """Show the means as they are now; where `hidden`, nothing that names a run."""
        self._hidden = hidden
        if hidden:
            self._show_nothing(HIDDEN)
        else:
            self._session.worker.ask(tabulate_ratings, self._show, self._say, latest="ratings")

    def export_to(self, out: Path) -> None:
        self._session.worker.ask(lambda p: export_ratings(p, out), partial(self._exported, out), self._say)

    def report_to(self, out: Path) -> None:
        self._session.worker.ask(lambda p: report_ratings(p, out), partial(self._reported, out), self._say)

    def _exported(self, out: Path, number: int) -> None:
        self._say(f"{counted(number, 'rating')} written to {out}.")

    def _reported(self, out: Path, _: object) -> None:
        self._say(f"The means are written to {out}.")

    def _show_nothing(self, sentence: str) -> None:
        self.head.setText(sentence)
        self.table.clear()
        self.table.setRowCount(0)
        self.table.setColumnCount(0)
        for widget in (self.table, self.about):
            widget.setVisible(False)
        for button in (self.export_button, self.page_button):
            button.setEnabled(False)

    def _show(self, grid: Table[Any]) -> None:
        if self._hidden:
            # Turned blind while this was being read.
            return
        if not grid.rows:
            self._show_nothing(grid.title)
            return
        self.head.setText(grid.title)
        self.about.setText("\n".join([_ABOUT, *grid.notes]))
        self.table.setColumnCount(len(grid.header) - 1)
        self.table.setRowCount(len(grid.rows))
        self.table.setHorizontalHeaderLabels(grid.header[1:])
        self.table.setVerticalHeaderLabels([label for label, *_ in grid.rows])
        for place, (_, *cells) in enumerate(grid.rows):
            for beside, one in enumerate(cells):
                cell = QTableWidgetItem(one.value)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                cell.setToolTip(tip(one.note))
                self.table.setItem(place, beside, cell)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for widget in (self.table, self.about):
            widget.setVisible(True)
        for button in (self.export_button, self.page_button):
            button.setEnabled(True)

    def _choose(self, suffix: str) -> None:
        write = self.export_to if suffix == "csv" else self.report_to
        name = f"{self._session.path.stem}-ratings.{suffix}"
        ask_save(self, "Ratings", "exports", write, self._session.path, name)

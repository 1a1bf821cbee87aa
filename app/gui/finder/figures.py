"""The figures of the project: reports, spans, words and time, and what is unfinished."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.gui.dialogs.bias.section import SectionView
from app.gui.finder.words import SAVED_MS
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.boxes import scrolled, stacked
from app.operations.find.figures import Figures, FigureTable, counting_project
from app.tables import Table

_ORDER = ("reports", "unfinished", "category", "annotator", "given", "polarity", "section")


class FiguresPage(QWidget):
    """Tables one below the other; counted anew when it is looked at and something was saved."""

    shown = Signal()

    def __init__(self, session: ProjectSession) -> None:
        super().__init__()
        self._session = session
        self.section = SectionView()
        self.section.setContentsMargins(8, 8, 8, 8)
        self.area = scrolled(self.section, "Figures")
        self.area.setProperty("reached", True)
        stacked(self, self.area)
        later = QTimer(self, singleShot=True, interval=SAVED_MS)
        later.timeout.connect(self.read)
        session.worker.saved.connect(later.start)
        session.rows_changed.connect(self.read)
        session.annotator_changed.connect(lambda _: self.read())

    def take_focus(self) -> None:
        """Scroll by the keys."""
        self.area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def read(self) -> None:
        """Count anew, if it is looked at."""
        if self.isVisible():
            name = self._session.annotator
            self._session.worker.query(
                "Counting", lambda p: counting_project(p, name), self._show, latest="figures"
            )

    def _show(self, figures: Figures) -> None:
        from app.operations.bias.tables import Part

        at = self.area.verticalScrollBar().value()
        parts = []
        for key in _ORDER:
            table = figures.tables[key]
            if table.rows:
                parts.append(Part(table.title, table.notes, _as_words(table)))
        self.section.show_parts(parts, (figures.summary,))
        self.area.verticalScrollBar().setValue(at)
        self.shown.emit()


def _as_words(table: FigureTable) -> Table[str]:
    columns = table.heads
    rows = [tuple(column.text(cell) for column, cell in zip(columns, row, strict=True)) for row in table.rows]
    return Table(tuple(columns), tuple(rows), table.title)

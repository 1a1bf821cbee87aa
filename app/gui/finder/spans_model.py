"""The annotator's spans as rows of a table, sorted and narrowed by their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from app.gui.widgets.lists import Index, RowsModel
from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import tip

if TYPE_CHECKING:
    from app.store.annotate.listing import SpanRow
    from extractors.model.scheme import Scheme

TITLES = ("Category", "Quote", "Report", "Section", "Polarity", "Field", "Note")
CATEGORY, QUOTE, REPORT, SECTION, POLARITY, FIELD, NOTE = range(len(TITLES))
# Sorted by this, they come as they stand in the reports.
BY_PLACE = -1


class SpansModel(RowsModel):
    """Sorts its rows itself: a proxy would ask for two cells at each of millions of comparisons."""

    headings = TITLES
    rows: list[SpanRow]

    def __init__(self, scheme: Scheme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scheme = scheme
        self._all: Sequence[SpanRow] = ()
        self._words = ""
        self._by, self._order = BY_PLACE, Qt.SortOrder.AscendingOrder
        self._places = {category: place for place, category in enumerate(scheme.ids)}
        self.rows = []

    def set_rows(self, rows: Sequence[SpanRow]) -> None:
        """Show these, which come by place."""
        self._all = rows
        self._renew()

    def set_words(self, words: str) -> None:
        """Show those alone whose cells hold these words, whatever the case."""
        self._words = words.casefold().strip()
        self._renew()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; equal ones stay by place, and what is selected stays so."""
        self._by, self._order = column, order
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        there = [self.rows[index.row()].uuid for index in held]
        self._arrange()
        places = {row.uuid: place for place, row in enumerate(self.rows)}
        now = [self.index(places[uuid], index.column()) for uuid, index in zip(there, held, strict=True)]
        self.changePersistentIndexList(held, now)
        self.layoutChanged.emit()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell on one line; its tool tip has all of it."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(self.rows[index.row()], index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            row = self.rows[index.row()]
            name = self._scheme.category(row.category).name
            return tip(name if index.column() == CATEGORY else self._cell(row, index.column()))
        return None

    def _cell(self, row: SpanRow, column: int) -> str:
        if column == CATEGORY:
            return self._scheme.category(row.category).code
        if column == QUOTE:
            return one_line(row.quote) + ("" if row.start is not None else "  (no place)")
        return one_line((row.report, row.section, row.polarity, row.field, row.note)[column - REPORT])

    def _renew(self) -> None:
        self.beginResetModel()
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        words = self._words
        self.rows = [row for row in self._all if not words or words in self._text(row)]
        if self._by != BY_PLACE:
            down = self._order == Qt.SortOrder.DescendingOrder
            self.rows.sort(key=self._rank(self._by), reverse=down)

    def _text(self, row: SpanRow) -> str:
        return "\n".join((row.quote, row.report, row.section, row.field, row.note)).casefold()

    def _rank(self, column: int) -> Callable[[SpanRow], int | str]:
        if column == CATEGORY:
            return lambda row: self._places.get(row.category, len(self._places))
        return lambda row: self._cell(row, column).casefold()

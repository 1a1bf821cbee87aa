"""A table to choose a row from: any number of rows, of which only those in sight cost anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableView

from app.gui.widgets.parts import lines_high
from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import tip

Index: TypeAlias = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
# Columns are as wide as these rows need at least.
_MEASURED = 200


class ListTable(QTableView):
    """Rows of words under headings; one column takes the room that is left. `chosen` tells of a new row."""

    chosen = Signal()

    def __init__(self, name: str, columns: Sequence[str], wide: int, lines: int) -> None:
        super().__init__()
        self._rows = _Rows(columns)
        self.setModel(self._rows)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().setVisible(False)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setResizeContentsPrecision(_MEASURED)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
        self.setMinimumHeight(lines_high(self, lines))
        self.selectionModel().currentRowChanged.connect(lambda *_: self.chosen.emit())

    @property
    def row(self) -> int:
        """The row that is chosen, -1 for none."""
        return self.currentIndex().row()

    @property
    def texts(self) -> list[tuple[str, ...]]:
        """All rows as they are shown."""
        return self._rows.texts

    def put(self, rows: Sequence[Sequence[str]], row: int = 0) -> None:
        """Show other rows, of which one is chosen."""
        self._rows.put(rows)
        if rows:
            self.selectRow(row)
        else:
            self.chosen.emit()


class _Rows(QAbstractTableModel):
    def __init__(self, columns: Sequence[str]) -> None:
        super().__init__()
        self._columns = tuple(columns)
        self.texts: list[tuple[str, ...]] = []

    def put(self, rows: Sequence[Sequence[str]]) -> None:
        self.beginResetModel()
        self.texts = [tuple(map(one_line, row)) for row in rows]
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.texts)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self._columns[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        text = self.texts[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        return tip(text) if role == Qt.ItemDataRole.ToolTipRole else None

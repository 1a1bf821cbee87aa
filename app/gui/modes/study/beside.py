"""The one view of its own that a study may have of an item: a table beside the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.gui.dialogs.forms import GRID
from app.gui.widgets.boxes import stacked
from app.gui.widgets.list_table import ListTable
from app.gui.widgets.parts import heading_label

if TYPE_CHECKING:
    from app.studies.study import Beside

_WIDE, _LINES = 1, 3
# So many letters wide are the words of the one column, and each of the others.
_WORDS, _EACH = 32, 8


class BesidePanel(QWidget):
    """Heading and table; hidden where there is nothing to show. Whose titles they are stands among the words,
    where there is room for it."""

    def __init__(self) -> None:
        super().__init__()
        self._heads: tuple[str, ...] = ()
        self.title = heading_label("")
        self.table: ListTable | None = None
        self._column = stacked(self, self.title, margins=(GRID, 0, 0, 0))
        self.hide()

    @property
    def letters(self) -> int:
        """How many letters wide it must be to be read."""
        return _WORDS + _EACH * (len(self._heads) - 1)

    def put(self, beside: Beside | None) -> None:
        """Show this, or nothing."""
        self.setVisible(beside is not None)
        if beside is None:
            return
        if self.table is None or beside.heads != self._heads:
            # Headings are a table's own.
            if self.table is not None:
                self._column.removeWidget(self.table)
                self.table.deleteLater()
            self._heads = beside.heads
            self.table = ListTable(beside.title, beside.heads, min(_WIDE, len(beside.heads) - 1), _LINES)
            self._column.insertWidget(1, self.table, 1)
        self.table.setAccessibleName(beside.title)
        self.title.setText(beside.title)
        if [tuple(row) for row in beside.rows] != self.table.texts:
            self.table.put(beside.rows)

"""A section of a report in a dialog: titles, sentences and small tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.gui.dialogs.forms import GRID, SELECTABLE, heading, plain_label
from app.gui.widgets.boxes import empty, stacked

if TYPE_CHECKING:
    from app.operations.bias.tables import Part, Table

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_LEAST_COLUMN, _ONE_LINE = 10, 16


class SectionView(QWidget):
    """Shows parts one below the other; texts can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: list[QLabel | SmallTable] = []
        self._column = stacked(self)

    def show_parts(self, parts: Sequence[Part], caveats: Sequence[str] = ()) -> None:
        """Put parts in the place of those shown, below `caveats` that must stand beside them."""
        empty(self._column)
        self._shown = []
        for caveat in caveats:
            self._add(_sentences("Remark", (caveat,)))
        for part in parts:
            self._column.addSpacing(GRID)
            self._add(heading(part.title))
            if part.sentences:
                self._add(_sentences(part.title, part.sentences))
            if part.table is not None:
                self._add(SmallTable(part.title, part.table))

    def _add(self, widget: QLabel | SmallTable) -> None:
        self._shown.append(widget)
        self._column.addWidget(widget)
        # Qt shows it in its next turn, and the page around would scroll to its start before.
        widget.show()

    def tables(self) -> list[SmallTable]:
        return [widget for widget in self._shown if isinstance(widget, SmallTable)]

    def words(self) -> str:
        """All that is said above, below and between the tables."""
        return "\n".join(widget.text() for widget in self._shown if isinstance(widget, QLabel))


class SmallTable(QTableWidget):
    """As high as its rows; numbers stand on the right, words on the left."""

    def __init__(self, title: str, table: Table) -> None:
        super().__init__(len(table.rows), len(table.header))
        self._cut = False
        self._table = table
        self.setAccessibleName(title)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.verticalHeader().setVisible(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        sides = [_LEFT if column.kind == "words" else _RIGHT for column in table.heads]
        for row, cells in enumerate(table.rows):
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setTextAlignment(sides[column])
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                self.setItem(row, column, item)
        for column, words in enumerate(table.header):
            head = QTableWidgetItem(words)
            head.setTextAlignment(sides[column] | Qt.TextFlag.TextWordWrap)
            self.setHorizontalHeaderItem(column, head)
        self._lay_out()

    def sizeHint(self) -> QSize:
        bar = self.horizontalScrollBar().sizeHint().height() if self._cut else 0
        header, margins = self.horizontalHeader(), self.contentsMargins()
        top = max(header.sizeHint().height(), header.minimumHeight())
        height = top + self.verticalHeader().length() + bar + margins.top() + margins.bottom()
        return QSize(header.length() + margins.left() + margins.right(), height)

    def minimumSizeHint(self) -> QSize:
        """As high as it is; how wide is for the dialog to say."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make room for the bar, where there must be one."""
        super().resizeEvent(event)
        cut = self.horizontalHeader().length() > self.viewport().width()
        if cut != self._cut:
            self._cut = cut
            self.updateGeometry()

    def _lay_out(self) -> None:
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        self.resizeColumnsToContents()
        metrics = self.fontMetrics()
        headings = self._table.header
        for column, words in enumerate(headings):
            cells = [row[column] for row in self._table.rows]
            heading = max(metrics.horizontalAdvance(word) for word in _halves(words))
            least = _LEAST_COLUMN * metrics.averageCharWidth()
            widest = max([heading, least, *map(metrics.horizontalAdvance, cells)])
            self.setColumnWidth(column, widest + 3 * GRID)
        lines = 2 if any(_halves(one)[1] for one in headings) else 1
        header.setMinimumHeight(lines * metrics.lineSpacing() + GRID)
        self.resizeRowsToContents()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)


def _halves(words: str) -> tuple[str, str]:
    """Long words of a heading on two lines, as evenly as they go; the second is empty for short ones."""
    if len(words) <= _ONE_LINE:
        return words, ""
    parts = words.split()
    cuts = [(" ".join(parts[:cut]), " ".join(parts[cut:])) for cut in range(1, len(parts) + 1)]
    return min(cuts, key=lambda pair: max(map(len, pair)))


def _sentences(title: str, sentences: Sequence[str]) -> QLabel:
    label = plain_label("\n".join(sentences), title)
    label.setTextInteractionFlags(SELECTABLE)
    return label

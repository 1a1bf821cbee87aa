"""A section of a report in a dialog: titles, sentences and small tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.gui.dialogs.forms import GRID, plain_label

if TYPE_CHECKING:
    from app.operations.bias_words import Part, Table

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_LEAST_COLUMN = 10


class SectionView(QWidget):
    """Shows parts one below the other; texts can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)

    def show_parts(self, parts: Sequence[Part], remarks: Sequence[str] = ()) -> None:
        """Put parts in the place of those shown, below `remarks` that must stand beside them."""
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for remark in remarks:
            self._column.addWidget(_sentences("Remark", (remark,)))
        for part in parts:
            self._column.addWidget(_title(part.title))
            self._column.addWidget(_sentences(part.title, part.sentences))
            if part.table is not None:
                self._column.addWidget(SmallTable(part.title, part.table))

    def tables(self) -> list[SmallTable]:
        """The tables in sight, from above."""
        widgets = (self._column.itemAt(place).widget() for place in range(self._column.count()))
        return [widget for widget in widgets if isinstance(widget, SmallTable)]

    def words(self) -> str:
        """All that is said above, below and between the tables."""
        widgets = (self._column.itemAt(place).widget() for place in range(self._column.count()))
        return "\n".join(widget.text() for widget in widgets if isinstance(widget, QLabel))


class SmallTable(QTableWidget):
    """As high as its rows; numbers stand on the right."""

    def __init__(self, title: str, table: Table) -> None:
        super().__init__(len(table.rows), len(table.header))
        self.setHorizontalHeaderLabels(list(table.header))
        self.setAccessibleName(title)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.verticalHeader().setVisible(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for row, cells in enumerate(table.rows):
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setTextAlignment(_RIGHT if column else _LEFT)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                self.setItem(row, column, item)
        for column in range(len(table.header)):
            self.horizontalHeaderItem(column).setTextAlignment(
                (_RIGHT if column else _LEFT) | Qt.TextFlag.TextWordWrap
            )
        self._lay_out()

    def sizeHint(self) -> QSize:
        """All columns and rows; narrower, it scrolls sideways."""
        bar = self.horizontalScrollBar().sizeHint().height() if self._is_cut() else 0
        height = self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + bar
        return QSize(self.horizontalHeader().length(), height + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        """As high as it is; how wide is for the dialog to say."""
        return QSize(0, self.sizeHint().height())

    def _is_cut(self) -> bool:
        return self.horizontalHeader().length() > max(self.width(), 1)

    def _lay_out(self) -> None:
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        self.resizeColumnsToContents()
        metrics = self.fontMetrics()
        for column in range(self.columnCount()):
            cells = [self.item(row, column).text() for row in range(self.rowCount())]
            words = self.horizontalHeaderItem(column).text()
            # A heading may take two lines, a cell one.
            heading = max(metrics.horizontalAdvance(word) for word in _halves(words))
            least = _LEAST_COLUMN * metrics.averageCharWidth()
            widest = max([heading, least, *map(metrics.horizontalAdvance, cells)])
            self.setColumnWidth(column, widest + 3 * GRID)
        header.setMinimumHeight(2 * metrics.lineSpacing() + GRID)
        self.resizeRowsToContents()
        self.setSizePolicy(self.sizePolicy().horizontalPolicy(), self.sizePolicy().Policy.Fixed)


def _halves(words: str) -> tuple[str, str]:
    """The words on two lines, as evenly as they go."""
    parts = words.split()
    cuts = [(" ".join(parts[:cut]), " ".join(parts[cut:])) for cut in range(1, len(parts) + 1)]
    return min(cuts, key=lambda pair: max(map(len, pair)))


def _title(text: str) -> QLabel:
    label = plain_label(text)
    font = label.font()
    font.setWeight(QFont.Weight.DemiBold)
    label.setFont(font)
    return label


def _sentences(title: str, sentences: Sequence[str]) -> QLabel:
    label = plain_label("\n".join(sentences))
    label.setAccessibleName(title)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label

"""Places of words, by report: what stands before and after them in columns of their own."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import tip

LEFT, WORDS, RIGHT, MORE = range(4)
PLACE = Qt.ItemDataRole.UserRole
# Above and below the letters of a row; of the width, what the words between the two sides take at most.
_PADDING, _MOST_WORDS = 2, 0.4
# The share of the places whose words are shown whole: few long ones would part all others from what follows.
_WHOLE = 0.9


class _Near(QStyledItemDelegate):
    """Cuts what stands before the words at its far end."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        if index.parent().isValid():
            option.textElideMode = Qt.TextElideMode.ElideLeft

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """All rows are as high as this column wants them."""
        return super().sizeHint(option, index) + QSize(0, 2 * _PADDING)


class PlacesTree(QTreeWidget):
    """A group for each report; `more` is the title of a last column, if there is to be one."""

    def __init__(self, name: str, more: str = "") -> None:
        super().__init__()
        self.setHeaderLabels(["Before", "Words", "After", *([more] if more else [])])
        self.setAccessibleName(name)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setItemDelegateForColumn(LEFT, _Near(self))
        header = self.header()
        header.setStretchLastSection(False)
        for column in range(self.columnCount()):
            side = column in (LEFT, RIGHT)
            header.setSectionResizeMode(
                column, QHeaderView.ResizeMode.Stretch if side else QHeaderView.ResizeMode.ResizeToContents
            )

    def sizeHintForColumn(self, column: int) -> int:
        """Long words leave room for what is around them, and the longest are cut."""
        wanted = super().sizeHintForColumn(column)
        if column == WORDS:
            widths = sorted(self._words_widths())
            wanted = min(wanted, widths[math.ceil(_WHOLE * len(widths)) - 1]) if widths else wanted
        return min(wanted, round(_MOST_WORDS * self.viewport().width()))

    def _words_widths(self) -> Iterator[int]:
        """How wide the words of each place are."""
        model = self.model()
        for group in (model.index(row, LEFT) for row in range(model.rowCount())):
            for child in range(model.rowCount(group)):
                yield self.sizeHintForIndex(model.index(child, WORDS, group)).width()

    def add_group(self, title: str, full: str) -> QTreeWidgetItem:
        """A report with that title, after the others."""
        group = QTreeWidgetItem(self, [title])
        group.setFirstColumnSpanned(True)
        group.setToolTip(LEFT, tip(full))
        return group

    def add_place(
        self, group: QTreeWidgetItem, left: str, text: str, right: str, more: str = ""
    ) -> QTreeWidgetItem:
        """A place in a report, after the others."""
        cells = [one_line(left), one_line(text), one_line(right), *([more] if more else [])]
        item = QTreeWidgetItem(group, cells)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemNeverHasChildren)
        item.setTextAlignment(LEFT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        font = self.font()
        font.setBold(True)
        item.setFont(WORDS, font)
        around = f"{cells[LEFT]} [{cells[WORDS]}] {cells[RIGHT]}" + (f" · {more}" if more else "")
        item.setData(LEFT, Qt.ItemDataRole.AccessibleTextRole, around)
        for column in range(self.columnCount()):
            item.setToolTip(column, tip(around))
        return item

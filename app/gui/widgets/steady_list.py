"""A list of any number of rows of one height: a row costs nothing until it is in sight."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem, QTableView


class SteadyList(QTableView):
    """A table of one column: a QListView asks for every row and lays it out before it shows the first."""

    def __init__(self) -> None:
        super().__init__()
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        # A table would paint its selection also where the focus is elsewhere; the current row is enough.
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setCornerButtonEnabled(False)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        for header in (rows, columns):
            header.setMinimumSectionSize(1)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.hide()

    def changeEvent(self, event: QEvent) -> None:
        """Rows follow the size of the letters."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit_rows()

    def fit_rows(self) -> None:
        """Give all rows the height that the delegate wants."""
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        height = self.itemDelegate().sizeHint(option, QModelIndex()).height()
        self.verticalHeader().setDefaultSectionSize(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The one column is as wide as the list."""
        super().resizeEvent(event)
        self.horizontalHeader().setDefaultSectionSize(self.viewport().width())

    def moveCursor(self, action: QTableView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End lead to the first and the last row."""
        ends = {
            QTableView.CursorAction.MoveHome: 0,
            QTableView.CursorAction.MoveEnd: self.model().rowCount() - 1,
        }
        if action in ends:
            return self.model().index(ends[action], 0)
        return super().moveCursor(action, modifiers)

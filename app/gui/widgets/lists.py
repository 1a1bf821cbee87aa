"""Lists, tables and trees of places: rows with columns, ticks, and lists that keep where they are."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, takewhile
from typing import Any, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.gui.widgets.boxes import lines_high
from app.gui.widgets.flow import Lettered
from app.gui.widgets.plain import bold, one_line
from app.gui.widgets.tips import tip

Index: TypeAlias = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
# Columns are as wide as these rows need at least.
_MEASURED = 200
# The most of the screen's height that a table insists on: what stands around it is to be seen, too.
_MOST = 0.55


class WholeRows(QObject):
    """Lets a list that scrolls begin and end with a whole row, one of unequal rows at its start."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view, self._given, self._fitting = view, 0, False
        for part in (view, view.viewport()):
            part.installEventFilter(self)
        # While it is being laid out, its height is not that of its rows yet.
        view.verticalScrollBar().rangeChanged.connect(self._fit, Qt.ConnectionType.QueuedConnection)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The layout gives it a height, of which it may leave a part."""
        if event.type() == QEvent.Type.Resize and not self._fitting:
            if watched is self._view:
                self._given = self._view.height()
            else:
                self._fit()
        return False

    def _fit(self, *_: int) -> None:
        view, bar = self._view, self._view.verticalScrollBar()
        first = view.visualRect(view.model().index(0, 0))
        row = view.rowHeight(0) if isinstance(view, QTableView) else first.height()
        around = view.height() - view.viewport().height()
        room = self._given - around
        if self._fitting or not view.isVisible() or not 0 < row <= room:
            return
        scrolls = bar.maximum() > 0
        by_pixel = scrolls and view.verticalScrollMode() == QAbstractItemView.ScrollMode.ScrollPerPixel
        if by_pixel:
            bar.setSingleStep(row)
        self._fitting = True
        view.resize(view.width(), around + _whole(view, row, room) if scrolls else self._given)
        self._fitting = False
        if by_pixel and bar.value() % row:
            current = view.currentIndex()
            seen = view.viewport().rect().intersects(view.visualRect(current))
            bar.setValue(round(bar.value() / row) * row)
            if seen:
                view.scrollTo(current)


def _whole(view: QAbstractItemView, row: int, room: int) -> int:
    """How much of the room whole rows take, from the first on; rows of a table may differ."""
    if not isinstance(view, QTableView):
        return room - room % row
    ends = accumulate(view.rowHeight(number) for number in range(view.model().rowCount()))
    return max(takewhile(lambda end: end <= room, ends), default=row)


class WholeLines(QTextBrowser):
    """Ends below a whole line of what it shows first."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_whole_lines()

    def show_whole_lines(self) -> None:
        """Leave empty what has no room for a line."""
        high = self.viewport().height() + self.viewportMargins().bottom()
        page, block = self.document().documentLayout(), self.document().begin()
        ends: list[float] = []
        while block.isValid() and not (ends and ends[-1] > high):
            top, lines = page.blockBoundingRect(block).y(), block.layout()
            ends += [top + lines.lineAt(n).rect().bottom() for n in range(lines.lineCount())]
            block = block.next()
        shown = [0.0, *(end for end in ends if end <= high)]
        self.setViewportMargins(0, 0, 0, high - math.ceil(shown[-1]) if len(shown) <= len(ends) else 0)


class ListTable(QTableView):
    """Rows of words under headings; one column takes the room that is left. `chosen` tells of a new row."""

    chosen = Signal()

    def __init__(self, name: str, columns: Sequence[str], wide: int, lines: int) -> None:
        super().__init__()
        self._rows, self._wide = _Texts(columns), wide
        self.setModel(self._rows)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
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
        # The least is as many whole rows as so many lines have room for.
        around, row = (
            header.sizeHint().height() + 2 * self.frameWidth(),
            self.verticalHeader().defaultSectionSize(),
        )
        least = min(lines_high(self, lines), round(_MOST * self.screen().availableSize().height()))
        self.setMinimumHeight(around + max(1, (least - around) // row) * row)
        WholeRows(self)
        self.selectionModel().currentRowChanged.connect(lambda *_: self.chosen.emit())

    @property
    def row(self) -> int:
        """The row that is chosen, -1 for none."""
        return self.currentIndex().row()

    @property
    def texts(self) -> list[tuple[str, ...]]:
        """All rows as they are shown."""
        return self._rows.rows

    def put(self, rows: Sequence[Sequence[str]], row: int = 0) -> None:
        """Show other rows, of which one is chosen."""
        self._rows.put(rows)
        if rows:
            self.selectRow(row)
        else:
            self.chosen.emit()

    def sizeHintForColumn(self, column: int) -> int:
        """More than a third of the room only where the others can do without; a letter is between columns."""
        gap = self.fontMetrics().averageCharWidth()
        hint, room = super().sizeHintForColumn(column) + gap, self.viewport().width()
        if column == self._wide or hint <= room // 3:
            return hint
        others = sum(
            QTableView.sizeHintForColumn(self, other) + gap
            for other in range(self._rows.columnCount())
            if other != column and not self.isColumnHidden(other)
        )
        return max(room // 3, min(hint, room - others))


class RowsModel(QAbstractTableModel):
    """Rows below their headings."""

    headings: Sequence[Any] = ()
    rows: Sequence[Any] = ()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        wanted = role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal
        return self.headings[section] if wanted else None


class _Texts(RowsModel):
    rows: list[tuple[str, ...]]

    def __init__(self, columns: Sequence[str]) -> None:
        super().__init__()
        self.headings, self.rows = columns, []

    def put(self, rows: Sequence[Sequence[str]]) -> None:
        self.beginResetModel()
        self.rows = [tuple(map(one_line, row)) for row in rows]
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        text = self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        return tip(text) if role == Qt.ItemDataRole.ToolTipRole else None


class SteadyList(Lettered, QTableView):
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
        WholeRows(self)

    def fit_letters(self) -> None:
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


_NAME = Qt.ItemDataRole.UserRole


class TickList(QListWidget):
    """What is listed says more than the name that it stands for; `ticked` comes with each tick."""

    ticked = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        # The name gives way, not the number behind it.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemChanged.connect(lambda _item: self.ticked.emit())

    def put(self, entries: Sequence[tuple[str, str]], chosen: Collection[str]) -> None:
        """List entries (words, name) in the place of those there, without a word about it."""
        self.blockSignals(True)
        self.clear()
        for words, name in entries:
            item = QListWidgetItem(words, self)
            item.setData(_NAME, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked)
            item.setToolTip(tip(name))
        self.setCurrentRow(0)
        self.blockSignals(False)

    def chosen(self) -> tuple[str, ...]:
        items = (self.item(row) for row in range(self.count()))
        return tuple(item.data(_NAME) for item in items if item.checkState() == Qt.CheckState.Checked)


_LINES = 6


class Detail(WholeLines):
    """As high whatever it shows; longer texts scroll."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setFixedHeight(lines_high(self, _LINES))

    def setPlainText(self, words: str) -> None:
        """Show a text from its beginning."""
        super().setPlainText(words)
        self.show_whole_lines()


LEFT, WORDS, RIGHT, MORE = range(4)
PLACE = Qt.ItemDataRole.UserRole
# Above and below the letters of a row; of the width, what the words between the two sides take at most.
_PADDING, _MOST_WORDS = 2, 0.4
# The share of the places whose words are shown whole: few long ones would part all others from what follows.
_WHOLE = 0.9


class _Near(QStyledItemDelegate):
    """Cuts what stands before the words at its far end, and a report's title before its number of places."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        mode = Qt.TextElideMode
        option.textElideMode = mode.ElideLeft if index.parent().isValid() else mode.ElideMiddle

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
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
        WholeRows(self)
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
        item.setFont(WORDS, bold(self.font()))
        around = f"{cells[LEFT]} [{cells[WORDS]}] {cells[RIGHT]}" + (f" · {more}" if more else "")
        item.setData(LEFT, Qt.ItemDataRole.AccessibleTextRole, around)
        for column in range(self.columnCount()):
            item.setToolTip(column, tip(around))
        return item

"""Tables of numbers with a tiny bar in each cell, and on it the ends of the interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.gui.widgets.tips import tip

if TYPE_CHECKING:
    from app.operations.compare.view import Figure

FIGURE = int(Qt.ItemDataRole.UserRole)
COLOUR = FIGURE + 1
_PAD, _BAR, _TICK = 6, 4, 3
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One row: its label, its bars' colour (None: the accent), its cells; a `total` stands out."""

    label: str
    colour: QColor | None
    cells: tuple[Figure, ...]
    total: bool = False


class NumberModel(QAbstractTableModel):
    """Rows of figures under headings (short words and their explanation)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.headings: tuple[tuple[str, str], ...] = ()
        self.rows: tuple[NumberRow, ...] = ()

    def show_rows(self, headings: Sequence[tuple[str, str]], rows: Sequence[NumberRow]) -> None:
        """Show these; where the shape stays, so do choice and place."""
        same = self.headings == tuple(headings) and len(self.rows) == len(rows)
        if not same:
            self.beginResetModel()
        self.headings, self.rows = tuple(headings), tuple(rows)
        if not same:
            self.endResetModel()
        elif self.rows and self.headings:
            last = self.index(len(self.rows) - 1, len(self.headings) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self.rows) - 1)

    def rowCount(self, parent: Index | None = None) -> int:
        """Rows of the table."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Columns of the table."""
        return 0 if parent is not None and parent.isValid() else len(self.headings)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """A figure as text, as a sentence, or itself."""
        row = self.rows[index.row()]
        figure = row.cells[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return figure.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(figure.sentence)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return figure.sentence
        if role == FIGURE:
            return figure
        if role == COLOUR:
            return row.colour
        return _bold() if role == Qt.ItemDataRole.FontRole and row.total else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> object:
        """Labels at the left, headings with their explanations on top."""
        if orientation == Qt.Orientation.Vertical:
            row = self.rows[section]
            if role == Qt.ItemDataRole.DisplayRole:
                return row.label
            return _bold() if role == Qt.ItemDataRole.FontRole and row.total else None
        short, about = self.headings[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return short
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(about)
        return about if role == Qt.ItemDataRole.AccessibleDescriptionRole else None


def _bold() -> QFont:
    font = QApplication.font()
    font.setBold(True)
    return font


class FigureDelegate(QStyledItemDelegate):
    """The number at the right, its bar below it; a line across the bar is the interval."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a cell."""
        self.initStyleOption(option, index)
        figure: Figure = index.data(FIGURE)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        widget = option.widget
        focused = widget is not None and widget.hasFocus()
        palette, room = option.palette, QRectF(option.rect)
        painter.save()
        roles = QPalette.ColorRole
        if chosen and focused:
            painter.fillRect(room, palette.color(roles.Highlight))
        elif chosen:
            painter.fillRect(room, palette.color(roles.Midlight))
        ink = palette.color(roles.HighlightedText if chosen and focused else roles.Text)
        painter.setPen(ink)
        painter.setFont(option.font)
        words = room.adjusted(_PAD, 0, -_PAD, -(_BAR + _TICK) if figure.share is not None else 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, figure.text)
        if figure.share is not None:
            colour = index.data(COLOUR) or palette.color(roles.Highlight)
            _draw_bar(painter, room, figure, ink if chosen and focused else colour, ink)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the number and its bar."""
        metrics = option.fontMetrics
        wide = metrics.horizontalAdvance(f"{index.data()}0") + 2 * _PAD
        return QSize(wide, metrics.height() + _BAR + 2 * _TICK)


def _draw_bar(painter: QPainter, room: QRectF, figure: Figure, colour: QColor, ink: QColor) -> None:
    """A bar along the foot of the cell, as long as the share; an error's is hollow."""
    left, wide = room.left() + _PAD, room.width() - 2 * _PAD
    top = room.bottom() - _BAR - _TICK
    share = figure.share or 0.0
    bar = QRectF(left, top, max(wide * share, 1.0), _BAR)
    if figure.error:
        painter.setPen(QPen(colour, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        painter.fillRect(bar, colour)
    if figure.low is not None and figure.high is not None:
        painter.setPen(QPen(ink, 1))
        middle = round(top + _BAR / 2)
        low, high = round(left + wide * figure.low), round(left + wide * figure.high)
        painter.drawLine(low, middle, high, middle)
        for end in (low, high):
            painter.drawLine(end, middle - _TICK, end, middle + _TICK)


class PlainHeader(QHeaderView):
    """Words on the ground of the table, without frames."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        """The words, those of a total bold."""
        model, orientation = self.model(), self.orientation()
        font = model.headerData(logical, orientation, int(Qt.ItemDataRole.FontRole))
        painter.save()
        painter.fillRect(rect, self.palette().color(QPalette.ColorRole.Base))
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        painter.setFont(font if isinstance(font, QFont) else self.font())
        words = str(model.headerData(logical, orientation) or "")
        room = rect.adjusted(_PAD, 0, -_PAD, 0)
        cut = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(self.defaultAlignment()), cut)
        painter.restore()


class NumberTable(QTableView):
    """As high as all its rows; Enter or a click opens a cell, arrow keys move between cells."""

    def __init__(
        self, name: str, opened: Callable[[int, int], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self.numbers = NumberModel(self)
        self.setModel(self.numbers)
        self.setItemDelegate(FigureDelegate(self))
        self.setAccessibleName(name)
        self.setStyleSheet(
            "QHeaderView, QTableCornerButton::section { background: transparent; border: none; }"
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for orientation in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
            header = PlainHeader(orientation, self)
            if orientation == Qt.Orientation.Horizontal:
                self.setHorizontalHeader(header)
            else:
                self.setVerticalHeader(header)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        self.clicked.connect(lambda index: self._opened(index.row(), index.column()))
        self.numbers.modelReset.connect(self._fit)
        self.numbers.dataChanged.connect(self._fit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current cell by Enter; letters are keys of the page, not a search in the table."""
        index = self.currentIndex()
        if event.key() in _ENTER and index.isValid():
            self._opened(index.row(), index.column())
        elif event.text().isprintable() and event.text().strip():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Room for all cells."""
        frame = 2 * self.frameWidth()
        wide = self.verticalHeader().sizeHint().width() + sum(self._columns())
        return QSize(wide + frame, self._high())

    def minimumSizeHint(self) -> QSize:
        """All rows, and as few columns as there is room for."""
        return QSize(self.verticalHeader().sizeHint().width() + 20 * _PAD, self._high())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns the room there is."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _columns(self) -> list[int]:
        """What the columns need."""
        metrics = self.fontMetrics()
        return [
            max(self.sizeHintForColumn(column), metrics.horizontalAdvance(f"{short}0") + 2 * _PAD)
            for column, (short, _) in enumerate(self.numbers.headings)
        ]

    def _fit(self) -> None:
        columns = self._columns()
        more = (self.viewport().width() - sum(columns)) // max(len(columns), 1)
        for column, wide in enumerate(columns):
            self.setColumnWidth(column, wide + max(more, 0))
        self.updateGeometry()

    def _high(self) -> int:
        # Always with room for the scroll bar, so that nothing moves when it comes.
        return (
            self.horizontalHeader().sizeHint().height()
            + self.verticalHeader().length()
            + self.horizontalScrollBar().sizeHint().height()
            + 2 * self.frameWidth()
        )

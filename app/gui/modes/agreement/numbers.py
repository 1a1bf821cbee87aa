"""Tables of numbers, which share keys, sizes and words; cells with a tiny bar and the ends of an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.gui.widgets.flow import Fitted, Lettered
from app.gui.widgets.lists import Index, RowsModel
from app.gui.widgets.plain import bold
from app.gui.widgets.tips import tip

if TYPE_CHECKING:
    from app.operations.compare.view import Figure

FIGURE = int(Qt.ItemDataRole.UserRole)
COLOUR, MARKED = FIGURE + 1, FIGURE + 2
_PAD, _BAR, _TICK = 4, 4, 3
_GAP = 2 * " "
_DIGITS = 9
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One row: its label, its cells, its bars' colour (None: the accent); a `total` stands out, and so does
    the cell of the column `marked`. A cell without a sentence can be neither reached nor opened."""

    label: str
    cells: tuple[Figure, ...]
    colour: QColor | None = None
    total: bool = False
    marked: int | None = None


class NumberModel(RowsModel):
    """Rows of figures under headings (short words and their explanation)."""

    headings: tuple[tuple[str, str], ...] = ()
    rows: tuple[NumberRow, ...] = ()

    def show_rows(self, headings: Sequence[tuple[str, str]], rows: Sequence[NumberRow]) -> None:
        """Show these; where the shape stays, so do choice and place."""
        if (self.headings, self.rows) == (tuple(headings), tuple(rows)):
            return
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

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
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
        if role == MARKED:
            return index.column() == row.marked
        return bold(QApplication.font()) if role == Qt.ItemDataRole.FontRole and row.total else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Arrow keys pass over what says nothing."""
        reached = index.isValid() and self.rows[index.row()].cells[index.column()].sentence
        return super().flags(index) if reached else Qt.ItemFlag.NoItemFlags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = int(Qt.ItemDataRole.DisplayRole)
    ) -> object:
        if orientation == Qt.Orientation.Vertical:
            row = self.rows[section]
            if role == Qt.ItemDataRole.DisplayRole:
                return row.label
            if role == Qt.ItemDataRole.ToolTipRole:
                return tip(row.label)
            return bold(QApplication.font()) if role == Qt.ItemDataRole.FontRole and row.total else None
        short, about = self.headings[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return short
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(about)
        return about if role == Qt.ItemDataRole.AccessibleDescriptionRole else None


class CellDelegate(QStyledItemDelegate):
    """Paints the cells of a table, and knows up to which width of their columns that is of use."""

    def widest(self, metrics: QFontMetrics) -> int:
        """In pixels; 0 for no wider than must be."""
        return 0


class FigureDelegate(CellDelegate):
    """The number at the right, its bar below it; a line along the bar is the interval, one across it what the
    number is to be compared with. In a `large` one bars are what is looked at."""

    def __init__(self, *, large: bool = False) -> None:
        super().__init__()
        self._wide, self._bar = (2, 2 * _BAR) if large else (1, _BAR)

    def widest(self, metrics: QFontMetrics) -> int:
        """Wider, bars would leave their numbers."""
        return metrics.horizontalAdvance("0" * _DIGITS) * self._wide

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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
        words = room.adjusted(_PAD, 0, -_PAD, -(self._bar + _TICK) if figure.share is not None else 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, figure.text)
        if figure.share is not None:
            colour = index.data(COLOUR) or palette.color(roles.Highlight)
            _draw_bar(painter, room, figure, (ink if chosen and focused else colour, ink), self._bar)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the number and its bar; more than a blank parts it from the one before, in any size."""
        font = index.data(Qt.ItemDataRole.FontRole)
        metrics = QFontMetrics(font) if isinstance(font, QFont) else option.fontMetrics
        wide = metrics.horizontalAdvance(index.data()) + max(2 * _PAD, metrics.horizontalAdvance(_GAP))
        return QSize(wide, metrics.height() + self._bar + 2 * _TICK)


def _draw_bar(
    painter: QPainter, room: QRectF, figure: Figure, colours: tuple[QColor, QColor], high: int
) -> None:
    """A bar along the foot of the cell, as long as the share; an error's is hollow."""
    colour, ink = colours
    left, wide = room.left() + _PAD, room.width() - 2 * _PAD
    top = room.bottom() - high - _TICK
    share = figure.share or 0.0
    bar = QRectF(left, top, max(wide * share, 1.0), high)
    if figure.error:
        painter.setPen(QPen(colour, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        painter.fillRect(bar, colour)
    if figure.low is not None and figure.high is not None:
        painter.setPen(QPen(ink, 1))
        middle = round(top + high / 2)
        ends = round(left + wide * figure.low), round(left + wide * figure.high)
        painter.drawLine(ends[0], middle, ends[1], middle)
        for end in ends:
            painter.drawLine(end, middle - _TICK, end, middle + _TICK)
    if figure.line is not None:
        at = round(left + wide * figure.line)
        painter.setPen(QPen(ink, 2, Qt.PenStyle.DotLine))
        painter.drawLine(at, round(top) - _TICK, at, round(top + high) + _TICK)


class PlainHeader(QHeaderView):
    """Words on the ground of the table, without frames; of names no more than some `letters`."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget, letters: int = 0) -> None:
        super().__init__(orientation, parent)
        self._letters = letters
        self.setSectionsClickable(False)
        self.setHighlightSections(False)

    def sectionSizeFromContents(self, logical: int) -> QSize:
        words = str(self.model().headerData(logical, self.orientation()) or "")
        room = self.room_of(words, self._font_of(logical))
        size = super().sectionSizeFromContents(logical).expandedTo(room)
        return (
            size.boundedTo(QSize(self.room_of("x" * self._letters).width(), size.height()))
            if self._letters
            else size
        )

    def room_of(self, words: str, font: QFont | None = None) -> QSize:
        metrics = self.fontMetrics() if font is None else QFontMetrics(font)
        return metrics.size(0, words).grownBy(QMargins(_PAD, 2, _PAD, 2))

    def _font_of(self, logical: int) -> QFont:
        """Bold for a total."""
        font = self.model().headerData(logical, self.orientation(), int(Qt.ItemDataRole.FontRole))
        return font if isinstance(font, QFont) else self.font()

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        model, orientation = self.model(), self.orientation()
        painter.save()
        painter.fillRect(rect, self.palette().color(QPalette.ColorRole.Base))
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        painter.setFont(self._font_of(logical))
        words = str(model.headerData(logical, orientation) or "")
        room = rect.adjusted(_PAD, 0, -_PAD, 0)
        elide, metrics = Qt.TextElideMode.ElideRight, painter.fontMetrics()
        cut = "\n".join(metrics.elidedText(line, elide, room.width()) for line in words.split("\n"))
        painter.drawText(room, int(self.defaultAlignment()), cut)
        painter.restore()


class NumberTable(Lettered, Fitted, QTableView):
    """As high as all its rows; Enter or a click opens a cell, arrow keys move between cells."""

    def __init__(
        self,
        name: str,
        opened: Callable[[int, int], object],
        cells: CellDelegate | None = None,
        letters: int = 0,
    ) -> None:
        """Of headings and labels that are names, so many `letters` are shown, each in a column as wide as the
        others, so that bars of a row can be compared; 0 for all."""
        super().__init__()
        self._opened, self._letters = opened, letters
        self._needed: list[int] | None = None
        self.numbers = NumberModel(self)
        self.setModel(self.numbers)
        self._cells = cells or FigureDelegate()
        self._cells.setParent(self)
        self.setItemDelegate(self._cells)
        self.setAccessibleName(name)
        self.setStyleSheet(
            "QHeaderView, QTableCornerButton::section { background: transparent; border: none; }"
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalHeader(PlainHeader(Qt.Orientation.Horizontal, self, letters))
        self.setVerticalHeader(PlainHeader(Qt.Orientation.Vertical, self, letters))
        self.horizontalHeader().setMinimumSectionSize(1)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        )
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.clicked.connect(self._open)
        self.numbers.modelReset.connect(self.fit_letters)
        self.numbers.dataChanged.connect(self.fit_letters)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current cell by Enter; letters are keys of the page, not a search in the table."""
        if event.key() in _ENTER:
            self._open(self.currentIndex())
        elif event.text().isprintable() and event.text().strip():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Room for all cells, and for bars of a sensible length; more is not taken."""
        widest = self._cells.widest(self.fontMetrics())
        columns = sum(max(column, widest) for column in self._columns())
        return QSize(self._beside() + columns, self._high())

    def minimumSizeHint(self) -> QSize:
        """All rows, and as few columns as there is room for."""
        return QSize(self._beside() + 20 * _PAD, self._high())

    def _open(self, index: Index) -> None:
        if index.flags() & Qt.ItemFlag.ItemIsEnabled:
            self._opened(index.row(), index.column())

    def _columns(self) -> list[int]:
        """What the columns need; worked out once for what is shown, as layouts ask again and again."""
        if self._needed is None:
            self._needed = self._measured()
        return self._needed

    def _measured(self) -> list[int]:
        room = self.fontMetrics().size
        most = room(0, "x" * self._letters).width()
        headings = [room(0, words).width() if words else -2 * _PAD for words, _ in self.numbers.headings]
        columns = [
            max(self.sizeHintForColumn(column), (min(wide, most) if most else wide) + 2 * _PAD)
            for column, wide in enumerate(headings)
        ]
        return [max(columns)] * len(columns) if columns and most else columns

    def fit_letters(self) -> None:
        self._needed = None
        # All cells of a row are as high as its first.
        for row in range(self.numbers.rowCount() if self.numbers.headings else 0):
            cell = self.sizeHintForIndex(self.numbers.index(row, 0))
            self.setRowHeight(row, max(cell.height(), self.verticalHeader().sectionSizeHint(row)))
        self.arrange()

    def arrange(self) -> None:
        columns = self._columns()
        widest = self._cells.widest(self.fontMetrics())
        wanted = [max(widest - column, 0) for column in columns]
        part = min((self.viewport().width() - sum(columns)) / max(sum(wanted), 1), 1)
        for place, (column, more) in enumerate(zip(columns, wanted, strict=True)):
            self.setColumnWidth(place, column + int(more * max(part, 0)))
        self.updateGeometry()

    def _beside(self) -> int:
        labels = self.verticalHeader()
        return 2 * self.frameWidth() + (0 if labels.isHidden() else labels.sizeHint().width())

    def _high(self) -> int:
        # Always with room for the scroll bar, so that nothing moves when it comes.
        headings = self.horizontalHeader()
        above = 0 if headings.isHidden() else headings.sizeHint().height()
        bar, off = self.horizontalScrollBar(), Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        below = 0 if self.horizontalScrollBarPolicy() == off else bar.sizeHint().height()
        return above + self.verticalHeader().length() + below + 2 * self.frameWidth()

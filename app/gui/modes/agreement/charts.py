"""The painted charts of the agreement page: confusion heat map, strip of reports, matrix of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.gui.modes.agreement.painted import PaintedCells, Place, tinted

if TYPE_CHECKING:
    from app.agreement.charts import HeatCell, StripBar
    from app.operations.compare.view import AgreementView, Figure

_PAD, _GAP = 4, 2
_LEAST_TINT, _MOST_TINT = 0.08, 0.7
_STRIP_LINES, _BAR_SHARE, _WIDEST = 5, 0.8, 40
_NAME_LETTERS, _SIDE_LETTERS = 13, 20


class HeatMapChart(PaintedCells):
    """Rows: the left's categories; columns, by their codes: what the right says of the same place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._cells: dict[Place, HeatCell] = {}
        self._names: tuple[tuple[str, int], ...] = ()
        self._codes: tuple[str, ...] = ()
        super().__init__("Confusion", parent)

    def show_view(self, view: AgreementView, codes: Mapping[str, str]) -> None:
        """Show a pair; `codes` are two letters by category id."""
        self._cells = {(cell.row, cell.column): cell for cell in view.heat.cells}
        self._names = tuple((name, count) for _, name, count in view.heat.rows)
        self._codes = tuple(codes.get(category, "–") for category in view.ids)
        self.fill()

    def shape_of(self) -> Place:
        """As many rows as columns."""
        return len(self._names), len(self._codes)

    def room_of(self, place: Place) -> QRectF:
        """Right of the names and below the codes."""
        wide, high = self._cell()
        left = self._names_wide()
        return QRectF(left + place[1] * wide, high + place[0] * high, wide, high)

    def sentence_of(self, place: Place) -> str:
        """How many quotes stand there."""
        cell = self._cells.get(place)
        return cell.sentence if cell else ""

    def sizeHint(self) -> QSize:
        """Room for all of it."""
        wide, high = self._cell()
        rows, columns = self.shape_of()
        return QSize(self._names_wide() + columns * wide + _PAD, (rows + 1) * high + _PAD)

    def minimumSizeHint(self) -> QSize:
        """The same: what is cut off could not be read."""
        return self.sizeHint()

    def paint_cells(self, painter: QPainter) -> None:
        """Names with their numbers, codes, and a tint and percentage for each cell."""
        palette, (wide, high), left = self.palette(), self._cell(), self._names_wide()
        ink, quiet = (
            palette.color(role) for role in (QPalette.ColorRole.Text, QPalette.ColorRole.PlaceholderText)
        )
        middle = Qt.AlignmentFlag.AlignCenter
        beside = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        number = self._number_wide()
        for row, (name, count) in enumerate(self._names):
            room = QRectF(0, high * (row + 1), left - number - 2 * _PAD, high)
            painter.setPen(ink)
            painter.drawText(room, beside, name)
            painter.setPen(quiet)
            painter.drawText(QRectF(room.right(), room.top(), number + _PAD, high), beside, str(count))
        painter.setPen(ink)
        for column, code in enumerate(self._codes):
            painter.drawText(QRectF(left + column * wide, 0, wide, high), middle, code)
        for place, cell in self._cells.items():
            room = self.room_of(place).adjusted(1, 1, -1, -1)
            strength = _LEAST_TINT + (_MOST_TINT - _LEAST_TINT) * cell.strength if cell.text else 0.0
            ground, letters = tinted(palette, strength)
            line = QPalette.ColorRole.Text if cell.diagonal else QPalette.ColorRole.Mid
            painter.setPen(QPen(palette.color(line), 1))
            painter.setBrush(ground)
            painter.drawRect(room)
            painter.setPen(letters)
            painter.drawText(room, middle, cell.text)

    def _cell(self) -> tuple[int, int]:
        metrics = self.fontMetrics()
        return metrics.horizontalAdvance("0000") + 2 * _PAD, metrics.height() + 2 * _PAD

    def _number_wide(self) -> int:
        return self.fontMetrics().horizontalAdvance("00000")

    def _names_wide(self) -> int:
        widest = max((self.fontMetrics().horizontalAdvance(name) for name, _ in self._names), default=0)
        return widest + self._number_wide() + 4 * _PAD


class ReportStrip(PaintedCells):
    """One bar for each report, the lowest agreement first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._bars: tuple[StripBar, ...] = ()
        super().__init__("Reports by agreement", parent)

    def show_bars(self, bars: Sequence[StripBar]) -> None:
        """Show these reports."""
        self._bars = tuple(bars)
        self.fill()

    def key_of(self, place: Place) -> str:
        """The key of the report there."""
        return self._bars[place[1]].key

    def shape_of(self) -> Place:
        """One row."""
        return (1, len(self._bars)) if self._bars else (0, 0)

    def room_of(self, place: Place) -> QRectF:
        """From top to bottom, so that a low bar can be hit as well."""
        step = min(self.width() / max(len(self._bars), 1), _WIDEST)
        return QRectF(place[1] * step, 0, step, self.height())

    def sentence_of(self, place: Place) -> str:
        """Which report, and its score."""
        return self._bars[place[1]].sentence if place[1] < len(self._bars) else ""

    def sizeHint(self) -> QSize:
        """A few lines high."""
        return QSize(8 * _WIDEST, _STRIP_LINES * self.fontMetrics().height())

    def paint_cells(self, painter: QPainter) -> None:
        """Bars on lines at nothing, half and all."""
        palette, high = self.palette(), self.height() - 2
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Mid), 1))
        for share in (0.0, 0.5, 1.0):
            level = round(1 + high * (1 - share))
            painter.drawLine(0, level, self.width(), level)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(QPalette.ColorRole.Highlight))
        for number, bar in enumerate(self._bars):
            room = self.room_of((0, number))
            tall = max(high * bar.share, 1.0)
            margin = room.width() * (1 - _BAR_SHARE) / 2
            painter.drawRect(QRectF(room.left() + margin, 1 + high - tall, room.width() * _BAR_SHARE, tall))


class PairMatrix(PaintedCells):
    """Every pair: rows are the left side, columns the right; opening a cell chooses the pair."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._names: tuple[str, ...] = ()
        self._figures: Mapping[tuple[str, str], Figure] = {}
        self._chosen = ("", "")
        super().__init__("Every pair", parent)

    def show_pairs(
        self, names: Sequence[str], figures: Mapping[tuple[str, str], Figure], chosen: tuple[str, str]
    ) -> None:
        """Show what is known of the pairs of these annotators."""
        self._names, self._figures, self._chosen = tuple(names), dict(figures), chosen
        self.fill()

    def pair_at(self, place: Place) -> tuple[str, str]:
        """The left and right side of a cell."""
        return self._names[place[0]], self._names[place[1]]

    def shape_of(self) -> Place:
        """As many rows as columns."""
        return len(self._names), len(self._names)

    def room_of(self, place: Place) -> QRectF:
        """Right of and below the names."""
        wide, high = self._cell()
        return QRectF(self._left() + place[1] * wide, high + place[0] * high, wide, high)

    def sentence_of(self, place: Place) -> str:
        """The pair's leading score."""
        left, right = self.pair_at(place)
        if left == right:
            return ""
        figure = self._figures.get((left, right))
        return figure.sentence if figure else f"{left} (left) with {right} (right): still being worked out."

    def sizeHint(self) -> QSize:
        """Room for all pairs."""
        wide, high = self._cell()
        return QSize(self._left() + len(self._names) * wide + _PAD, (len(self._names) + 1) * high + _PAD)

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def paint_cells(self, painter: QPainter) -> None:
        """Names, and a tint and a score for each pair; the chosen one is framed."""
        palette, (wide, high), left = self.palette(), self._cell(), self._left()
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        metrics, elide = self.fontMetrics(), Qt.TextElideMode.ElideRight
        middle = Qt.AlignmentFlag.AlignCenter
        for number, name in enumerate(self._names):
            row = QRectF(0, high * (number + 1), left - _PAD, high)
            column = QRectF(left + wide * number, 0, wide - _GAP, high)
            before = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(row, before, metrics.elidedText(name, elide, int(row.width())))
            painter.drawText(column, middle, metrics.elidedText(name, elide, int(column.width())))
        for row_number, one in enumerate(self._names):
            for column_number, other in enumerate(self._names):
                if one != other:
                    self._paint_pair(painter, (row_number, column_number), (one, other))

    def _paint_pair(self, painter: QPainter, place: Place, pair: tuple[str, str]) -> None:
        figure, palette = self._figures.get(pair), self.palette()
        share = figure.share if figure else None
        strength = 0.0 if share is None else _LEAST_TINT + (_MOST_TINT - _LEAST_TINT) * share
        ground, letters = tinted(palette, strength)
        chosen = pair == self._chosen
        role = QPalette.ColorRole.Text if chosen else QPalette.ColorRole.Mid
        painter.setPen(QPen(palette.color(role), 2 if chosen else 1))
        painter.setBrush(ground)
        room = self.room_of(place).adjusted(1, 1, -1, -1)
        painter.drawRect(room)
        painter.setPen(letters)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, figure.text if figure else "…")

    def _cell(self) -> tuple[int, int]:
        metrics = self.fontMetrics()
        names = (metrics.horizontalAdvance(name) for name in self._names)
        most = metrics.averageCharWidth() * _NAME_LETTERS
        widest = min(max(names, default=0), most)
        return max(widest, metrics.horizontalAdvance("100.00 (000)")) + 3 * _PAD, metrics.height() + 2 * _PAD

    def _left(self) -> int:
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(name) for name in self._names), default=0)
        return min(widest, metrics.averageCharWidth() * _SIDE_LETTERS) + 2 * _PAD

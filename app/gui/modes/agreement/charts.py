"""The charts of the agreement page as tables: confusion heat map, strip of reports, matrix of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionViewItem

from app.gui.modes.agreement.numbers import FIGURE, MARKED, CellDelegate, NumberRow, NumberTable
from app.gui.widgets.lists import Index
from app.operations.compare.view import AgreementView, Figure, unmeasured
from app.palette import Rgb, contrast, mix

if TYPE_CHECKING:
    from app.agreement.output.charts import StripBar

_PAD = 4
_LEAST_TINT, _MOST_TINT = 0.08, 0.7
_FOCUSED, _MARKED = 3, 2
_STRIP_LINES, _BAR_SHARE, _WIDEST = 5, 0.8, 40
_NAME_LETTERS = 16
_MIDDLE = Qt.AlignmentFlag.AlignCenter
_BEFORE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TintDelegate(CellDelegate):
    """A cell is the darker the larger its share, framed where it is marked, and boldly where one is."""

    def __init__(self, widest: str) -> None:
        """`widest` is the longest text of a cell."""
        super().__init__()
        self._text = widest

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return option.fontMetrics.size(0, self._text) + QSize(2 * _PAD, 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        figure: Figure = index.data(FIGURE)
        if not figure.sentence:
            return
        role, marked = QPalette.ColorRole, bool(index.data(MARKED))
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        share = figure.share
        tint = 0.0 if share is None else _LEAST_TINT + (_MOST_TINT - _LEAST_TINT) * share
        ground, letters = tinted(option.palette, tint)
        wide = _FOCUSED if focused else _MARKED if marked else 1
        inset = 1 + wide / 2
        painter.save()
        painter.setPen(QPen(option.palette.color(role.Text if focused or marked else role.Mid), wide))
        painter.setBrush(ground)
        painter.drawRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset))
        painter.setPen(letters)
        painter.setFont(option.font)
        painter.drawText(option.rect, int(_MIDDLE), figure.text)
        painter.restore()


class BarDelegate(CellDelegate):
    """A cell is a bar between lines at nothing, half and all; the whole height can be hit."""

    def widest(self, metrics: QFontMetrics) -> int:
        """Few reports do not fill the page."""
        return _WIDEST

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(2, _STRIP_LINES * option.fontMetrics.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        role, room = QPalette.ColorRole, QRectF(option.rect).adjusted(0, 1, 0, -2)
        figure: Figure = index.data(FIGURE)
        painter.save()
        painter.setPen(QPen(option.palette.color(role.Mid), 1))
        for level in (room.top(), room.center().y(), room.bottom()):
            painter.drawLine(int(room.left()), int(level), int(room.right()), int(level))
        tall, margin = max(room.height() * (figure.share or 0.0), 1.0), room.width() * (1 - _BAR_SHARE) / 2
        bar = QRectF(room.left() + margin, room.bottom() - tall, room.width() - 2 * margin, tall)
        painter.fillRect(bar, option.palette.color(role.Highlight))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(option.palette.color(role.Text), _FOCUSED))
            painter.drawRect(room.adjusted(1, 1, -1, 0))
        painter.restore()


class Matrix(NumberTable):
    """A table of tinted cells, whole at any width of the page: what is cut off could not be compared."""

    def __init__(
        self, name: str, opened: Callable[[int, int], object], widest: str, letters: int = 0
    ) -> None:
        super().__init__(name, opened, TintDelegate(widest), letters)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.verticalHeader().setDefaultAlignment(_BEFORE)
        self.horizontalHeader().setDefaultAlignment(_MIDDLE)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class HeatMap(Matrix):
    """Rows: the left's categories with their numbers; columns, by their codes: what the right says of the
    same place."""

    def __init__(self, opened: Callable[[int, int], object]) -> None:
        super().__init__("Confusion", opened, "100 %")

    def show_view(self, view: AgreementView, codes: Mapping[str, str]) -> None:
        """Show a pair; `codes` are two letters by category id."""
        cells = {(cell.row, cell.column): cell for cell in view.heat.cells}
        names = [name for _, name, _ in view.heat.rows]
        headings = [(codes.get(one, "–"), name) for one, name in zip(view.ids, names, strict=True)]
        rows = []
        for row, (_, name, count) in enumerate(view.heat.rows):
            figures = [
                Figure(cell.text, cell.sentence, cell.strength if cell.text else None)
                if (cell := cells.get((row, column)))
                else Figure("", "")
                for column in range(len(names))
            ]
            rows.append(NumberRow(f"{name}   {count}", tuple(figures), marked=row))
        self.numbers.show_rows(headings, rows)


class PairMatrix(Matrix):
    """Every pair: rows are the left side, columns the right; opening a cell chooses the pair."""

    def __init__(self, chosen: Callable[[tuple[str, str]], object]) -> None:
        super().__init__(
            "Every pair",
            lambda row, column: chosen((self.names[row], self.names[column])),
            "100.00 (000)",
            _NAME_LETTERS,
        )
        self.names: tuple[str, ...] = ()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first pair: Qt would at the first cell, which is none."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self.numbers.index(0, 1))

    def show_pairs(
        self,
        names: Sequence[str],
        figures: Mapping[tuple[str, str], Figure],
        chosen: tuple[str, str],
        *,
        stopped: bool,
    ) -> None:
        """Show what is known of the pairs of these annotators."""
        self.names = tuple(names)

        def figure(one: str, other: str) -> Figure:
            missing = unmeasured(f"{one} (left) with {other} (right)", stopped=stopped)
            return Figure("", "") if one == other else figures.get((one, other), missing)

        left, right = chosen
        rows = [
            NumberRow(
                one,
                tuple(figure(one, other) for other in names),
                marked=self.names.index(right) if one == left and right in names else None,
            )
            for one in names
        ]
        self.numbers.show_rows([(name, name) for name in names], rows)


class ReportStrip(NumberTable):
    """One bar for each report, the lowest agreement first."""

    def __init__(self, opened: Callable[[str], object]) -> None:
        super().__init__("Reports by agreement", lambda _, column: opened(self.keys[column]), BarDelegate())
        self.keys: tuple[str, ...] = ()
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_bars(self, bars: Sequence[StripBar]) -> None:
        self.keys = tuple(bar.key for bar in bars)
        figures = tuple(Figure("", bar.sentence, bar.share) for bar in bars)
        self.numbers.show_rows([("", bar.key) for bar in bars], [NumberRow("", figures)] if bars else [])


def tinted(palette: QPalette, strength: float) -> tuple[QColor, QColor]:
    """Accent on paper, from 0 to 1, and whichever of ink and paper can be read on it."""
    role = QPalette.ColorRole
    paper, ink, accent = (_rgb(palette.color(one)) for one in (role.Base, role.Text, role.Highlight))
    ground = mix(paper, accent, strength)
    letters = max((ink, paper), key=lambda one: contrast(one, ground))
    return QColor(*ground), QColor(*letters)


def _rgb(colour: QColor) -> Rgb:
    return colour.red(), colour.green(), colour.blue()

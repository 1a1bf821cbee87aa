"""How a row of the queue looks: state, kind, category, where, and both sides in short."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.gui.modes.reconcile.model import SHOWN, Shown
from app.gui.modes.reconcile.words import MARKS, SHORT, SIGNS
from app.gui.reader.palette import PagePalette
from app.gui.widgets.plain import beside
from app.gui.widgets.swatch import paint_swatch, swatch_size

_PAD = 8
# Letters may reach a little beyond their width.
_SPARE = 2
_BAR = 4
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_MIDDLE = Qt.AlignmentFlag.AlignCenter


class QueueRows(QStyledItemDelegate):
    """All rows are equally high, so that thousands of them are laid out at once."""

    def __init__(self, palette: PagePalette) -> None:
        super().__init__()
        self._palette = palette

    def set_page_palette(self, palette: PagePalette) -> None:
        """Paint in the colours of another theme."""
        self._palette = palette

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Two lines, as wide as the list."""
        return QSize(1, 2 * option.fontMetrics.lineSpacing() + 2 * _PAD)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one row."""
        drawn = QStyleOptionViewItem(option)
        self.initStyleOption(drawn, index)
        drawn.text = ""
        focused = drawn.widget is not None and drawn.widget.hasFocus()
        if not focused:
            drawn.state &= ~QStyle.StateFlag.State_Selected
        style = drawn.widget.style() if drawn.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, drawn, painter, drawn.widget)
        shown = index.data(SHOWN)
        if not isinstance(shown, Shown):
            return
        selected = bool(drawn.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        ink = drawn.palette.color(QPalette.ColorGroup.Active, role)
        quiet = ink if selected else QApplication.palette().placeholderText().color()
        painter.save()
        if shown.current:
            bar = QRect(drawn.rect.topLeft(), QSize(_BAR, drawn.rect.height()))
            painter.fillRect(bar, ink if selected else drawn.palette.highlight().color())
        self._draw(painter, drawn.rect, drawn.font, shown, ink, quiet)
        painter.restore()

    def _draw(
        self, painter: QPainter, rect: QRect, font: QFont, shown: Shown, ink: QColor, quiet: QColor
    ) -> None:
        metrics = QFontMetrics(font)
        height = metrics.lineSpacing()
        left, top = rect.left() + _BAR + _PAD, rect.top() + _PAD
        mark = metrics.horizontalAdvance("✓") + _PAD
        left += 2 * _PAD if shown.below else 0
        painter.setPen(ink)
        painter.setFont(font)
        painter.drawText(QRect(left, top, mark, height), _MIDDLE, MARKS[shown.state])
        painter.drawText(QRect(left, top + height, mark, height), _MIDDLE, SIGNS[shown.kind])
        left += mark + _PAD
        size = swatch_size(font)
        swatch = QRectF(left, top + (height - size.height()) / 2, size.width(), size.height())
        paint_swatch(painter, swatch, self._palette, shown.category, font)
        painter.setPen(ink)
        beyond = round(swatch.right()) + _PAD
        bold = QFont(font)
        bold.setBold(shown.current)
        painter.setFont(bold)
        head = shown.first if shown.first == SHORT[shown.kind] else f"{SHORT[shown.kind]} · {shown.first}"
        self._line(painter, QRect(beyond, top, rect.right() - beyond - _PAD, height), head)
        painter.setFont(font)
        painter.setPen(quiet)
        sides = (shown.left, shown.right)
        wanted = [metrics.horizontalAdvance(side) + _SPARE for side in sides]
        for side, width in zip(sides, shared_room(rect.right() - left - 2 * _PAD, *wanted), strict=True):
            # Edges differ at the ends.
            place = QRect(left, top + height, width, height)
            self._line(painter, place, side, Qt.TextElideMode.ElideMiddle)
            left += width + _PAD

    def _line(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        cut_at: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        cut = painter.fontMetrics().elidedText(text, cut_at, place.width())
        painter.drawText(place, beside(text), cut)


def shared_room(room: int, one: int, other: int) -> tuple[int, int]:
    """Widths for two texts side by side: half each, but what one does not need the other has."""
    half = room // 2
    if one <= half:
        return one, room - one
    return (room - other, other) if other <= half else (half, half)

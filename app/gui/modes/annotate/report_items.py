"""How a report looks in the list: a mark for its state, its title in two lines, its key and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.gui.session.report_list import IS_OPEN, ROW, second_line
from app.gui.widgets.lists import Index
from app.gui.widgets.plain import beside, layout_direction, one_line, two_lines

if TYPE_CHECKING:
    from app.operations.annotate.reports import ReportRow
    from app.store.annotate.reviews import ReviewState

_PAD = 8
_BAR = 4


def paint_state(painter: QPainter, room: QRectF, state: ReviewState, colour: QColor) -> None:
    """A ring, half full in progress, full when done; two bars for parked."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour, max(1.5, room.width() / 9))
    painter.setPen(pen)
    ring = room.adjusted(pen.widthF() / 2, pen.widthF() / 2, -pen.widthF() / 2, -pen.widthF() / 2)
    if state == "parked":
        pen.setWidthF(room.width() / 4)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        for share in (0.28, 0.72):
            x = room.left() + room.width() * share
            painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
    else:
        if state == "done":
            painter.setBrush(colour)
        painter.drawEllipse(ring)
        if state == "in progress":
            painter.setBrush(colour)
            painter.drawPie(ring, 90 * 16, 180 * 16)
    painter.restore()


class QuietItems(QStyledItemDelegate):
    """Shows what is chosen only while the list is in use."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if option.widget is not None and not option.widget.hasFocus():
            option.state &= ~QStyle.StateFlag.State_Selected


class ReportItems(QuietItems):
    """All items are equally high, so that thousands of them are laid out at once."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(1, 3 * option.fontMetrics.lineSpacing() + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        drawn = QStyleOptionViewItem(option)
        self.initStyleOption(drawn, index)
        drawn.text = ""
        style = drawn.widget.style() if drawn.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, drawn, painter, drawn.widget)
        row: ReportRow = index.data(ROW)
        selected = bool(drawn.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        active = bool(drawn.state & QStyle.StateFlag.State_Active)
        group = QPalette.ColorGroup.Active if active else QPalette.ColorGroup.Inactive
        ink = drawn.palette.color(group, role)
        is_open = bool(index.data(IS_OPEN))
        painter.save()
        if is_open:
            bar = QRect(drawn.rect.topLeft(), QSize(_BAR, drawn.rect.height()))
            painter.fillRect(bar, ink if selected else drawn.palette.highlight().color())
        font = QFont(drawn.font)
        self._draw_words(
            painter, drawn.rect, font, row, ink, quiet_ink=ink if selected else None, bold=is_open
        )
        painter.restore()

    def _draw_words(
        self,
        painter: QPainter,
        rect: QRect,
        font: QFont,
        row: ReportRow,
        ink: QColor,
        *,
        quiet_ink: QColor | None,
        bold: bool,
    ) -> None:
        metrics = QFontMetrics(font)
        height = metrics.lineSpacing()
        side = round(metrics.ascent() * 0.8)
        left, top = rect.left() + _BAR + _PAD, rect.top() + _PAD
        paint_state(painter, QRectF(left, top + (height - side) / 2, side, side), row.state, ink)
        left += side + _PAD
        width = rect.right() - left - _PAD
        font.setBold(bold)
        painter.setFont(font)
        painter.setPen(ink)
        title = one_line(row.title) or row.key
        painter.setLayoutDirection(layout_direction(title))
        for number, line in enumerate(two_lines(title, font, width)):
            place = QRect(left, top + number * height, width, height)
            painter.drawText(place, beside(title), line)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        font.setBold(False)
        painter.setFont(font)
        if quiet_ink is None:
            painter.setPen(QApplication.palette().placeholderText().color())
        place = QRect(left, top + 2 * height, width, height)
        below = metrics.elidedText(second_line(row), Qt.TextElideMode.ElideRight, width)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, below)

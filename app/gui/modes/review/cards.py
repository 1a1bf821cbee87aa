"""Cards of one side of a review as a list: painted, not built, so that hundreds cost nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem

from app.gui.modes.review.cells import (
    RELATIONS,
    UNPLACED,
    CardText,
    Cell,
    Side,
    relation_words,
    verdict_words,
)
from app.gui.modes.review.reviewing import ReviewSession
from app.gui.widgets.lists import Index
from app.gui.widgets.span_words import in_full
from app.gui.widgets.swatch import paint_swatch, swatch_size
from app.gui.widgets.tips import tip

if TYPE_CHECKING:
    from app.palette import PagePalette
    from app.store.annotate.annotations import Annotation
    from extractors.model.scheme import Scheme

_GAP, _PAD, _STRIPE = 4, 8, 4
_QUOTE_LINES, _REASON_LINES = 5, 4
CELL = Qt.ItemDataRole.UserRole


def span_on(cell: Cell, side: Side) -> Annotation | None:
    return cell.left if side == "left" else cell.right


class CardModel(QAbstractListModel):
    """The cells of the review as one side shows them."""

    def __init__(self, reviewing: ReviewSession, scheme: Scheme, side: Side, parent: QObject) -> None:
        super().__init__(parent)
        self._reviewing, self._scheme, self._side = reviewing, scheme, side
        self._cells: tuple[Cell, ...] = ()
        reviewing.changed.connect(self._take)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._cells)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self._cells[index.row()]
        if role == CELL:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.words(cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.words(cell))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings are read, not chosen."""
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.ItemIsEnabled if self._cells[index.row()].heading else usual

    def words(self, cell: Cell) -> str:
        if cell.heading:
            return cell.heading
        one = span_on(cell, self._side)
        if one is None:
            return "nothing by you here" if self._side == "left" else f"nothing by {self._reviewing.run} here"
        holder = "" if self._side == "left" else self._reviewing.run
        parts = [
            RELATIONS[cell.relation],
            f"accepting {cell.replaces}" if self._side == "right" and cell.replaces else "",
            in_full(one, self._scheme.category(one.finding.category).name, holder),
        ]
        report_review = self._reviewing.report_review
        verdict = verdict_words(report_review, one.uuid) if report_review is not None else ""
        return "\n".join(filter(None, [*parts, one.finding.reason, verdict]))

    def _take(self) -> None:
        before, after = self._cells, self._reviewing.cells
        if [cell.key for cell in before] != [cell.key for cell in after]:
            self.beginResetModel()
            self._cells = after
            self.endResetModel()
            return
        self._cells = after
        other = [row for row, cell in enumerate(after) if cell != before[row]]
        if other:
            self.dataChanged.emit(self.index(other[0]), self.index(other[-1]))


@dataclass(slots=True)
class _Measured:
    """A cell, its texts by side, and its height in pixels."""

    cell: Cell
    texts: Mapping[Side, tuple[CardText, ...]]
    height: int


class CardSizes(QObject):
    """What the cards of both sides have on them, laid out; two cards of a row are equally high."""

    measured = Signal()

    def __init__(self, reviewing: ReviewSession, parent: QObject) -> None:
        super().__init__(parent)
        self._widths: dict[Side, int] = {"left": 0, "right": 0}
        self._known: dict[str, _Measured] = {}
        self._reviewing = reviewing
        self.set_font(QFont())
        reviewing.changed.connect(self._forget)

    def set_width(self, side: Side, width: int) -> None:
        if width != self._widths[side]:
            self._widths[side] = width
            self._known.clear()
            self.measured.emit()

    def set_font(self, font: QFont) -> None:
        self._font = font
        self.swatch = swatch_size(font)
        # The height of a card's first line.
        self.head = max(self.swatch.height(), QFontMetrics(font).height())
        self._known.clear()
        self.measured.emit()

    def texts(self, cell: Cell, side: Side) -> tuple[CardText, ...]:
        """The quote, and below it what else is to be said of it."""
        return self._of(cell).texts[side]

    def height(self, cell: Cell) -> int:
        return self._of(cell).height

    def _of(self, cell: Cell) -> _Measured:
        known = self._known.get(cell.key)
        if known is None:
            known = self._known[cell.key] = self._measure(cell)
        return known

    def _measure(self, cell: Cell) -> _Measured:
        texts: dict[Side, tuple[CardText, ...]] = {
            "left": self._laid_out(cell, "left"),
            "right": self._laid_out(cell, "right"),
        }
        if cell.heading:
            return _Measured(cell, texts, QFontMetrics(self._font).height() + 2 * _PAD)
        words = max(sum(text.height for text in side) for side in texts.values())
        return _Measured(cell, texts, round(self.head + _PAD // 2 + words) + 2 * _PAD + _GAP)

    def _laid_out(self, cell: Cell, side: Side) -> tuple[CardText, ...]:
        one = span_on(cell, side)
        if one is None:
            return ()
        width = self._widths[side] - 2 * (_GAP + _PAD) - _STRIPE
        quote = CardText(cell.words(side), self._font, width, _QUOTE_LINES)
        below = _below(cell, one, side)
        lines = [CardText([(below, False)], self._font, width, _REASON_LINES)] if below else []
        return (quote, *lines)

    def _forget(self) -> None:
        """Keep what is known of the cells that are as they were."""
        there = {cell.key: cell for cell in self._reviewing.cells}
        self._known = {key: one for key, one in self._known.items() if there.get(key) == one.cell}


def _below(cell: Cell, one: Annotation, side: Side) -> str:
    """Field and polarity where they say something, and how the quote was found where that is not exactly."""
    finding = one.finding
    polarity = finding.polarity if finding.polarity != "present" or cell.relation == "polarity" else ""
    grounding = "" if finding.grounding in ("exact", *UNPLACED) else finding.grounding
    words = " · ".join(filter(None, [polarity, finding.field, grounding]))
    reason = finding.reason if side == "right" and finding.start is None else ""
    taken = f"accepting {cell.replaces}" if side == "right" and cell.replaces else ""
    return "\u2028".join(filter(None, [words, taken, reason]))


class CardPainter(QStyledItemDelegate):
    """Paints the cards of one side."""

    def __init__(
        self, reviewing: ReviewSession, sizes: CardSizes, side: Side, palette: PagePalette, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._reviewing, self._sizes, self._side = reviewing, sizes, side
        self.page = palette

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(1, self._sizes.height(index.data(CELL)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell: Cell = index.data(CELL)
        one = span_on(cell, self._side)
        painter.save()
        painter.setFont(option.font)
        if cell.heading:
            self._draw_heading(painter, option, cell)
        elif one is None:
            painter.setPen(option.palette.placeholderText().color())
            painter.drawText(option.rect, Qt.AlignmentFlag.AlignCenter, "–")
        else:
            self._draw_card(painter, option, index, cell, one)
        painter.restore()

    def _draw_heading(self, painter: QPainter, option: QStyleOptionViewItem, cell: Cell) -> None:
        if self._side == "right":
            painter.setPen(option.palette.text().color())
            box = option.rect.adjusted(_GAP + _PAD, 0, -_GAP, -_GAP)
            words = option.fontMetrics.elidedText(cell.heading, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, words)

    def _draw_card(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        cell: Cell,
        one: Annotation,
    ) -> None:
        colours = option.palette
        box = option.rect.adjusted(_GAP, _GAP // 2, -_GAP, -_GAP // 2)
        current = index.row() == self._reviewing.current
        painter.fillRect(box, colours.color(QPalette.ColorRole.Base))
        category = one.finding.category
        painter.fillRect(
            QRect(box.topLeft(), QSize(_STRIPE, box.height())), QColor(*self.page.colours[category])
        )
        width = 3 if current else 1
        role = QPalette.ColorRole.Highlight if current else QPalette.ColorRole.Mid
        painter.setPen(QPen(colours.color(role), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
        painter.drawRect(QRectF(box).adjusted(width / 2, width / 2, -width / 2, -width / 2))
        inner = box.adjusted(_STRIPE + _PAD, _PAD, -_PAD, -_PAD)
        self._draw_head(painter, option, inner, cell, one)
        top = inner.top() + self._sizes.head + _PAD / 2
        for number, text in enumerate(self._sizes.texts(cell, self._side)):
            quiet = QPalette.ColorRole.PlaceholderText if number else QPalette.ColorRole.Text
            painter.setPen(colours.color(quiet))
            text.draw(painter, QPointF(inner.left(), top))
            top += text.height

    def _draw_head(
        self, painter: QPainter, option: QStyleOptionViewItem, inner: QRect, cell: Cell, one: Annotation
    ) -> None:
        """The category's code, how the card stands to the other side, and the verdict on it."""
        size, head = self._sizes.swatch, self._sizes.head
        swatch = QRectF(inner.left(), inner.top() + (head - size.height()) / 2, size.width(), size.height())
        painter.save()
        paint_swatch(painter, swatch, self.page, one.finding.category, option.font)
        painter.restore()
        line = QRect(inner.left() + size.width() + _PAD, inner.top(), 0, head)
        line.setRight(inner.right())
        verdict = self._verdict(one)
        if verdict:
            painter.setPen(option.palette.text().color())
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, verdict)
            line.setRight(line.right() - option.fontMetrics.horizontalAdvance(verdict) - _PAD)
        painter.setPen(option.palette.placeholderText().color())
        metrics, room = option.fontMetrics, line.width()
        words = relation_words(cell.relation, lambda given: bool(metrics.horizontalAdvance(given) <= room))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)

    def _verdict(self, one: Annotation) -> str:
        report_review = self._reviewing.report_review
        return (
            verdict_words(report_review, one.uuid)
            if self._side == "right" and report_review is not None
            else ""
        )


class CardList(QListView):
    """The cards of one side; the arrow keys and clicks make another one current."""

    def __init__(
        self,
        reviewing: ReviewSession,
        scheme: Scheme,
        sizes: CardSizes,
        side: Side,
        palette: PagePalette,
    ) -> None:
        super().__init__()
        self._reviewing, self._sizes, self._side = reviewing, sizes, side
        self._busy = False
        self.cards = CardModel(reviewing, scheme, side, self)
        self.painter = CardPainter(reviewing, sizes, side, palette, self)
        self.setModel(self.cards)
        self.setItemDelegate(self.painter)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        shown = (
            Qt.ScrollBarPolicy.ScrollBarAlwaysOn if side == "right" else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.setVerticalScrollBarPolicy(shown)
        # The list goes where the text is, not where Qt would have it.
        self.setAutoScroll(False)
        self.setAccessibleName("Your quotes" if side == "left" else "Quotes under review")
        sizes.measured.connect(self.scheduleDelayedItemsLayout)
        reviewing.changed.connect(self._show_current)
        reviewing.current_changed.connect(self._show_current)
        self.selectionModel().currentChanged.connect(self._choose)

    def show_from(self, number: int) -> None:
        if 0 <= number < self.cards.rowCount():
            self.scrollTo(self.cards.index(number), QAbstractItemView.ScrollHint.PositionAtTop)

    def show_whole(self, number: int) -> None:
        if 0 <= number < self.cards.rowCount():
            self.scrollTo(self.cards.index(number), QAbstractItemView.ScrollHint.EnsureVisible)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sizes.set_width(self._side, self.viewport().width())

    def _show_current(self) -> None:
        self._busy = True
        self.setCurrentIndex(self.cards.index(self._reviewing.current))
        self._busy = False
        self.viewport().update()

    def _choose(self, index: QModelIndex) -> None:
        if not self._busy and index.isValid():
            self._reviewing.set_current(index.row())

"""The queue as a list: pairs with their differences below them, single differences, and how a row looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.gui.modes.reconcile.queue.position import QueuePlace
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import MARKS, NOTHING, SHORT, SIGNS, STATE_WORDS, side_in_short
from app.gui.widgets.lists import Index
from app.gui.widgets.plain import beside, one_line, two_lines
from app.gui.widgets.swatch import paint_swatch, swatch_size
from app.gui.widgets.tips import tip
from app.operations.reconcile.preview import word_differences
from app.operations.reconcile.queue import State
from app.palette import PagePalette
from app.reconcile.queue import ItemKind

SHOWN = int(Qt.ItemDataRole.UserRole)
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a row says; `below` where it is a difference of the pair above, `only` who alone has a span."""

    kind: ItemKind
    category: str
    state: State
    first: str
    left: str
    right: str
    current: bool
    below: bool
    only: str = ""

    @property
    def heading(self) -> str:
        """What kind of difference it is, and where that is not told by what it stands below."""
        kind = f"Only {self.only}" if self.only else SHORT[self.kind]
        return kind if self.first == SHORT[self.kind] else f"{kind} · {self.first}"

    @property
    def words(self) -> str:
        """All of it for screen readers and the tool tip."""
        here = " (here)" if self.current else ""
        return (
            f"{SHORT[self.kind]}, {STATE_WORDS[self.state]}{here}. {self.first}\n{self.left} | {self.right}"
        )


class QueueModel(QAbstractListModel):
    """Rows of `work.cursor`; what each says is worked out when it is asked for."""

    def __init__(self, work: Work, codes: Mapping[str, str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work, self._codes = work, codes
        self._cursor = work.cursor
        work.queue_changed.connect(self._follow)
        work.states_changed.connect(self._mark)

    def line(self, place: int) -> tuple[QueuePlace, bool]:
        """Where a row leads to, and whether it stands for a whole pair."""
        return self._cursor.at_line(place)

    def place(self, queue_place: QueuePlace, *, whole: bool) -> int | None:
        """The row of a difference, or of the pair it is in; None where it is not shown."""
        return self._cursor.line(queue_place, whole=whole)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._cursor.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a row says, under SHOWN; in words for screen readers and as a tool tip."""
        roles = (SHOWN, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        if not index.isValid() or role not in roles or self._work.queue is None:
            return None
        shown = self._shown(*self.line(index.row()))
        if role == SHOWN or shown is None:
            return shown
        return tip(shown.words) if role == Qt.ItemDataRole.ToolTipRole else one_line(shown.words)

    def _shown(self, queue_place: QueuePlace, whole: bool) -> Shown | None:
        queue, current = self._work.queue, self._work.current
        if queue is None:
            return None
        item, one = queue_place.item, queue_place.difference
        within = item.kind == "pair" and not whole
        if whole:
            title = f"{len(item.differences):,} in {item.report} · score {item.tsr:.0f}"
            here = current is not None and current.item.id == item.id and self._work.whole
            state, left, right = queue.state_of(item), item.left, item.right
        else:
            title = SHORT[one.kind] if within else f"{item.report} · {one_line(item.title)}".rstrip(" ·")
            here = current is not None and current.name == queue_place.name and not self._work.whole
            state, left, right = queue.state(one.id), one.left, one.right
        kind: ItemKind = "pair" if whole else one.kind
        category = item.category if whole else one.category
        ours = side_in_short(left, kind, self._codes, right, whole=True)
        theirs = side_in_short(right, kind, self._codes, left, whole=True)
        only = (queue.left if left else queue.right).name if kind == "missing" else ""
        return Shown(kind, category, state, title, ours, theirs, here, within, only)

    def _follow(self) -> None:
        before, now = self._cursor, self._work.cursor
        if before.lines == now.lines and before.places.numbers == now.places.numbers:
            self._cursor = now
            # Views ask again only for what they show.
            if now.lines:
                self.dataChanged.emit(self.index(0, 0), self.index(len(now.lines) - 1, 0))
            return
        self.beginResetModel()
        self._cursor = now
        self.endResetModel()

    def _mark(self, changed: frozenset[str]) -> None:
        for place in {line for name in changed for line in self._cursor.lines_about(name)}:
            index = self.index(place, 0)
            self.dataChanged.emit(index, index)


_PAD = 8
# Words that are kept beside a difference, from many to none.
_KEPT = (16, 12, 9, 7, 5, 4, 3, 2, 1, 0)
_BAR = 4
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_MIDDLE = Qt.AlignmentFlag.AlignCenter


class QueueRows(QStyledItemDelegate):
    """All rows are equally high, so that thousands of them are laid out at once."""

    def __init__(self, palette: PagePalette) -> None:
        super().__init__()
        self._palette = palette

    def set_page_palette(self, palette: PagePalette) -> None:
        self._palette = palette

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line to name it and two for both sides, as wide as the list."""
        return QSize(1, 3 * option.fontMetrics.lineSpacing() + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        drawn = QStyleOptionViewItem(option)
        self.initStyleOption(drawn, index)
        drawn.text = ""
        if drawn.state & QStyle.StateFlag.State_HasFocus:
            drawn.state |= QStyle.StateFlag.State_Selected
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
        above = QRect(beyond, top, rect.right() - beyond - _PAD, height)
        place = QRect(left, top + height, rect.right() - left - _PAD, height)
        heading, *lines = row_words(shown, (bold, above.width()), (font, place.width()))
        self._line(painter, above, heading)
        painter.setFont(font)
        painter.setPen(quiet)
        for line in lines:
            # Edges differ at the ends.
            self._line(painter, place, line, Qt.TextElideMode.ElideMiddle)
            place.translate(0, height)

    def _line(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        cut_at: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        cut = painter.fontMetrics().elidedText(text, cut_at, place.width())
        painter.drawText(place, beside(text), cut)


def row_words(shown: Shown, above: tuple[QFont, int], below: tuple[QFont, int]) -> tuple[str, ...]:
    """The heading and what stands below it, each with its letters and the pixels that it has."""
    font, width = above
    if shown.kind == "pair" and QFontMetrics(font).horizontalAdvance(shown.heading) > width:
        # Its differences stand below it, with both sides.
        sides = [side for side in (shown.left, shown.right) if side != NOTHING]
        return SHORT["pair"], shown.first, " | ".join(sides)
    return shown.heading, *side_lines(shown.left, shown.right, *below)


def side_lines(left: str, right: str, font: QFont, width: int) -> tuple[str, ...]:
    """Both sides, a line of `width` pixels each, or two lines for the one where the other has nothing."""
    if NOTHING in (left, right):
        return two_lines(left if right == NOTHING else right, font, width)
    metrics = QFontMetrics(font)

    def fits(line: str) -> bool:
        return metrics.horizontalAdvance(line) <= width

    return telling(left, right, fits), telling(right, left, fits)


def telling(text: str, other: str, fits: Callable[[str], bool]) -> str:
    """The text; where it does not fit, with no more left out of what `other` has as well than must be."""
    if fits(text):
        return text
    runs = [run for run in word_differences(text, other) if run.presence != "right"]
    shorter = text
    for kept in _KEPT:
        parts = []
        for number, run in enumerate(runs):
            first, last = number == 0, number == len(runs) - 1
            parts.append(run.text if run.presence == "left" else _in_short(run.text, kept, first, last))
        shorter = "".join(parts).strip()
        if fits(shorter):
            break
    return shorter


def _in_short(text: str, kept: int, first: bool, last: bool) -> str:
    """So many of the words beside what comes before and after, "…" for the rest."""
    words = text.split()
    before, after = words[: 0 if first else kept], words[len(words) - (0 if last else kept) :]
    if len(before) + len(after) >= len(words):
        return text
    head = text[: len(text) - len(text.lstrip())] if before else ""
    return f"{head}{' '.join([*before, '…', *after])}{' ' if text[-1:].isspace() else ''}"

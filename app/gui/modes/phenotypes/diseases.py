"""The diseases that explain the report, as a list: name, a bar of evidence, what speaks against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.gui.widgets.lists import Index, WholeRows
from app.gui.widgets.tips import tip
from app.text import counted
from extractors.differential.report import (
    FREQUENCIES,
    NO_FIT,
    Explanation,
    codes_in_words,
    finding_in_words,
    left_out_in_words,
    order_in_words,
    parted,
    parting_in_words,
)

if TYPE_CHECKING:
    from app.operations.profile.differential import OpenDifferential
    from extractors.differential.index import Diseases

_PAD, _BAR = 8, 3
ROW = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class DiseaseRow:
    """A disease in its place; `share` is its evidence as a part of the most there is, `about` in full."""

    rank: int
    code: str
    name: str
    evidence: float
    share: float
    below: str
    about: str
    supports: frozenset[str]


class DiseaseModel(QAbstractListModel):
    """Rows in their order; equally long lists are changed in place, so that nothing blinks."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[DiseaseRow, ...] = ()

    def put(self, rows: Sequence[DiseaseRow]) -> None:
        before, self.rows = self.rows, tuple(rows)
        if len(before) != len(self.rows):
            self.beginResetModel()
            self.endResetModel()
        elif before != self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{row.rank}. {row.name}, evidence {row.evidence:+.1f}, {row.below}"
        # One line: a long tip covers the very spans that are lit; all of it stands below once it is chosen.
        return tip(row.about.partition("\n")[0]) if role == Qt.ItemDataRole.ToolTipRole else None


class _Painter(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(1, 2 * option.fontMetrics.height() + _BAR + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: DiseaseRow = index.data(ROW)
        painter.save()
        painter.setFont(option.font)
        panel = QStyle.PrimitiveElement.PE_PanelItemViewItem
        option.widget.style().drawPrimitive(panel, option, painter, option.widget)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        colours, metrics = option.palette, option.fontMetrics
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        box = option.rect.adjusted(_PAD, _PAD, -_PAD, -_PAD)
        line = QRect(box.left(), box.top(), box.width(), metrics.height())
        evidence = f"{row.evidence:+.1f}"
        painter.setPen(colours.color(role))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, evidence)
        line.setRight(line.right() - metrics.horizontalAdvance(evidence) - _PAD)
        name = metrics.elidedText(f"{row.rank}  {row.name}", Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        bar = QRect(
            box.left(), box.top() + metrics.height() + 1, round(box.width() * max(row.share, 0)), _BAR
        )
        painter.fillRect(bar, colours.color(role if chosen else QPalette.ColorRole.Highlight))
        below = QRect(box.left(), bar.bottom() + 2, box.width(), metrics.height())
        painter.setPen(colours.color(role if chosen else QPalette.ColorRole.PlaceholderText))
        words = metrics.elidedText(row.below, Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
        painter.restore()


class DiseaseList(QListView):
    """`lit` tells of the disease that is pointed at, else of the chosen one while the list has the focus (its
    row, -1 for none), `chosen` of another choice."""

    lit = Signal(int)
    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.diseases = DiseaseModel()
        self.setModel(self.diseases)
        self.setItemDelegate(_Painter(self))
        self.setAccessibleName("Diseases that explain the report")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        WholeRows(self)
        self._hovered = -1
        self.entered.connect(lambda index: self._hover(index.row()))
        self.viewportEntered.connect(lambda: self._hover(-1))
        self.selectionModel().currentChanged.connect(self._choose)

    @property
    def row(self) -> int:
        """The chosen row, -1 for none."""
        return self.currentIndex().row()

    def put(self, rows: Sequence[DiseaseRow]) -> None:
        """Show other diseases; the chosen one stays chosen where it is still there."""
        code = self.diseases.rows[self.row].code if 0 <= self.row < len(self.diseases.rows) else ""
        self.diseases.put(rows)
        codes = [row.code for row in rows]
        index = self.diseases.index(codes.index(code)) if code in codes else QModelIndex()
        if index != self.currentIndex():
            self.setCurrentIndex(index)
        self._show_words()

    def take_focus(self) -> None:
        """Into the list, at the first disease where none is chosen."""
        if self.row < 0 and self.diseases.rows:
            self.setCurrentIndex(self.diseases.index(0))
        self.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def lit_row(self) -> int:
        rows = len(self.diseases.rows)
        if 0 <= self._hovered < rows:
            return self._hovered
        return self.row if self.hasFocus() else -1

    def event(self, event: QEvent) -> bool:
        """Nothing is pointed at any more, or the focus has come or gone."""
        done = super().event(event)
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        elif event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_words()
        return done

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the mode, not beginnings of names."""

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self._show_words()

    def _choose(self, index: QModelIndex) -> None:
        self._hovered = -1  # keys went on from where the mouse still rests
        self.chosen.emit(index.row())
        self._show_words()

    def _show_words(self) -> None:
        self.lit.emit(self.lit_row)


_NOTHING = "No ranking yet: accept what is present first."
_NO_PUBMED_ID = "No PubMed id: disease data taken from this report may count"


def publication_words(found: OpenDifferential) -> str:
    """What became of annotations that cite the report itself."""
    if not found.publications:
        return _NO_PUBMED_ID
    return left_out_in_words(found.publications, found.ranking, found.options)


def nothing_words(found: OpenDifferential) -> str:
    """Why there is no ranking, or what must be known of it; "" for nothing."""
    words = codes_in_words(found.ranking)
    if found.diagnosis:
        at = f"rank {found.rank:,}" if found.rank else "not in the ranking"
        words.append(f"The report's diagnosis: {found.diagnosis}, {at}.")
    if not found.ranking.diseases:
        words.append(_NOTHING)
    elif not found.fits:
        words.append(NO_FIT)
    return " ".join(words)


def order_words(found: OpenDifferential) -> str:
    """By what the list is ordered; first of all where the evidence alone would order it otherwise."""
    before = "Not by evidence alone. " if parted(found.ranking) else ""
    return f"{before}{order_in_words(found.options)}" if found.ranking.diseases else ""


def disease_rows(found: OpenDifferential) -> list[DiseaseRow]:
    most = max((one.evidence for one in found.ranking.diseases), default=0.0) or 1.0
    return [
        DiseaseRow(
            one.rank,
            one.codes[0],
            one.name,
            one.evidence,
            one.evidence / most,
            _below(found.diseases, reason),
            reason_words(found, place),
            frozenset(each.code for each in reason.support),
        )
        for place, (one, reason) in enumerate(zip(found.ranking.diseases, found.reasons, strict=True))
    ]


def _below(diseases: Diseases, reason: Explanation) -> str:
    against = ", ".join(f"no {diseases.terminology.label_of(one.code)}" for one in reason.against)
    explained = len(reason.support)
    told = f"{explained} of {explained + len(reason.unexplained)} explained"
    return f"{told} · against: {against}" if against else told


def reason_words(found: OpenDifferential, place: int) -> str:
    """What speaks for a disease, against it, what it leaves unexplained and what to look for, in lines."""
    diseases, listed, reason = found.diseases, found.ranking.diseases, found.reasons[place]
    one = listed[place]
    lines = [f"{one.name} ({', '.join(one.codes)}), evidence {one.evidence:+.1f}"]
    for title, contributions in (
        ("For", reason.support),
        ("Against", reason.against),
        ("Unexplained", reason.unexplained),
    ):
        if contributions:
            said = "; ".join(finding_in_words(diseases, each) for each in contributions)
            lines.append(f"{title}: {said}")
    if reason.next:
        other = listed[0 if place else 1].name
        lines.append(f"Look for, against {other}: {'; '.join(map(parting_in_words, reason.next))}")
        lines.append(FREQUENCIES)
    return "\n".join(lines)


def side_by_side(found: OpenDifferential, left: int, right: int) -> list[tuple[str, str, str]]:
    """Every finding with what it says of two diseases of the list, what parts them most first."""
    one, other = (found.ranking.diseases[place] for place in (left, right))
    pairs = list(zip(one.contributions, other.contributions, strict=True))
    pairs.sort(key=lambda pair: -abs(pair[0].value - pair[1].value))
    rows = [
        (
            f"{'no ' if mine.polarity == 'negated' else ''}{found.diseases.terminology.label_of(mine.code)}",
            f"{mine.value:+.1f}",
            f"{theirs.value:+.1f}",
        )
        for mine, theirs in pairs
    ]
    total = (f"All {counted(len(rows), 'finding')}", f"{one.evidence:+.1f}", f"{other.evidence:+.1f}")
    return [*rows, total]

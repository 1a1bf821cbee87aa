"""The queue as a list: pairs with their differences below them, and single differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.gui.modes.reconcile.queue.position import QueuePlace
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import SHORT, STATE_WORDS, side_in_short
from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import tip

if TYPE_CHECKING:
    from app.operations.reconcile.queue import State
    from app.reconcile.queue import ItemKind

Index: TypeAlias = QModelIndex | QPersistentModelIndex

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
        """How many rows there are."""
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
            title = f"{len(item.differences):,} in {item.report} · token set ratio {item.tsr:.0f}"
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

"""The reports of the open project as a list, and the part of it that search, filters and order show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QSortFilterProxyModel, Qt, QTimer, Signal

from app.gui.session.project_session import ProjectSession
from app.gui.widgets.lists import Index
from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import tip
from app.operations.annotate.reports import ReportRow, missing_in_names, search_reports, wanted_words
from app.text import counted

if TYPE_CHECKING:
    from app.store.annotate.reviews import ReviewState
    from extractors.model.scheme import Scheme

CategoryFilter = Literal["has", "has none", "nothing found"]
Order = Literal["import", "title", "key", "state", "spans"]

ROW = int(Qt.ItemDataRole.UserRole)
IS_OPEN = ROW + 1
_NOWHERE = QModelIndex()
_SEARCH_DELAY = 150
_DIGITS = re.compile(r"([0-9]+)")

STATES: Mapping[ReviewState, str] = {
    "untouched": "Untouched",
    "in progress": "In progress",
    "parked": "Parked",
    "done": "Done",
}
MARKS: Mapping[ReviewState, str] = {"untouched": "○", "in progress": "◐", "parked": "‖", "done": "●"}
CATEGORY_FILTERS: Mapping[CategoryFilter, str] = {
    "has": "spans in",
    "has none": "no spans in",
    "nothing found": "nothing found in",
}
ORDERS: Mapping[Order, str] = {
    "import": "Order of import",
    "title": "Title",
    "key": "Number",
    "state": "State, work in progress first",
    "spans": "Spans, most first",
}
# What kinds of numbers are called where that is not what it says in capitals.
_KINDS = {"publisher-id": "publisher's number"}
_WORK_FIRST: tuple[ReviewState, ...] = ("in progress", "untouched", "parked", "done")
_RANKED_BY: Mapping[Order, Callable[[ReportRow], Any]] = {
    "import": lambda row: 0,
    "title": lambda row: one_line(row.title).casefold(),
    "key": lambda row: _by_number(row.key),
    "state": lambda row: _WORK_FIRST.index(row.state),
    "spans": lambda row: -own_spans(row),
}


def _by_number(key: str) -> list[str | int]:
    """Text and numbers in turn, so that PMC9 comes before PMC10."""
    parts = _DIGITS.split(key.casefold())
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def own_spans(row: ReportRow) -> int:
    return sum(row.own.values())


def number_words(identifiers: Mapping[str, str]) -> list[str]:
    """The numbers by which others know a report, each with the word for its kind."""
    return [f"{_KINDS.get(kind, kind.upper())} {value}" for kind, value in identifiers.items()]


def second_line(row: ReportRow) -> str:
    parts = [row.key, counted(own_spans(row), "span")]
    if row.notes:
        parts.append(counted(len(row.notes), "note"))
    return " · ".join(parts)


class ReportsModel(QAbstractListModel):
    """Every report in import order, with its row under ROW and whether it is the open one under IS_OPEN."""

    def __init__(self, session: ProjectSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.rows: list[ReportRow] = list(session.rows.values())
        self._places = {row.key: place for place, row in enumerate(self.rows)}
        self.open_key = session.report_model.key
        session.rows_changed.connect(self._reread)
        session.row_changed.connect(self._update)
        session.report_model.opened.connect(self._mark_open)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def place(self, key: str) -> int | None:
        return self._places.get(key)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Title, tool tip, words for screen readers, ROW and IS_OPEN."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role == IS_OPEN:
            return row.key == self.open_key
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(row.title) or row.key
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(f"{one_line(row.title)}\n{self._about(row)}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{one_line(row.title)}. {self._about(row)}"
        return None

    def _about(self, row: ReportRow) -> str:
        numbers = number_words(row.identifiers)
        shown = ["open now"] if row.key == self.open_key else []
        return ", ".join([STATES[row.state], *shown, second_line(row).replace(" · ", ", "), *numbers])

    def _reread(self) -> None:
        rows = list(self._session.rows.values())
        if [row.key for row in rows] == [row.key for row in self.rows]:
            changed = [place for place, row in enumerate(rows) if row != self.rows[place]]
            self.rows = rows
            for place in changed:
                self._say_changed(place)
            return
        self.beginResetModel()
        self.rows = rows
        self._places = {row.key: place for place, row in enumerate(rows)}
        self.open_key = self._session.report_model.key
        self.endResetModel()

    def _update(self, key: str) -> None:
        place = self._places.get(key)
        if place is None:
            self._reread()
            return
        self.rows[place] = self._session.rows[key]
        self._say_changed(place)

    def _mark_open(self) -> None:
        before, self.open_key = self.open_key, self._session.report_model.key
        for key in {before, self.open_key}:
            place = self._places.get(key)
            if place is not None:
                self._say_changed(place)

    def _say_changed(self, place: int) -> None:
        index = self.index(place, 0)
        self.dataChanged.emit(index, index)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which reports to show: those of these states, and of what else is given; all where nothing is.

    `annotator` is somebody else's name who has spans in the report, `notes` whether one's own spans have any.
    """

    states: frozenset[ReviewState] = frozenset()
    category: str = ""
    about: CategoryFilter = "has"
    annotator: str = ""
    notes: bool | None = None

    def keeps(self, row: ReportRow) -> bool:
        if self.states and row.state not in self.states:
            return False
        if self.category and not self._keeps_category(row):
            return False
        if self.annotator and self.annotator not in row.others:
            return False
        return self.notes is None or self.notes == bool(row.notes)

    def _keeps_category(self, row: ReportRow) -> bool:
        if self.about == "nothing found":
            return self.category in row.nothing_found
        return (self.category in row.own) == (self.about == "has")

    def words(self, scheme: Scheme) -> tuple[str, ...]:
        parts = []
        if self.states:
            parts.append(" or ".join(STATES[state].lower() for state in STATES if state in self.states))
        if self.category:
            parts.append(f"{CATEGORY_FILTERS[self.about]} {scheme.category(self.category).name}")
        if self.annotator:
            parts.append(f"spans by {self.annotator}")
        if self.notes is not None:
            parts.append("with notes" if self.notes else "without notes")
        return tuple(parts)


class ShownReports(QSortFilterProxyModel):
    """Names are searched as one types, texts a moment later in the project's thread.

    Nothing moves under the user's hands: the open report stays where it is until another one is opened, even
    where what was done in it puts it out of the filter or elsewhere in the order.
    """

    shown_changed = Signal()

    def __init__(self, model: ReportsModel, session: ProjectSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model, self._session = model, session
        self.filters = Filters()
        self.order: Order = "import"
        self.words = ""
        self.searching = False
        self._answered = ""
        self._found: frozenset[str] | None = None
        self._kept: set[str] = set()
        self._rank: list[int] | None = None
        self._later = QTimer(self, singleShot=True, interval=_SEARCH_DELAY)
        self._later.timeout.connect(self._search_texts)
        self.setDynamicSortFilter(False)
        model.modelAboutToBeReset.connect(self._forget_rank)
        self.setSourceModel(model)
        model.modelReset.connect(self._follow_reset)
        session.rows_changed.connect(self._refresh)
        session.report_model.opened.connect(self._refresh)

    def keys(self) -> list[str]:
        places = (self.mapToSource(self.index(place, 0)).row() for place in range(self.rowCount()))
        return [self._model.rows[place].key for place in places]

    def index_of(self, key: str) -> QModelIndex:
        """Where a report is shown; not valid where it is not."""
        place = self._model.place(key)
        return self.mapFromSource(self._model.index(place, 0)) if place is not None else QModelIndex()

    @property
    def narrowed(self) -> bool:
        """Whether a search or a filter leaves reports out."""
        return bool(self.words) or self.filters != Filters()

    def set_filters(self, filters: Filters) -> None:
        self.filters = filters
        self._renew()

    def set_order(self, order: Order) -> None:
        self.order = order
        self._rank = None
        # Without a column Qt keeps the order of import and compares nothing.
        self.sort(-1 if order == "import" else 0)
        self._renew()

    def set_words(self, words: str) -> None:
        words = words.strip()
        if words == self.words:
            return
        narrower = bool(self._answered) and words.startswith(self._answered)
        self.words = words
        self.searching = bool(words)
        if not words:
            self._later.stop()
            self._found, self._answered = None, ""
        else:
            self._later.start()
            if not narrower:
                self._found, self._answered = self._named(), ""
        self._renew()

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        row = self._model.rows[source_row]
        keep = (self._found is None or row.key in self._found) and self.filters.keeps(row)
        keep = keep or (row.key == self._model.open_key and row.key in self._kept)
        (self._kept.add if keep else self._kept.discard)(row.key)
        return keep

    def lessThan(self, left: Index, right: Index) -> bool:
        if self._rank is None:
            rows = self._model.rows
            by = _RANKED_BY[self.order]
            places = sorted(range(len(rows)), key=lambda place: by(rows[place]))
            self._rank = [0] * len(rows)
            for rank, place in enumerate(places):
                self._rank[place] = rank
        return self._rank[left.row()] < self._rank[right.row()]

    def _named(self) -> frozenset[str]:
        """The reports whose title, key or identifiers hold the words as they were typed."""
        wanted = wanted_words(self.words)
        return frozenset(row.key for row in self._model.rows if not missing_in_names(row, wanted))

    def _search_texts(self) -> None:
        words = self.words

        def answered(keys: frozenset[str]) -> None:
            if words == self.words:
                self._found, self._answered, self.searching = keys, words, False
                self._renew()

        def refused(sentence: str) -> None:
            self.searching = False
            self.shown_changed.emit()
            self._session.failed.emit(sentence)

        self._session.worker.ask(lambda p: search_reports(p, words), answered, refused, latest="search")

    def _forget_rank(self) -> None:
        self._rank = None

    def _follow_reset(self) -> None:
        if self.words:
            self._found = (self._found or frozenset()) | self._named()
            self.searching = True
            self._later.start()
        self._renew()

    def _renew(self) -> None:
        self._kept.clear()
        self.invalidate()
        self.shown_changed.emit()

    def _refresh(self) -> None:
        if self.narrowed:
            self.invalidate()
        self.shown_changed.emit()

"""The open project as the window knows it: its reports, who annotates, and the report on the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.hand import Hand
from app.gui.sheet import Sheet
from app.gui.worker import Worker
from app.operations.changes import next_redo, next_undo, redo_change, undo_change
from app.operations.checking import check_spans
from app.operations.disclosing import disclose, list_others
from app.operations.listing import list_reports, refresh_row
from app.operations.reading import find_same, open_report, touched_reports, where_left_off

if TYPE_CHECKING:
    from app.operations.annotating import Changed
    from app.operations.checking import CheckedSpan
    from app.operations.disclosing import Disclosed, OtherSet
    from app.operations.listing import ReportRow
    from app.operations.reading import OpenReport, SamePlaces
    from app.store.history import Entry
    from app.store.project import Project
    from extractors.scheme import Scheme
    from extractors.span_checks import SpanRemark


@dataclass(frozen=True, slots=True)
class _Opened:
    """What is read of a project before its window can show anything."""

    scheme: Scheme
    annotator: str
    rows: tuple[ReportRow, ...]
    first: str | None


@dataclass(frozen=True, slots=True)
class _Turned:
    """An act taken back or made again, and the report to show it in."""

    entry: Entry | None
    report: OpenReport | None


class Desk(QObject):
    """Everything that is said of the project goes through here, and every change of it through `hand`."""

    opened = Signal()
    refused = Signal(str)
    rows_changed = Signal()
    row_changed = Signal(str)
    annotator_changed = Signal(str)
    category_changed = Signal(str)
    others_listed = Signal()
    remarks_changed = Signal()
    same_found = Signal(object)
    # What undo and redo would do, "" for nothing.
    undo_changed = Signal(str, str)
    failed = Signal(str)
    said = Signal(str)

    def __init__(self, path: Path, annotator: str = "", parent: QObject | None = None) -> None:
        """`annotator` is who annotates where the project names nobody."""
        super().__init__(parent)
        self.path = path
        self.worker = Worker(path, self)
        self.sheet = Sheet(self)
        self.hand = Hand(self.worker, self.sheet, annotator, self)
        self.rows: dict[str, ReportRow] = {}
        self.others_there: tuple[OtherSet, ...] = ()
        self.showing: tuple[str, ...] = ()
        self.remarks: dict[str, tuple[SpanRemark, ...]] = {}
        self.category = ""
        self._scheme: Scheme | None = None
        self.worker.opened.connect(self._read)
        self.worker.refused.connect(self.refused)
        self.worker.failed.connect(self.failed)
        self.hand.failed.connect(self.failed)
        self.hand.changed.connect(self._follow)
        self.worker.saved.connect(self._ask_for_undo)
        self.sheet.current_changed.connect(self._check_current)

    @property
    def scheme(self) -> Scheme:
        """The project's scheme; raises RuntimeError before `opened`."""
        if self._scheme is None:
            raise RuntimeError("the project is not open yet")
        return self._scheme

    @property
    def annotator(self) -> str:
        """Under whose name is annotated."""
        return self.hand.annotator

    def start(self) -> None:
        """Open the project; `opened` or `refused` follows."""
        self.worker.start()

    def close(self) -> None:
        """Finish what is waiting and close the project."""
        self.worker.close()

    # The category in use

    def use_category(self, category: str) -> None:
        """Make a category the one in use: its guideline is shown, and single keys speak of it."""
        if category != self.category:
            self.category = category
            self.category_changed.emit(category)

    # Reports

    def open_report(self, key: str) -> None:
        """Put a report on the page."""
        name = self.annotator
        self.worker.ask(lambda p: open_report(p, key, name), self._show, latest="open report")

    def step_report(self, step: int, keys: list[str]) -> None:
        """Open the report `step` places after the open one in a list of keys, as far as there is one."""
        if not keys:
            return
        place = keys.index(self.sheet.key) + step if self.sheet.key in keys else 0
        if 0 <= place < len(keys):
            self.open_report(keys[place])
        else:
            self.said.emit(
                "This is the last report of the list." if step > 0 else "This is the first report."
            )

    def reload(self) -> None:
        """Read the list and the open report anew: other work has changed them."""
        self._read_anew(self.sheet.key)

    def _read_anew(self, key: str) -> None:
        name = self.annotator
        self.worker.ask(lambda p: list_reports(p, name), self._list, latest="rows")
        self.worker.ask(lambda p: _report_or_first(p, key, name), self._reshow, latest="open report")

    def set_annotator(self, name: str) -> None:
        """Annotate under another name from now on; others' spans are hidden again."""
        key = self.sheet.key
        self.hand.annotator = name
        self.showing = ()
        # Until the report comes back there is nothing that one could change in somebody else's name.
        self.sheet.close()
        self.annotator_changed.emit(name)
        self._read_anew(key)

    # Undo and redo

    def undo(self) -> None:
        """Take the last act back, wherever it was, and show where."""
        name, key = self.annotator, self.sheet.key
        self.worker.act(
            lambda p: _turned(p, undo_change(p, past_runs=True), key, name),
            lambda turned: self._show_turned("Undone", "Nothing to undo.", turned),
        )

    def redo(self) -> None:
        """Make the act again that was undone last, and show where."""
        name, key = self.annotator, self.sheet.key
        self.worker.act(
            lambda p: _turned(p, redo_change(p), key, name),
            lambda turned: self._show_turned("Redone", "Nothing to redo.", turned),
        )

    # Others' spans

    def show_others(self, names: tuple[str, ...]) -> None:
        """Show the spans of these annotators in the open report, on record; of nobody where empty."""
        self.showing = names
        key, name = self.sheet.key, self.annotator
        if not names or not key:
            self.sheet.show_others({})
            return

        def shown(disclosed: Disclosed) -> None:
            if self.sheet.key == key and self.showing == names:
                self.sheet.show_others(disclosed.annotations)

        self.worker.act(lambda p: disclose(p, name, key, names), shown)

    # Inside

    def _read(self) -> None:
        name = self.annotator

        def read(project: Project) -> _Opened:
            who = project.owner or name
            return _Opened(project.scheme, who, list_reports(project, who), where_left_off(project, who))

        self.worker.ask(read, self._begin, self.refused.emit)

    def _begin(self, opened: _Opened) -> None:
        self._scheme = opened.scheme
        self.hand.annotator = opened.annotator
        self.category = opened.scheme.ids[0]
        self.rows = {row.key: row for row in opened.rows}
        self.opened.emit()
        self._ask_for_undo()
        if opened.first is not None:
            self.open_report(opened.first)

    def _list(self, rows: tuple[ReportRow, ...]) -> None:
        self.rows = {row.key: row for row in rows}
        self.rows_changed.emit()

    def _show(self, report: OpenReport) -> None:
        self.remarks = {}
        self.others_there = ()
        self.sheet.open(report)
        self.remarks_changed.emit()
        self.others_listed.emit()
        self._look_around(report)

    def _look_around(self, report: OpenReport) -> None:
        """Ask what others have in the report."""
        key, name = report.stored.key, self.annotator
        self.worker.ask(lambda p: list_others(p, key, name), self._list_others, latest="others")
        if self.showing and report.review.state == "done":
            self.show_others(self.showing)

    def _reshow(self, report: OpenReport | None) -> None:
        if report is None:
            self.sheet.close()
        elif report.stored.key == self.sheet.key and report.annotator == self._shown_for():
            self.sheet.refresh(report)
            self._look_around(report)
        else:
            self._show(report)

    def _shown_for(self) -> str:
        return self.sheet.report.annotator if self.sheet.report is not None else ""

    def _list_others(self, others: tuple[OtherSet, ...]) -> None:
        self.others_there = others
        self.others_listed.emit()

    def _show_turned(self, done: str, nothing: str, turned: _Turned) -> None:
        if turned.entry is None:
            self.said.emit(nothing)
            return
        self.said.emit(f"{done}: {turned.entry.name}.")
        self._reshow(turned.report)
        name = self.annotator
        self.worker.ask(lambda p: list_reports(p, name), self._list, latest="rows")

    def _ask_for_undo(self) -> None:
        self.worker.ask(
            lambda p: (_name(next_undo(p)), _name(next_redo(p))),
            lambda names: self.undo_changed.emit(*names),
            latest="undo",
        )

    def _follow(self, changed: Changed) -> None:
        """After an act: the rows of the list, the checks, the same words elsewhere."""
        key, name = self.sheet.key, self.annotator
        if self.sheet.report is None:
            return
        spans = (*changed.added, *changed.edited, *changed.removed)
        here = self.sheet.report.stored.uuid
        documents = {one.document for one in spans} | {review.document for review in changed.reviews}
        if documents - {here}:
            self.worker.ask(lambda p: list_reports(p, name), self._list, latest="rows")
        elif documents:
            self.worker.ask(lambda p: refresh_row(p, name, key), self._list_one, latest=f"row {key}")
        touched = [one.uuid for one in (*changed.added, *changed.edited) if one.document == here]
        if touched:
            self.worker.ask(lambda p: (key, check_spans(p, key, name, touched)), self._remark)
        if len(changed.added) == 1 and touched:
            new = changed.added[0].finding
            self.worker.ask(
                lambda p: find_same(p, new.quote, name, new.category, first=key, only_first=True),
                lambda same: self._offer(key, new.category, new.quote, same),
                latest="same words",
            )

    def _offer(self, key: str, category: str, quote: str, same: SamePlaces) -> None:
        if key == self.sheet.key:
            self.same_found.emit(Offer(category, quote, same))

    def _list_one(self, row: ReportRow) -> None:
        self.rows[row.key] = row
        self.row_changed.emit(row.key)

    def _check_current(self) -> None:
        """Ask what the checks say of the current span: thousands at once would hold up the window.

        What is on its way to the disk is checked when it is there.
        """
        key, name, current = self.sheet.key, self.annotator, self.sheet.current
        if current is not None and self.sheet.is_own(current) and self.sheet.is_settled(current):
            self.worker.ask(
                lambda p: (key, check_spans(p, key, name, [current])), self._remark, latest="checks"
            )

    def _remark(self, found: tuple[str, tuple[CheckedSpan, ...]]) -> None:
        key, checked = found
        if checked and key == self.sheet.key:
            self.remarks |= {one.uuid: one.remarks for one in checked}
            self.remarks_changed.emit()


@dataclass(frozen=True, slots=True)
class Offer:
    """The same words as those just labelled, elsewhere in the report."""

    category: str
    quote: str
    same: SamePlaces


def _name(entry: Entry | None) -> str:
    return entry.name if entry is not None else ""


def _turned(project: Project, entry: Entry | None, key: str, annotator: str) -> _Turned:
    """What an undo or redo did, and the first report that it touched, the open one before others."""
    if entry is None:
        return _Turned(None, None)
    touched = touched_reports(project, entry.act)
    shown = key if key in touched or not touched else touched[0]
    return _Turned(entry, _report_or_first(project, shown, annotator))


def _report_or_first(project: Project, key: str, annotator: str) -> OpenReport | None:
    """The report of that key; where it is gone, the one where one left off, if any is left."""
    keys = {row.key for row in list_reports(project, annotator)}
    there = key if key in keys else where_left_off(project, annotator)
    return open_report(project, there, annotator) if there is not None else None

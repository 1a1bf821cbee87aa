"""The open project as the window knows it: its reports, who annotates, and the report on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.session.report_model import ReportModel
from app.gui.session.span_controller import SpanController
from app.gui.session.undo import Turned, Undoing, report_or_first, shown_by
from app.gui.session.worker import Worker
from app.operations.annotate.exposure import (
    CheckedSpan,
    Disclosed,
    OtherSet,
    check_spans,
    disclose,
    list_others,
)
from app.operations.annotate.report import OpenReport, SamePlaces, find_same, open_report, where_left_off
from app.operations.annotate.reports import ReportRow, list_reports, refresh_row

if TYPE_CHECKING:
    from app.operations.annotate.spans import Changed
    from app.store.project import Project
    from extractors.checks.span_checks import SpanWarning
    from extractors.model.scheme import Scheme


@dataclass(frozen=True, slots=True)
class _Opened:
    """What is read of a project before its window can show anything."""

    scheme: Scheme
    owner: str
    annotator: str
    rows: tuple[ReportRow, ...]
    first: str | None
    caveat: str


class ProjectSession(QObject):
    """What is said of the project goes through here, changes of the report's spans through `controller`."""

    opened = Signal()
    refused = Signal(str)
    scheme_changed = Signal()
    rows_changed = Signal()
    row_changed = Signal(str)
    annotator_changed = Signal(str)
    category_changed = Signal(str)
    others_listed = Signal()
    warnings_changed = Signal()
    same_found = Signal(object)
    # A span that undo or redo gave back or changed, to be gone to.
    span_turned = Signal(str)
    # Where an act was done of which no span of one's own is left.
    place_turned = Signal(int, int)
    failed = Signal(str)
    message = Signal(str)
    # A sentence, words for a button, what that does, and the sentence where there is little room.
    offered = Signal(str, str, object, str)
    review_wanted = Signal(str, str)

    def __init__(self, path: Path, annotator: str = "", parent: QObject | None = None) -> None:
        """`annotator` is who annotates where the project names nobody."""
        super().__init__(parent)
        self.path = path
        self.worker = Worker(path, self)
        self.report_model = ReportModel(self)
        self.controller = SpanController(self.worker, self.report_model, annotator, self)
        self.rows: dict[str, ReportRow] = {}
        self.others_there: tuple[OtherSet, ...] = ()
        self.showing: tuple[str, ...] = ()
        self.warnings: dict[str, tuple[SpanWarning, ...]] = {}
        self.category = ""
        # What is to be known of how the project is open.
        self.caveat = ""
        # The report that was open last on this computer.
        self.last_report = ""
        # For whom the project was made, and who annotated in it last on this computer.
        self.last_annotator = ("", "")
        self.owner = ""
        self._wanted = ""
        self._scheme: Scheme | None = None
        self.worker.opened.connect(self._read)
        self.worker.refused.connect(self.refused)
        self.worker.failed.connect(self.failed)
        self.controller.failed.connect(self.failed)
        self.controller.changed.connect(self._follow)
        self.undoing = Undoing(self.worker, lambda: (self.report_model.key, self.annotator), self)
        self.undoing.turned.connect(self._show_turned)
        self.worker.saved.connect(self.undoing.ask_for_names)
        self.worker.saved.connect(self._ask_for_scheme)
        self.worker.change_refused.connect(self.undoing.ask_for_names)
        self.report_model.review_changed.connect(self._look_on)
        self.report_model.current_changed.connect(self._check_current)

    @property
    def scheme(self) -> Scheme:
        """The project's scheme; raises RuntimeError before `opened`."""
        if self._scheme is None:
            raise RuntimeError("the project is not open yet")
        return self._scheme

    @property
    def annotator(self) -> str:
        return self.controller.annotator

    def start(self) -> None:
        """Open the project; `opened`, the worker's `locked`, or `refused` follows."""
        self.worker.start()

    def close(self) -> None:
        self.worker.close()

    # The category in use

    def use_category(self, category: str) -> None:
        """Make a category the one in use: its guideline is shown, and single keys speak of it."""
        if category != self.category:
            self.category = category
            self.category_changed.emit(category)

    # Reports

    def open_report(self, key: str) -> None:
        name, self._wanted = self.annotator, key
        self.worker.ask(lambda p: open_report(p, key, name), self._show, self._stay, latest="open report")

    def step_report(self, step: int, keys: list[str]) -> None:
        """Open the report `step` places after the open one in a list of keys, as far as there is one."""
        if not keys:
            return
        place = keys.index(self.report_model.key) + step if self.report_model.key in keys else 0
        if 0 <= place < len(keys):
            self.open_report(keys[place])
        else:
            self.message.emit(
                "This is the last report of the list." if step > 0 else "This is the first report."
            )

    def reload(self, instead: Mapping[str, str] = MappingProxyType({})) -> None:
        """Read the list and the report that is open, or asked for, anew: other work has changed them.

        `instead` has the key of another report by that of one that is gone.
        """
        self._wanted = instead.get(self._wanted, self._wanted)
        name, key = self.annotator, self._wanted
        self._read_rows()
        self.worker.ask(lambda p: report_or_first(p, key, name), self._reshow, latest="open report")
        self.undoing.ask_for_names()

    def set_annotator(self, name: str) -> None:
        """Annotate under another name from now on; others' spans are hidden again."""
        self.controller.annotator = name
        self.showing = ()
        # Until the report comes back there is nothing that one could change in somebody else's name.
        self.report_model.close()
        self.annotator_changed.emit(name)
        self.reload()

    def go_to_act(self, act: str) -> None:
        """Show where an act (UUID) was done: the report, and its spans or the place of those gone since."""
        key, name = self.report_model.key, self.annotator
        self.worker.ask(lambda p: shown_by(p, act, key, name), self._go_to_turned, latest="open report")

    # Others' spans

    def show_others(self, names: tuple[str, ...]) -> None:
        """Show the spans of these annotators in the open report, on record; of nobody where empty."""
        self.showing = names
        key, name = self.report_model.key, self.annotator
        if not names or not key:
            self.report_model.show_others({})
            return

        def shown(disclosed: Disclosed) -> None:
            if self.report_model.key == key and self.showing == names:
                self.report_model.show_others(disclosed.annotations, disclosed.kept)

        self.worker.note(lambda p: disclose(p, name, key, names), shown)

    def _look_on(self) -> None:
        """What is still shown while the report is not done is looked at once more, on record."""
        if self.report_model.others and self.report_model.review.state != "done":
            self.show_others(tuple(self.report_model.others))

    # Inside

    def _ask_for_scheme(self) -> None:
        """After any act, undo or redo: a guideline may have been amended."""
        self.worker.ask(lambda p: p.scheme, self._take_scheme, latest="scheme")

    def _take_scheme(self, scheme: Scheme) -> None:
        if scheme is not self._scheme:
            self._scheme = scheme
            self.scheme_changed.emit()

    def _read(self) -> None:
        name = self.annotator

        def read(project: Project) -> _Opened:
            owner, last = self.last_annotator
            # At this place there may be another project by now.
            who = (last if owner == project.owner else "") or project.owner or name
            rows = list_reports(project, who)
            first = where_left_off(project, who)
            return _Opened(project.scheme, project.owner, who, rows, first, project.caveat)

        self.worker.ask(read, self._begin, self.refused.emit)

    def _begin(self, opened: _Opened) -> None:
        self.caveat = opened.caveat
        self._scheme = opened.scheme
        self.owner, self.controller.annotator = opened.owner, opened.annotator
        self.category = opened.scheme.ids[0]
        self.rows = {row.key: row for row in opened.rows}
        self.opened.emit()
        self.undoing.ask_for_names()
        first = self.last_report if self.last_report in self.rows else opened.first
        if first is not None:
            self.open_report(first)

    def _list(self, rows: tuple[ReportRow, ...]) -> None:
        self.rows = {row.key: row for row in rows}
        self.rows_changed.emit()

    def _stay(self, sentence: str) -> None:
        self._wanted = self.report_model.key
        self.failed.emit(sentence)

    def _show(self, report: OpenReport) -> None:
        if report.annotator != self.annotator:
            # Asked for before somebody else took over, for whom it is being read now.
            return
        self._wanted = report.stored.key
        self.warnings = {}
        self.others_there = ()
        self.report_model.open(report)
        self.warnings_changed.emit()
        self.others_listed.emit()
        self._look_around(report)

    def _look_around(self, report: OpenReport) -> None:
        key, name = report.stored.key, self.annotator
        self.worker.ask(lambda p: (key, list_others(p, key, name)), self._list_others, latest="others")

    def _reshow(self, report: OpenReport | None) -> None:
        if report is None:
            self.report_model.close()
        elif report.annotator != self.annotator:
            # Read before somebody else took over.
            self.reload()
        elif report.stored.key == self.report_model.key and report.annotator == self._shown_for():
            self.report_model.refresh(report)
            self._look_around(report)
        else:
            self._show(report)

    def _shown_for(self) -> str:
        return self.report_model.report.annotator if self.report_model.report is not None else ""

    def _list_others(self, found: tuple[str, tuple[OtherSet, ...]]) -> None:
        key, self.others_there = found
        if key != self.report_model.key:
            return
        there = {one.name for one in self.others_there}
        self.showing = tuple(name for name in self.showing if name in there)
        # They may have changed, or gone; in a report that is done they are shown as in the one before.
        if self.report_model.others or (self.showing and self.report_model.review.state == "done"):
            self.show_others(self.showing)
        self.others_listed.emit()

    def _go_to_turned(self, turned: Turned | None) -> None:
        if turned is None or turned.report is None:
            self.message.emit("What was done there is in no report, or in one that was deleted.")
            return
        self._reshow(turned.report)
        self._turn_to(turned)

    def _turn_to(self, turned: Turned) -> None:
        current = self.report_model.current
        there = [uuid for uuid in turned.spans if self.report_model.is_own(uuid)]
        if there:
            self.span_turned.emit(current if current in there else there[0])
        elif turned.place is not None:
            self.place_turned.emit(*turned.place)

    def _show_turned(self, sentence: str, turned: Turned | None) -> None:
        self.message.emit(sentence)
        if turned is not None:
            self._reshow(turned.report)
            self._turn_to(turned)
            self._read_rows()

    def _read_rows(self) -> None:
        name = self.annotator
        self.worker.ask(lambda p: list_reports(p, name), self._list, latest="rows")

    def _follow(self, changed: Changed) -> None:
        """After an act: the rows of the list, the checks, the same words elsewhere."""
        key, name = self.report_model.key, self.annotator
        if self.report_model.report is None:
            return
        spans = (*changed.added, *changed.edited, *changed.removed)
        here = self.report_model.report.stored.uuid
        documents = {one.document for one in spans} | {review.document for review in changed.reviews}
        if documents - {here}:
            self._read_rows()
        elif documents:
            self.worker.ask(lambda p: refresh_row(p, name, key), self._list_one, latest=f"row {key}")
        touched = [one.uuid for one in (*changed.added, *changed.edited) if one.document == here]
        if touched:
            self.worker.ask(lambda p: (key, check_spans(p, key, name, touched)), self._take_warnings)
        if len(changed.added) == 1 and touched:
            new = changed.added[0].finding
            self.worker.ask(
                lambda p: find_same(p, new.quote, name, new.category, first=key, only_first=True),
                lambda same: self._offer(key, new.category, new.quote, same),
                latest="same words",
            )

    def _offer(self, key: str, category: str, quote: str, same: SamePlaces) -> None:
        if key == self.report_model.key:
            self.same_found.emit(Offer(category, quote, same))

    def _list_one(self, row: ReportRow) -> None:
        self.rows[row.key] = row
        self.row_changed.emit(row.key)

    def _check_current(self) -> None:
        """Ask what the checks say of the current span: thousands at once would hold up the window.

        What is on its way to the disk is checked when it is there.
        """
        key, name, current = self.report_model.key, self.annotator, self.report_model.current
        if (
            current is not None
            and self.report_model.is_own(current)
            and self.report_model.is_settled(current)
        ):
            self.worker.ask(
                lambda p: (key, check_spans(p, key, name, [current])), self._take_warnings, latest="checks"
            )

    def _take_warnings(self, found: tuple[str, tuple[CheckedSpan, ...]]) -> None:
        key, checked = found
        if checked and key == self.report_model.key:
            self.warnings |= {one.uuid: one.warnings for one in checked}
            self.warnings_changed.emit()


@dataclass(frozen=True, slots=True)
class Offer:
    """The same words as those just labelled, elsewhere in the report."""

    category: str
    quote: str
    same: SamePlaces

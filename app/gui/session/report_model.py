"""The report on the page: its spans as they are on disk, or are about to be; and what waits for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.operations.annotate.report import OpenReport
    from app.operations.annotate.spans import Changed
    from app.store.annotate.annotations import Annotation
    from app.store.annotate.carried import Carried
    from app.store.annotate.reviews import Review
    from extractors.model.document import Section


class ReportModel(QObject):
    """One's own spans by UUID, those of others as far as they are shown, and which span is current.

    A change is shown at once and confirmed when it is on disk; while several changes of one span are on
    their way, only the last one counts.
    """

    # Before another report comes: what is being written is still for the one that is there.
    leaving = Signal()
    opened = Signal()
    reset = Signal()
    span_set = Signal(str)
    span_removed = Signal(str)
    current_changed = Signal()
    others_changed = Signal()
    review_changed = Signal()
    sections_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.report: OpenReport | None = None
        self.spans: dict[str, Annotation] = {}
        self.others: dict[str, tuple[Annotation, ...]] = {}
        self._kept_by_others: dict[str, tuple[Carried, ...]] = {}
        self.sections: tuple[Section, ...] = ()
        self.current: str | None = None
        # Whether the report was opened for a place in it, which a mode then leaves in sight.
        self.went_to_place = False
        self._review: Review | None = None
        self._pending: Counter[str] = Counter()

    @property
    def key(self) -> str:
        """The report's key, "" where none is open."""
        return self.report.stored.key if self.report is not None else ""

    @property
    def text(self) -> str:
        return self.report.text if self.report is not None else ""

    @property
    def review(self) -> Review:
        """How far one is with the report; raises RuntimeError where none is open."""
        if self._review is None:
            raise RuntimeError("no report is open")
        return self._review

    def open(self, report: OpenReport) -> None:
        """Put another report on the page, without others' spans."""
        self._leave()
        self._pending.clear()
        self.others, self._kept_by_others = {}, {}
        self.current = None
        self.went_to_place = False
        self._take(report)
        self.opened.emit()

    def refresh(self, report: OpenReport) -> None:
        """Take the same report as it is on disk now; spans with changes on their way stay as shown."""
        on_their_way = {uuid: self.spans[uuid] for uuid in +self._pending if uuid in self.spans}
        gone = {uuid for uuid in +self._pending if uuid not in self.spans}
        self._take(report)
        self.spans = {uuid: span for uuid, span in self.spans.items() if uuid not in gone} | on_their_way
        if self.current is not None and self.find(self.current) is None:
            self.current = None
        self.reset.emit()
        self.current_changed.emit()

    def close(self) -> None:
        self._leave()
        self.report, self._review = None, None
        self.spans, self.others, self.sections, self.current = {}, {}, (), None
        self._kept_by_others = {}
        self._pending.clear()
        self.opened.emit()

    def _leave(self) -> None:
        if self.report is not None:
            self.leaving.emit()

    def _take(self, report: OpenReport) -> None:
        self.report = report
        self.sections = report.sections
        self._review = report.review
        self.spans = {one.uuid: one for one in report.annotations}

    @property
    def kept(self) -> dict[str, Carried]:
        """By UUID what is shown under labels of other programs: to be seen, and nothing else."""
        own = self.report.kept if self.report is not None else ()
        theirs = (one for spans in self._kept_by_others.values() for one in spans)
        return {one.uuid: one for one in (*own, *theirs)}

    def find(self, uuid: str) -> Annotation | None:
        """The span of that UUID, one's own or another's that is shown."""
        found = self.spans.get(uuid)
        theirs = (one for spans in self.others.values() for one in spans)
        return found or next((one for one in theirs if one.uuid == uuid), None)

    def is_own(self, uuid: str) -> bool:
        return uuid in self.spans

    def is_settled(self, uuid: str) -> bool:
        """Whether no change of the span is on its way to the disk."""
        return not self._pending[uuid]

    def holder_of(self, uuid: str) -> str:
        """The name of whose span it is, "" for one's own."""
        return next((name for name, spans in self.others.items() if any(s.uuid == uuid for s in spans)), "")

    def counts(self) -> Counter[str]:
        return Counter(map(attrgetter("finding.category"), self.spans.values()))

    def set_current(self, uuid: str | None) -> None:
        if uuid != self.current:
            self.current = uuid
            self.current_changed.emit()

    def show_others(
        self,
        others: Mapping[str, Iterable[Annotation]],
        kept: Mapping[str, tuple[Carried, ...]] = MappingProxyType({}),
    ) -> None:
        """Show the spans of these annotators (by name) and of no others beside one's own, and what of theirs
        is `kept` under other labels."""
        self.others = {name: tuple(spans) for name, spans in others.items()}
        self._kept_by_others = dict(kept)
        if self.current is not None and self.find(self.current) is None:
            self.set_current(None)
        self.others_changed.emit()

    def set_section(self, position: int, section: Section) -> None:
        sections = list(self.sections)
        sections[position] = section
        self.sections = tuple(sections)
        self.sections_changed.emit()

    # Changes on their way

    def expect(self, span: Annotation) -> None:
        """Show a span as it will be once its change is on disk."""
        self._pending[span.uuid] += 1
        self.spans[span.uuid] = span
        self.span_set.emit(span.uuid)

    def expect_removed(self, uuids: Iterable[str]) -> None:
        """Take spans off the page whose removal is on its way."""
        for uuid in uuids:
            self._pending[uuid] += 1
            self._drop(uuid)

    def _drop(self, uuid: str) -> None:
        if uuid not in self.spans:
            return
        del self.spans[uuid]
        if self.current == uuid:
            self.set_current(None)
        self.span_removed.emit(uuid)

    def settle(self, uuids: Iterable[str]) -> None:
        """Count one change of each span as answered, well or not."""
        self._pending.subtract(uuids)
        self._pending = +self._pending

    def _mine(self, changed: Changed) -> Changed:
        """What an act did for the annotator of this model, as far as that one is known to the project."""
        holder = self.review.annotator
        if not holder:
            return changed
        added, edited, removed = (
            tuple(one for one in spans if one.annotator == holder)
            for spans in (changed.added, changed.edited, changed.removed)
        )
        reviews = tuple(review for review in changed.reviews if review.annotator == holder)
        return replace(changed, added=added, edited=edited, removed=removed, reviews=reviews)

    def confirm(self, changed: Changed) -> None:
        """Take over what an act did, but for what is of another report or annotator, or on its way."""
        if self.report is None:
            return
        here = self.report.stored.uuid
        changed = self._mine(changed)
        for one in (*changed.added, *changed.edited):
            if one.document == here and not self._pending[one.uuid] and self.spans.get(one.uuid) != one:
                self.spans[one.uuid] = one
                self.span_set.emit(one.uuid)
        for one in changed.removed:
            if one.document == here and not self._pending[one.uuid]:
                self._drop(one.uuid)
        for review in changed.reviews:
            if review.document == here:
                self._review = review
                self.review_changed.emit()


class Arrival(QObject):
    """Waits for a report to do something in it; only what was asked for last is done."""

    def __init__(self, report_model: ReportModel, parent: QObject) -> None:
        super().__init__(parent)
        self._report_model = report_model
        self._waiting: tuple[str, Callable[[], None]] | None = None
        report_model.opened.connect(self._arrived)

    def wait_for(self, key: str, call: Callable[[], None]) -> None:
        """Call once the report of that key, which is being opened, is on the page; at once where it is."""
        self._waiting = None
        if self._report_model.key == key:
            call()
        else:
            self._waiting = key, call

    def _arrived(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting[0] == self._report_model.key:
            self._report_model.went_to_place = True
            waiting[1]()

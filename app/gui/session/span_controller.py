"""What the annotator does to the report on the page: shown at once, then put on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from PySide6.QtCore import QObject, Signal

from app.gui.session.report_model import ReportModel
from app.gui.session.worker import Worker
from app.operations.annotate import spans as annotating
from app.operations.annotate.concepts import clear_concept, set_concept
from app.operations.annotate.edits import coded, edited, moved, new_span, relabelled, uncoded
from app.operations.annotate.report import OpenReport, open_report
from app.operations.annotate.several import relabel_spans
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.operations.annotate.spans import Changed, SpanPlace
    from app.store.annotate.annotations import Annotation
    from app.store.annotate.reviews import ReviewState
    from app.store.project import Project
    from extractors.model.coding import Coding
    from extractors.model.document import Section
    from extractors.model.finding import Finding, Polarity


class SpanController(QObject):
    """One method a change, each one step of undo. What the disk refuses is taken off the page again."""

    changed = Signal(object)
    failed = Signal(str)

    def __init__(
        self, worker: Worker, report_model: ReportModel, annotator: str, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._worker, self._report_model = worker, report_model
        self.annotator = annotator

    # Spans

    def label(
        self,
        start: int,
        end: int,
        category: str,
        polarity: Polarity = "present",
        concepts: tuple[Coding, ...] = (),
    ) -> str:
        """Label [start, end) of the report on the page and make it the current span; returns its UUID.

        "" where there is nothing to label, or it is labelled so already; then `failed` says why, or the span
        that is there becomes the current one.
        """
        report = self._report_model.report
        if report is None:
            return ""
        there = self._at(start, end, category)
        if there:
            self._report_model.set_current(there)
            return ""
        uuid = str(uuid4())
        try:
            draft = new_span(report, uuid, start, end, category, polarity, concepts)
        except ProjectError as error:
            self.failed.emit(str(error))
            return ""
        self._report_model.expect(draft)
        self._report_model.set_current(uuid)
        place = annotating.SpanPlace(report.stored.uuid, start, end)
        name = self.annotator
        self._send(
            [uuid],
            lambda p: annotating.add_span(
                p, name, place, category, polarity=polarity, uuid=uuid, concepts=concepts
            ),
        )
        return uuid

    def label_also(self, uuid: str, category: str) -> str:
        """Label a span's place in another category as well; as `label`."""
        span = self._report_model.find(uuid)
        if span is None or span.finding.start is None or span.finding.end is None:
            return ""
        return self.label(span.finding.start, span.finding.end, category, span.finding.polarity)

    def label_places(self, places: Sequence[SpanPlace], category: str) -> None:
        """Label places of any reports in one act."""
        name = self.annotator
        self._send([], lambda p: annotating.add_spans(p, name, places, category))

    def accept(self, uuids: Sequence[str]) -> None:
        name = self.annotator
        self._send([], lambda p: annotating.accept_spans(p, name, uuids))

    def move(self, uuid: str, start: int, end: int, polarity: Polarity | None = None) -> None:
        """Set the edges of one's own span, and its polarity where one is given, as one step of undo."""
        span, report = self._own(uuid), self._report_model.report
        if span is None or report is None or not self._report_model.text[start:end].strip():
            return
        meant = polarity or span.finding.polarity
        if (start, end, meant) == (span.finding.start, span.finding.end, span.finding.polarity):
            return
        try:
            finding = moved(span.finding, report.stored, start, end, polarity)
        except ProjectError as error:
            self.failed.emit(str(error))
            return
        self._expect(span, finding)
        self._send([uuid], lambda p: annotating.move_span(p, uuid, start, end, polarity=polarity))

    def relabel(self, uuid: str, category: str) -> None:
        span, report = self._own(uuid), self._report_model.report
        if span is not None and report is not None and span.finding.category != category:
            self._expect(span, relabelled(span.finding, category, report.scheme))
            self._send([uuid], lambda p: annotating.relabel_span(p, uuid, category))

    def set_field(self, uuid: str, field: str) -> None:
        """Set the field of one's own span, "" for none."""
        span = self._own(uuid)
        if span is not None and span.finding.field != field:
            self._expect(span, replace(span.finding, field=field))
            self._send([uuid], lambda p: annotating.set_span_field(p, uuid, field))

    def set_polarity(self, uuid: str, polarity: Polarity) -> None:
        """Set whether one's own span speaks of something present, negated or uncertain."""
        span = self._own(uuid)
        if span is not None and span.finding.polarity != polarity:
            self._expect(span, replace(span.finding, polarity=polarity))
            self._send([uuid], lambda p: annotating.set_span_polarity(p, uuid, polarity))

    def set_note(self, uuid: str, note: str) -> None:
        """Set the note on one's own span, "" for none."""
        span = self._own(uuid)
        if span is not None and span.note != note:
            self._report_model.expect(replace(span, note=note))
            self._send([uuid], lambda p: annotating.set_span_note(p, uuid, note))

    def set_concept(self, uuid: str, coding: Coding, *, beside: bool = False) -> None:
        """Let one's own span stand for a concept, in the place of what it stood for or `beside` it."""
        span = self._own(uuid)
        after = coded(span, coding, beside=beside) if span is not None else None
        if after is not None and after != span:
            self._report_model.expect(after)
            self._send(
                [uuid],
                lambda p: set_concept(
                    p, uuid, coding.terminology, coding.code, release=coding.release, beside=beside
                ),
            )

    def clear_concept(self, uuid: str, terminology: str) -> None:
        """Take away what one's own span stands for in a terminology."""
        span = self._own(uuid)
        if span is not None and any(one.terminology == terminology for one in span.concepts):
            self._report_model.expect(uncoded(span, terminology))
            self._send([uuid], lambda p: clear_concept(p, uuid, terminology))

    def remove(self, uuids: Iterable[str]) -> None:
        own = [uuid for uuid in uuids if self._report_model.is_own(uuid)]
        if own:
            self._report_model.expect_removed(own)
            self._send(own, lambda p: annotating.remove_spans(p, own))

    def relabel_several(self, uuids: Sequence[str], category: str) -> None:
        """Put one's own spans of any reports into another category in one act."""
        self._send([], lambda p: relabel_spans(p, uuids, category))

    def remove_several(self, uuids: Sequence[str]) -> None:
        """Remove one's own spans of any reports in one act."""
        self._send([], lambda p: annotating.remove_spans(p, uuids))

    # The report

    def state_nothing_found(self, category: str, *, stated: bool = True) -> None:
        """State that the report says nothing of a category, or take that back."""
        name, key = self.annotator, self._report_model.key
        if key:
            self._send([], lambda p: annotating.state_nothing_found(p, name, key, category, stated=stated))

    def state_nothing_in_rest(self, report: str) -> None:
        """State that a report (key) says nothing of any category that is open in it."""
        name = self.annotator
        self._send([], lambda p: annotating.state_nothing_in_rest(p, name, report))

    def set_state(self, state: ReviewState) -> None:
        name, key = self.annotator, self._report_model.key
        if key:
            self._send([], lambda p: annotating.set_review_state(p, name, key, state))

    def set_section_categories(self, position: int, categories: Sequence[str]) -> None:
        name, key = self.annotator, self._report_model.key

        def done(section: Section) -> None:
            if self._report_model.key == key:
                self._report_model.set_section(position, section)

        self._worker.act(
            lambda p: annotating.set_section_categories(p, name, key, position, categories), done
        )

    # Inside

    def _own(self, uuid: str) -> Annotation | None:
        return self._report_model.spans.get(uuid)

    def _expect(self, span: Annotation, finding: Finding) -> None:
        self._report_model.expect(edited(span, finding, self._report_model.text))

    def _at(self, start: int, end: int, category: str) -> str:
        """The UUID of one's own span of that place and category, "" where there is none."""
        # Thousands are passed: a plain loop takes a third of the time of a mapped `attrgetter`.
        for span in self._report_model.spans.values():
            finding = span.finding
            if finding.start == start and finding.end == end and finding.category == category:
                return span.uuid
        return ""

    def _send(self, uuids: Sequence[str], call: Callable[[Project], Changed]) -> None:
        name = self.annotator

        def done(changed: Changed) -> None:
            self._report_model.settle(uuids)
            # Meanwhile somebody else may have taken over, and the report model be theirs.
            if self.annotator != name:
                return
            self._report_model.confirm(changed)
            self.changed.emit(changed)
            if set(uuids) - {one.uuid for one in (*changed.added, *changed.edited, *changed.removed)}:
                # Shown, but there was nothing to do: an undo or another act came first.
                self._reload()

        def refused(sentence: str) -> None:
            self._report_model.settle(uuids)
            self.failed.emit(sentence)
            self._reload()

        self._worker.act(call, done, refused)

    def _reload(self) -> None:
        key, name = self._report_model.key, self.annotator
        if key:
            self._worker.ask(lambda p: open_report(p, key, name), self._refreshed)

    def _refreshed(self, report: OpenReport) -> None:
        if report.stored.key == self._report_model.key and report.annotator == self.annotator:
            self._report_model.refresh(report)

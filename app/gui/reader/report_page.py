"""Keeps the reader showing what the report model holds, and that knowing where in the text one is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.span_words import in_full
from app.gui.widgets.tips import announce
from extractors.text.sections import case_start

if TYPE_CHECKING:
    from app.operations.annotate.report import OpenReport
    from app.store.annotate.annotations import Annotation


class Page(QObject):
    """The reader with the report of the report model in it; hidden categories are left out.

    The span under the caret is the current one, the shortest where several are; while text is selected there
    is none.
    """

    under_caret_changed = Signal(list)

    def __init__(self, reader: Reader, session: ProjectSession, parent: QObject | None = None) -> None:
        super().__init__(parent or reader)
        self.reader = reader
        self._session, self._report_model = session, session.report_model
        self._hidden: frozenset[str] = frozenset()
        self._settled: frozenset[str] = frozenset()
        self._there: dict[str, ShownSpan] = {}
        self._instead: tuple[ShownSpan, ...] | None = None
        self._busy = False
        # Where one was in the reports (keys) that were on the page.
        self.carets: dict[str, int] = {}
        self._key = self._announced = ""
        report_model = self._report_model
        report_model.opened.connect(self._load)
        report_model.reset.connect(self._show_all)
        report_model.others_changed.connect(self._show_all)
        report_model.span_set.connect(self._show)
        report_model.span_removed.connect(self._take_away)
        report_model.current_changed.connect(self._outline)
        report_model.current_changed.connect(self._announce)
        reader.caret_moved.connect(self._moved)
        reader.selection_changed.connect(self._moved)
        reader.span_activated.connect(self.go_to_span)
        session.span_turned.connect(self._go_to_turned)
        session.place_turned.connect(self._go_to_place)

    def set_hidden(self, categories: frozenset[str]) -> None:
        """Leave the spans of these categories out of the text."""
        self._hidden = categories
        self._show_all()

    def set_settled(self, uuids: frozenset[str]) -> None:
        """Let these spans of others fade, and no others: nothing is left to do about them."""
        changed, self._settled = self._settled ^ uuids, uuids
        for span in [self._there[uuid] for uuid in changed if uuid in self._there]:
            now = span._replace(settled=span.id in uuids and not span.mine)
            if now != span:
                self._there[span.id] = now
                self.reader.update_span(now)

    def show_instead(self, spans: Sequence[ShownSpan] | None) -> None:
        """Paint these spans of the open report instead of the report model's, until None brings those back.

        Which span is current, and which one the reader outlines, is then left as it is; another report begins
        without any. Raises ValueError for a place outside the text.
        """
        self._instead = None if spans is None else tuple(spans)
        self._show_all()
        self._moved()

    def shown(self) -> list[ShownSpan]:
        return self.reader.spans()

    def go_to_span(self, uuid: str) -> None:
        """Make a span the current one and put the caret at its start."""
        span = self._report_model.find(uuid)
        if span is None:
            return
        if span.finding.start is not None and span.finding.end is not None:
            self.show_place(span.finding.start, span.finding.end)
        self._report_model.set_current(uuid)
        self._show_words()

    def put_caret(self, offset: int) -> None:
        """Move the caret without choosing another current span; the page moves no further than it must."""
        with self._at_work():
            self.reader.select(offset, offset)

    def show_place(self, start: int, end: int) -> None:
        """Put the caret at the start of a place that is to be read, without choosing another current span."""
        with self._at_work():
            self.reader.show_place(start, end)

    def select(self, start: int, end: int) -> None:
        """Select text; no span is current then."""
        self.reader.select(start, end)

    def keep_caret(self) -> None:
        """Remember where one is in the open report, which opens there the next time."""
        if self._key:
            # The report left last stands last.
            self.carets.pop(self._key, None)
            self.carets[self._key] = self.reader.caret()

    # From the report model to the reader

    def _load(self) -> None:
        self.keep_caret()
        self._key = self._report_model.key
        report = self._report_model.report
        self._instead = None if self._instead is None else ()
        with self._at_work():
            if report is None:
                self._there = {}
                self.reader.load("")
                return
            headings = [_heading(report.text, s.start, s.heading) for s in report.sections if s.heading]
            left = self.carets.get(self._key)
            place = self._last_worked_on(report) if left is None else min(left, len(report.text))
            self.reader.load(
                report.text,
                [heading for heading in headings if heading is not None],
                self._shown_spans(),
                near=place,
            )
            self._show_kept()
            self.reader.set_sections([(section.start, section.end) for section in report.sections])
            self.reader.turn_to(place)
        self._moved()

    def _last_worked_on(self, report: OpenReport) -> int:
        """Where the span made last begins; the start of the case where there is none."""
        made = [
            (s.created_at, -s.finding.start)
            for s in self._report_model.spans.values()
            if s.finding.start is not None
        ]
        return -max(made)[1] if made else case_start(report.sections)

    def _show_kept(self) -> None:
        kept = self._report_model.kept.values() if self._instead is None else ()
        self.reader.set_kept([(place, one.uuid) for one in kept for place in one.places])

    def _show_all(self) -> None:
        with self._at_work():
            self.reader.set_spans(self._shown_spans())
            self._show_kept()
            self._outline()
        self._choose()

    def _shown_spans(self) -> list[ShownSpan]:
        if self._instead is not None:
            self._there = {}
            return list(self._instead)
        model, hidden, settled = self._report_model, self._hidden, self._settled
        own, others = model.spans.values(), chain.from_iterable(model.others.values())
        spans = [
            _shown(span, mine=mine, settled=not mine and span.uuid in settled)
            for mine, there in ((True, own), (False, others))
            for span in there
            if span.finding.start is not None and span.finding.category not in hidden
        ]
        self._there = {span.id: span for span in spans}
        return spans

    def _show(self, uuid: str) -> None:
        if self._instead is not None:
            return
        span = self._report_model.spans[uuid]
        before = self._there.get(uuid)
        if span.finding.start is None or span.finding.category in self._hidden:
            if before is not None:
                self._remove(uuid)
        elif (now := _shown(span, mine=True)) != before:
            if before is not None:
                self.reader.update_span(now)
            else:
                self.reader.add_span(now)
            self._there[uuid] = now
        self._outline()

    def _take_away(self, uuid: str) -> None:
        if uuid in self._there:
            self._remove(uuid)
        self._choose()

    def _remove(self, uuid: str) -> None:
        self.reader.remove_span(uuid)
        del self._there[uuid]

    def _go_to_turned(self, uuid: str) -> None:
        """The next key is for what undo or redo gave back."""
        if self._instead is None:
            self.go_to_span(uuid)

    def _go_to_place(self, start: int, end: int) -> None:
        """The next key is for nothing elsewhere, out of sight."""
        self.show_place(start, end)
        self._moved()

    def _announce(self) -> None:
        """Tell a screen reader once which span is current, while one is in the text."""
        report_model, uuid = self._report_model, self._report_model.current
        span = report_model.find(uuid) if uuid is not None else None
        words = ""
        if span is not None and self.reader.hasFocus():
            name = self._session.scheme.category(span.finding.category).name
            words = in_full(span, name, report_model.holder_of(span.uuid))
        if words and words != self._announced:
            announce(self.reader, words)
        self._announced = words

    def _outline(self) -> None:
        if self._instead is not None:
            return
        current = self._report_model.current
        self.reader.set_selected_span(current if current in self._there else None)

    # From the reader to the report model

    def _moved(self, *_: int) -> None:
        if self._busy or self._instead is not None:
            return
        under = self._under()
        if self._report_model.current not in under:
            self._report_model.set_current(under[0] if under else None)
        self._show_words()

    def _choose(self) -> None:
        """Where the current span has gone, take another one under the caret."""
        if self._report_model.current is None and not self._busy and self._instead is None:
            under = self._under()
            self._report_model.set_current(under[0] if under else None)
        self._show_words()

    def _under(self) -> list[str]:
        """The spans that may be the current one: none while text is selected."""
        start, end = self.reader.selection()
        return [] if start < end else [span.id for span in self.reader.spans_under_caret()]

    def _show_words(self) -> None:
        if not self._busy and self._instead is None:
            self.under_caret_changed.emit([span.id for span in self.reader.spans_under_caret()])

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """What the caret does meanwhile is the program's doing, not the user's."""
        before, self._busy = self._busy, True
        try:
            yield
        finally:
            self._busy = before


def _shown(span: Annotation, *, mine: bool, settled: bool = False) -> ShownSpan:
    finding = span.finding
    start, end = finding.start or 0, finding.end or 0
    concept = span.concepts[0].code if span.concepts else ""
    return ShownSpan(span.uuid, start, end, finding.category, finding.polarity, False, mine, settled, concept)


def _heading(text: str, start: int, heading: str) -> tuple[int, int] | None:
    """Where a section's heading stands in the text, None where the source gave it without its text."""
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    return (start, start + len(line)) if heading.strip() and line.strip() == heading.strip() else None

"""What is read from an open project: a report with one's own work, the same words elsewhere, what is next."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.operations.project.sets import holder_of, labelled_places, review_by, spans_of
from app.store.annotate.annotations import Annotation, context
from app.store.annotate.annotators import annotators
from app.store.annotate.carried import Carried, kept_under_labels
from app.store.annotate.concepts import holders_of
from app.store.annotate.reviews import Review, reviews
from app.store.extract.runs import runs
from app.store.history import changes
from app.store.reports.documents import (
    DocumentSummary,
    StoredDocument,
    document,
    document_summaries,
    document_summary,
    last_worked_on,
    texts,
)
from extractors.model.progress import Progress, at_once
from extractors.text.boundaries import cuts_word

if TYPE_CHECKING:
    from app.store.act import Change
    from app.store.project import Project
    from extractors.model.document import Section
    from extractors.model.scheme import Scheme

# As many places as somebody can still look through.
MOST_PLACES = 200
# Columns that name a person.
_BY_NAME = ("rater", "reader", "decided_by", "author")


@dataclass(frozen=True, slots=True)
class OpenReport:
    """A report with what one annotator (name) has in it; offsets are code points of `text`.

    `kept` are annotations under labels of other programs, which the scheme lacks.
    """

    stored: StoredDocument
    annotator: str
    annotations: tuple[Annotation, ...]
    review: Review
    scheme: Scheme
    kept: tuple[Carried, ...] = ()

    @property
    def text(self) -> str:
        return self.stored.document.text

    @property
    def sections(self) -> tuple[Section, ...]:
        return self.stored.document.sections


@dataclass(frozen=True, slots=True)
class SamePlace:
    """The same words elsewhere: `report` is the key, `start` and `end` are code points of its text.

    `text` is what stands there, `left` and `right` what stands beside it.
    """

    report: str
    start: int
    end: int
    text: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class SamePlaces:
    """The first places, and how many there are in `reports` reports altogether."""

    places: tuple[SamePlace, ...]
    total: int
    reports: int


def open_report(project: Project, key: str, annotator: str) -> OpenReport:
    """The report of that key or UUID with the annotator's own spans and review; changes nothing.

    Raises UnknownNameError for a report that is not there.
    """
    stored = document(project, key)
    own = tuple(spans_of(project, stored, annotator))
    holder = holder_of(project, annotator)
    kept = kept_under_labels(project, holder, stored.uuid) if holder else ()
    return OpenReport(stored, annotator, own, review_by(project, stored, annotator), project.scheme, kept)


def finding_same(
    project: Project,
    text: str,
    annotator: str,
    category: str,
    *,
    first: str = "",
    only_first: bool = False,
    most: int = MOST_PLACES,
) -> Generator[Progress, None, SamePlaces]:
    """Where the same words stand unlabelled, in the report `first` (key or UUID), then in the others.

    Whole words and numbers, upper and lower case alike, white space of any width alike. Left out is what
    stands within a span that the annotator has in that category. At most `most` places are returned, all are
    counted. Raises UnknownNameError where `first` is not there.
    """
    if not text.strip():
        return SamePlaces((), 0, 0)
    words = re.compile(r"\s+".join(map(re.escape, text.split())), re.IGNORECASE)
    places: list[SamePlace] = []
    total, found_in = 0, 0
    reports = _in_turn(project, first, only_first=only_first)
    for done, report in enumerate(reports, start=1):
        there = texts(project, report.uuid)[report.uuid]
        found = list(_whole_words(words, there))
        if found:
            labelled = labelled_places(project, report, annotator, category)
            found = [place for place in found if not _within(place, labelled)]
        total += len(found)
        found_in += bool(found)
        places += [_same_place(report.key, there, *place) for place in found[: most - len(places)]]
        yield Progress(done, len(reports), "reports read")
    return SamePlaces(tuple(places), total, found_in)


find_same = at_once(finding_same)


def next_report(project: Project, annotator: str, after: str = "") -> str | None:
    """The key of the next report after that one (key), round the end, which is neither parked nor done.

    From the first where `after` is "" or not there; None where no other is left.
    """
    keys = [report.key for report in document_summaries(project)]
    start = keys.index(after) + 1 if after in keys else 0
    closed = _closed(project, annotator) | {after}
    return next((key for key in keys[start:] + keys[:start] if key not in closed), None)


def where_left_off(project: Project, annotator: str) -> str | None:
    """The key of the report to open: the one worked on last, unless it is parked or done, then the next.

    Where all are parked or done, the one worked on last or else the first; None in an empty project.
    """
    last = last_worked_on(project, holder_of(project, annotator))
    if last is not None and last not in _closed(project, annotator):
        return last
    following = next_report(project, annotator, last or "")
    if following is not None:
        return following
    return last or next((report.key for report in document_summaries(project)), None)


def touched_reports(project: Project, act: str) -> tuple[str, ...]:
    """The keys of the reports that an act (UUID) changed, or their spans, review or sections, in that order.

    Reports that are no longer there are left out. Raises what `changes` raises.
    """
    touched = dict.fromkeys(
        change.row if change.table == "document" else (change.after or change.before or {}).get("document")
        for change in changes(project, act)
    )
    key_of = {report.uuid: report.key for report in document_summaries(project)}
    return tuple(key_of[uuid] for uuid in touched if isinstance(uuid, str) and uuid in key_of)


def touched_spans(project: Project, act: str, report: OpenReport) -> tuple[str, ...]:
    """The UUIDs of the annotator's spans in a report that an act (UUID) added, removed or changed, by place.

    Those that are not there now are left out, and those without a place come last. Raises what `changes`
    raises.
    """
    done = changes(project, act)
    touched = {change.row for change in done}.union(_coded(done))
    spans = [one for one in report.annotations if one.uuid in touched]
    spans.sort(key=lambda one: (one.finding.start is None, one.finding.start or 0, one.finding.end or 0))
    return tuple(one.uuid for one in spans)


def touched_place(project: Project, act: str, report: OpenReport) -> tuple[int, int] | None:
    """The first place in a report at which an act (UUID) put, changed or removed anybody's span.

    Raises what `changes` raises.
    """
    rows = (change.after or change.before or {} for change in changes(project, act))
    for row in rows:
        start, end = row.get("span_start"), row.get("span_end")
        if row.get("document") == report.stored.uuid and "quote" in row:
            if isinstance(start, int) and isinstance(end, int):
                return start, end
    return None


def touched_annotators(project: Project, act: str) -> tuple[str, ...]:
    """The names of those whose work an act (UUID) changed, as far as they are still there: spans, reviews and
    verdicts, decisions, ratings, guesses, answers to a study, amendments.

    A gold set is nobody's own work and not among them; nor are those whose spans went with a report. Raises
    what `changes` raises.
    """
    done = changes(project, act)
    if any((change.verb, change.table) == ("delete", "document") for change in done):
        return ()
    rows = [change.after or change.before or {} for change in done]
    answering = {row.get("run") for row, change in zip(rows, done, strict=True) if change.table == "answer"}
    touched = {row.get(cell) for row in rows for cell in ("annotator", "reviewer")}
    touched |= {run.annotator for run in runs(project) if run.uuid in answering} if answering else set()
    touched |= holders_of(project, _coded(done))
    named = sorted({str(row[cell]) for row in rows for cell in _BY_NAME if row.get(cell)})
    there = [one.name for one in annotators(project) if one.uuid in touched and one.kind != "gold"]
    return tuple(dict.fromkeys((*there, *named)))


def _coded(done: Sequence[Change]) -> list[str]:
    """The annotations (UUIDs) whose concepts were changed."""
    rows = (change.after or change.before or {} for change in done if change.table == "concept")
    return [str(row["annotation"]) for row in rows if row["annotation"]]


def _closed(project: Project, annotator: str) -> set[str]:
    """The keys of the reports that the annotator has parked or done."""
    holder = holder_of(project, annotator)
    closed = {
        review.document
        for review in reviews(project)
        if review.annotator == holder and review.state in ("parked", "done")
    }
    return {report.key for report in document_summaries(project) if report.uuid in closed}


def _in_turn(project: Project, first: str, *, only_first: bool) -> list[DocumentSummary]:
    """The report of that key, then the others in import order."""
    head = [document_summary(project, first)] if first else []
    if only_first:
        return head
    return [*head, *(one for one in document_summaries(project) if one not in head)]


def _within(place: tuple[int, int], spans: list[tuple[int, int]]) -> bool:
    return any(start <= place[0] and place[1] <= end for start, end in spans)


def _whole_words(words: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """The places of a pattern that cut no word in two."""
    position = 0
    while match := words.search(text, position):
        start, end = match.span()
        if cuts_word(text, start) or cuts_word(text, end):
            position = start + 1
            continue
        position = end
        yield start, end


def _same_place(report: str, text: str, start: int, end: int) -> SamePlace:
    left, right = context(text, start, end)
    return SamePlace(report, start, end, text[start:end], left, right)

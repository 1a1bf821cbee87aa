"""The figures of a project: reports, spans, words and time, and what is unfinished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from app.operations.annotate.reports import ReportRow, list_reports
from app.operations.find.search import listing_spans
from app.operations.project.reports import list_assignments
from app.operations.project.sets import holder_of
from app.store.annotate.annotators import annotators
from app.store.annotate.listing import SpanRow, headings, seconds_at_work, words_of_reports
from app.store.annotate.reviews import reviews
from app.store.reports.counting import count_by_annotator
from app.tables import Column, Table
from app.text import counted, duration
from extractors.model.finding import POLARITIES
from extractors.model.progress import Progress, at_once

if TYPE_CHECKING:
    from app.store.project import Project

Value: TypeAlias = str | int | float | None
FigureTable: TypeAlias = Table[Value]
_STATES = ("done", "in progress", "parked", "untouched")
_MOST_SECTIONS = 30
_TIME = "Time is what passes between two acts, up to five minutes each; work before the first is not in it."
_SPANS, _REPORTS = Column("Spans", "spans"), Column("Reports", "reports")
_WORDS = Column("Words", "words", about="words in the quotes")
_TEXT = Column("Words of text", "words")
_MINUTES = Column("Minutes", "minutes", decimals=1)
_GIVEN = attrgetter("annotator", "reports", "words", "done", "in_progress", "hours")


@dataclass(frozen=True, slots=True)
class Figures:
    """One annotator's figures in tables by their keys: reports, category, annotator, given (who has which
    packet), polarity, section, unfinished. Of others there is only how many spans they have."""

    annotator: str
    tables: dict[str, FigureTable]
    summary: str


def counting_project(project: Project, annotator: str) -> Generator[Progress, None, Figures]:
    """The figures of a project as an annotator (name, "" for nobody) has them; reads no text.

    Raises what `Project.query` raises.
    """
    holder = holder_of(project, annotator)
    spans = yield from listing_spans(project, annotator)
    rows = list_reports(project, annotator)
    words = words_of_reports(project)
    everybody = seconds_at_work(project)
    seconds = everybody.get(holder, {})
    yield Progress(len(rows), len(rows), "reports")
    tables = {
        "reports": _by_state(rows, words),
        "category": _by_category(project, rows, spans, seconds),
        "annotator": _by_annotator(project, words, everybody),
        "given": _given(project),
        "polarity": _by_polarity(spans),
        "section": _by_section(project, spans),
        "unfinished": _unfinished(project, rows),
    }
    done = sum(row.state == "done" for row in rows)
    sentence = f"{counted(done, 'report')} of {len(rows):,} done by {annotator}" if annotator else ""
    summary = f"{sentence or counted(len(rows), 'report')}, {counted(len(spans), 'span')}"
    worked = f", {duration(sum(seconds.values()))} at work" if seconds else ""
    return Figures(annotator, tables, f"{summary}{worked}.")


count_project = at_once(counting_project)


def _by_state(rows: Iterable[ReportRow], words: dict[str, int]) -> FigureTable:
    found = {state: [row for row in rows if row.state == state] for state in _STATES}
    body: list[tuple[Value, ...]] = [
        (state, len(those), sum(words.get(row.uuid, 0) for row in those), sum(_own(row) for row in those))
        for state, those in found.items()
    ]
    columns = (Column("State", "state", kind="words"), _REPORTS, _TEXT, _SPANS)
    return _summed(columns, body, "Reports")


def _own(row: ReportRow) -> int:
    return sum(row.own.values())


def _by_category(
    project: Project, rows: Sequence[ReportRow], spans: Sequence[SpanRow], seconds: dict[str, float]
) -> FigureTable:
    nothing = Counter(category for row in rows for category in row.nothing_found)
    number, words = Counter(one.category for one in spans), _words_by(spans, "category")
    body: list[tuple[Value, ...]] = [
        (
            f"{one.code} {one.name}",
            number[one.id],
            sum(one.id in row.own for row in rows),
            nothing[one.id],
            words[one.id],
            seconds.get(one.id, 0.0) / 60,
        )
        for one in project.scheme.categories
    ]
    if seconds.get(""):
        body.append(("Reports set done, parked, or empty of something", 0, 0, 0, 0, seconds[""] / 60))
    columns = (
        Column("Category", "category", kind="words"),
        _SPANS,
        _REPORTS,
        Column("Nothing found", "nothing_found", about="reports stated to say nothing of it"),
        _WORDS,
        _MINUTES,
    )
    return _summed(columns, body, "By category", (_TIME,), total_but=(2,))


def _by_annotator(
    project: Project, words: dict[str, int], seconds: dict[str, dict[str, float]]
) -> FigureTable:
    number = count_by_annotator(project)
    done = Counter(review.annotator for review in reviews(project) if review.state == "done")
    body: list[tuple[Value, ...]] = []
    for one in annotators(project):
        there = [document for document, of in number.items() if one.uuid in of]
        spans = sum(number[document][one.uuid] for document in there)
        text = sum(words.get(document, 0) for document in there)
        ended, minutes = done[one.uuid], sum(seconds.get(one.uuid, {}).values()) / 60
        if one.kind == "person":
            body.append((one.name, one.kind, spans, len(there), ended, text, minutes))
        else:
            body.append((one.name, one.kind, spans, len(there), None, text, None))
    columns = (
        Column("Annotator", "annotator", kind="words"),
        Column("Kind", "kind", kind="words"),
        _SPANS,
        _REPORTS,
        Column("Done", "done"),
        Column("Words of text", "words", about="words of the reports with spans"),
        _MINUTES,
    )
    return Table(columns, tuple(body), "By annotator")


def _given(project: Project) -> FigureTable:
    columns = (
        Column("Annotator", "annotator", kind="words"),
        _REPORTS,
        _TEXT,
        Column("Done", "done"),
        Column("Begun", "begun"),
        Column("Hours", "hours", decimals=1),
        Column("Words an hour", "pace", about="words of the reports that are done"),
    )
    given = list_assignments(project)
    paces = (None if one.pace is None else round(one.pace) for one in given)
    body = [(*_GIVEN(one), pace) for one, pace in zip(given, paces, strict=True)]
    notes = ("What is done in a packet is seen once it was brought back.",) if body else ()
    return Table(columns, tuple(body), "Given out in packets", notes)


def _by_polarity(spans: Sequence[SpanRow]) -> FigureTable:
    number, words = Counter(one.polarity for one in spans), _words_by(spans, "polarity")
    reports = {
        polarity: {one.document for one in spans if one.polarity == polarity} for polarity in POLARITIES
    }
    body: list[tuple[Value, ...]] = [(one, number[one], len(reports[one]), words[one]) for one in POLARITIES]
    columns = (Column("Polarity", "polarity", kind="words"), _SPANS, _REPORTS, _WORDS)
    return _summed(columns, body, "By polarity", total_but=(2,))


def _by_section(project: Project, spans: Sequence[SpanRow]) -> FigureTable:
    """By the outermost heading, whatever its case; the rarest headings stand together."""
    lengths: Counter[str] = Counter()
    reports: dict[str, set[str]] = {}
    written: dict[str, Counter[str]] = {}
    for document, heading, length in headings(project):
        name = heading.casefold()
        written.setdefault(name, Counter())[heading] += 1
        lengths[name] += length
        reports.setdefault(name, set()).add(document)
    number = Counter(one.outer.casefold() for one in spans if one.start is not None)
    usual = sorted(reports, key=lambda name: (-len(reports[name]), name))
    whole = sum(lengths.values()) or 1
    body: list[tuple[Value, ...]] = [
        (
            _usual(written[name]) or "without a heading",
            len(reports[name]),
            100 * lengths[name] / whole,
            number[name],
        )
        for name in usual[:_MOST_SECTIONS]
    ]
    rest = usual[_MOST_SECTIONS:]
    if rest:
        there: set[str] = set().union(*(reports[name] for name in rest))
        share = 100 * sum(lengths[name] for name in rest) / whole
        body.append((f"{len(rest):,} other headings", len(there), share, sum(number[name] for name in rest)))
    unplaced = sum(one.start is None for one in spans)
    if unplaced:
        body.append(
            ("no place in the text", len({s.document for s in spans if s.start is None}), None, unplaced)
        )
    columns = (
        Column("Section", "section", kind="words", width=50),
        _REPORTS,
        Column("Of the text", "share", decimals=1, unit=" %"),
        _SPANS,
    )
    return Table(columns, tuple(body), "By section")


def _usual(spellings: Counter[str]) -> str:
    """How a heading is written most often, of these the one with fewer capitals."""
    return max(spellings, key=lambda one: (spellings[one], sum(map(str.islower, one))))


def _unfinished(project: Project, rows: Iterable[ReportRow]) -> FigureTable:
    """The reports that were begun, and of which categories they have neither spans nor a statement."""
    body: list[tuple[Value, ...]] = []
    for row in rows:
        if row.state in ("in progress", "parked"):
            open_ = [c.code for c in project.scheme.categories if c.id not in {*row.own, *row.nothing_found}]
            body.append((row.key, row.title, row.state, _own(row), len(open_), " ".join(open_) or "none"))
    columns = (
        Column("Report", "report", kind="words"),
        Column("Title", "title", kind="words", width=50),
        Column("State", "state", kind="words"),
        _SPANS,
        Column("Open", "open", about="categories without a span or a statement"),
        Column("Open categories", "open_categories", kind="words"),
    )
    return Table(columns, tuple(body), "Begun and not done")


def _words_by(spans: Sequence[SpanRow], what: str) -> Counter[str]:
    words: Counter[str] = Counter()
    for one in spans:
        words[getattr(one, what)] += one.words
    return words


def _summed(
    columns: tuple[Column, ...],
    body: list[tuple[Value, ...]],
    title: str,
    notes: tuple[str, ...] = (),
    total_but: tuple[int, ...] = (),
) -> FigureTable:
    """With the sums at the foot, but for columns whose numbers are not to be added up."""
    total: list[Value] = ["All"]
    for place in range(1, len(columns)):
        numbers = [row[place] for row in body]
        known = [number for number in numbers if isinstance(number, int | float)]
        total.append(None if place in total_but else sum(known))
    return Table(columns, (*body, tuple(total)), title, notes, {len(body): "total"})

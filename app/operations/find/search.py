"""Find all spans of an annotator, of a report, a category or the whole project, and words anywhere in it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.operations.annotate.exposure import disclose_all
from app.operations.project.sets import holder_of
from app.store.annotate.annotators import annotator as annotator_of
from app.store.annotate.listing import SpanRow, categories_at, documents_with_spans, span_rows
from app.store.reports.counting import count_by_category
from app.store.reports.documents import document_summary
from app.store.reports.search import (
    FoundText,
    asked_for,
    find_annotations_saying,
    find_documents,
    find_places,
)
from app.tables import Column, Table
from extractors.model.progress import Progress, at_once

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.scheme import Category

# Reports that are shown at once; code points beside a place.
AT_ONCE = 50
_BESIDE = 90


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """Words at [start, end) of a report, what stands beside them on one line, and the categories of the
    annotator's own spans there."""

    start: int
    end: int
    left: str
    text: str
    right: str
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundReport:
    """A report that holds all the words: in its text at `places`, in a note or a quote of `spans` that is
    not the text at its place, or, where it has neither, in its title or number."""

    uuid: str
    key: str
    title: str
    places: tuple[FoundPlace, ...]
    spans: tuple[SpanRow, ...]


@dataclass(frozen=True, slots=True)
class FoundCategory:
    """A category of that name or code, and how many spans the annotator has of it in how many reports."""

    id: str
    code: str
    name: str
    spans: int
    reports: int


@dataclass(frozen=True, slots=True)
class Found:
    """The first reports asked for, of `total`; `asks` is false where nothing but signs was typed."""

    words: str
    asks: bool
    total: int
    reports: tuple[FoundReport, ...]
    categories: tuple[FoundCategory, ...]

    @property
    def places(self) -> int:
        """How many places and spans are shown."""
        return sum(len(report.places) + len(report.spans) for report in self.reports)


def search_project(
    project: Project,
    words: str,
    annotator: str,
    *,
    first: int = 0,
    most: int | None = AT_ONCE,
    viewer: str = "",
) -> Found:
    """Where all the words stand together, as the annotator (name, "" for nobody) may see it.

    Words are found in all their forms, whatever the case and the accents; several with no more than ten
    others between them; "quoted words" next to each other and as they are; beginnings of words as begin*.
    Nobody else's spans are shown. Reports come in import order, from number `first` on, at most `most` of
    them. Where somebody else, the `viewer` (name), is shown the annotator's spans, the look is
    put on record in each report that has some. Raises what `disclose_all` raises.
    """
    holder = holder_of(project, annotator)
    with project.snapshot():
        there = find_documents(project, words, holder)
        shown = there[first : None if most is None else first + most]
        found = find_places(project, words, shown)
        uuids = find_annotations_saying(project, words, holder, shown) if holder else []
        saying = span_rows(project, holder, uuids=uuids) if uuids else []
        stretches = [(one.document, one.places[0][0], one.places[-1][1]) for one in found if one.places]
        own = categories_at(project, holder, stretches) if holder else {}
    reports = []
    for one in found:
        places = _found_places(one, own.get(one.document, []))
        spans = tuple(span for span in saying if span.document == one.document)
        reports.append(FoundReport(one.document, one.key, one.title, places, spans))
    if viewer:
        seen = [report for report in reports if report.spans or any(one.categories for one in report.places)]
        disclose_all(project, viewer, [report.key for report in seen], [annotator])
    categories = _categories(project, words, holder) if not first else ()
    return Found(words, bool(asked_for(words)), len(there), tuple(reports), categories)


def _found_places(found: FoundText, own: list[tuple[int, int, str]]) -> tuple[FoundPlace, ...]:
    text = found.text
    return tuple(
        FoundPlace(
            start,
            end,
            _one_line(_tail(text[max(0, start - _BESIDE) : start], start > _BESIDE)),
            _one_line(text[start:end]),
            _one_line(_head(text[end : end + _BESIDE], end + _BESIDE < len(text))),
            tuple(sorted({category for begin, stop, category in own if begin < end and start < stop})),
        )
        for start, end in found.places
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _tail(text: str, cut: bool) -> str:
    """What stands before a place in its paragraph, without a word that was cut."""
    line = text.rpartition("\n")[2]
    return line.partition(" ")[2] if cut and line == text else line


def _head(text: str, cut: bool) -> str:
    line = text.partition("\n")[0]
    return line.rpartition(" ")[0] if cut and line == text else line


def _categories(project: Project, words: str, holder: str) -> tuple[FoundCategory, ...]:
    """The categories that the words name: by code, id, or beginnings of words of the name."""
    asked = [one.words.casefold() for one in asked_for(words)]
    named = [category for category in project.scheme.categories if _named(category, asked)]
    if not named:
        return ()
    counts = count_by_category(project, holder) if holder else {}
    return tuple(
        FoundCategory(
            one.id,
            one.code,
            one.name,
            sum(of.get(one.id, 0) for of in counts.values()),
            sum(one.id in of for of in counts.values()),
        )
        for one in named
    )


def _named(category: Category, asked: list[str]) -> bool:
    names = category.name.casefold().replace(",", " ").split()
    whole = " ".join(asked)
    if whole in (category.code.casefold(), category.id.casefold()):
        return True
    return bool(asked) and all(any(name.startswith(word) for name in names) for word in asked)


# Reports of which the spans are read in one step.
_AT_ONCE = 100
_TITLES = ("Report", "Section", "Category", "Field", "Quote", "Polarity", "Note", "Place", "ID")
_WIDTHS = {"Quote": 60, "Section": 24, "Note": 30}


def whose(project: Project, name: str | None) -> tuple[str, str]:
    """Whose spans are meant by a name, and who is shown them where that is to be on record ("" for nobody).

    Without a name it is the project's annotator. Raises UnknownNameError for a name that is not there.
    """
    if name is None or name == project.owner:
        return project.owner, ""
    return annotator_of(project, name).name, project.owner


def listing_spans(
    project: Project,
    annotator: str,
    *,
    report: str | None = None,
    category: str | None = None,
    viewer: str = "",
) -> Generator[Progress, None, tuple[SpanRow, ...]]:
    """What an annotator (name) has in a report (key or UUID) and category, or everywhere: by place.

    Where somebody else, the `viewer` (name), is shown them, the look is put on record in each report listed.
    Raises UnknownNameError for a report or category that is not there, and what `disclose_all` raises.
    """
    only = document_summary(project, report).uuid if report is not None else None
    if category is not None:
        project.scheme.category(category)
    holder = holder_of(project, annotator)
    documents = [only] if only is not None else documents_with_spans(project, holder)
    rows: list[SpanRow] = []
    for done in range(0, len(documents), _AT_ONCE):
        rows += span_rows(project, holder, documents=documents[done : done + _AT_ONCE], category=category)
        yield Progress(min(done + _AT_ONCE, len(documents)), len(documents), "reports")
    if viewer:
        disclose_all(project, viewer, list(dict.fromkeys(row.report for row in rows)), [annotator])
    return tuple(rows)


list_spans = at_once(listing_spans)


def spans_table(rows: Sequence[SpanRow]) -> Table[str | int | None]:
    """The spans as a table; their places are numbers of characters from the beginning of the text."""
    columns = tuple(
        Column(one, one.lower(), heading=(one,), kind="words", width=_WIDTHS.get(one, 0)) for one in _TITLES
    )
    return Table(
        columns,
        tuple(
            (
                *(row.report, row.section, row.category, row.field, " ".join(row.quote.split())),
                *(row.polarity, " ".join(row.note.split())),
                f"{row.start}-{row.end}" if row.start is not None else None,
                row.uuid,
            )
            for row in rows
        ),
    )

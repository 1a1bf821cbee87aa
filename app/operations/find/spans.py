"""All spans of an annotator, of a report, a category or the whole project."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from app.operations.annotate.exposure import disclose_all
from app.operations.project.sets import holder_of
from app.store.annotate.annotators import annotator as annotator_of
from app.store.annotate.listing import SpanRow, documents_with_spans, span_rows
from app.store.reports.documents import document_summary
from app.tables import Column, Table
from extractors.model.progress import Progress, at_once

if TYPE_CHECKING:
    from app.store.project import Project

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

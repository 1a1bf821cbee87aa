"""Write annotations as a table, one a row, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.formats.format import Format
from app.formats.record import ReportExport, concepts_lost
from app.tables import Table, csv_text

COLUMNS = (
    "report", "title", "category", "field", "quote", "start", "end", "grounding", "polarity", "origin",
    "annotator",
)  # fmt: skip
_NAMED_AT_MOST = 10


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    """A header and one row per annotation; start and end are empty where a quote has no place.

    An apostrophe goes before cells that a spreadsheet would run.
    """
    names = terminologies(reports)
    columns = columns_of(names)
    head = csv_text(Table(columns, ()))
    yield csv_text(Table(columns, ()), mark=True)
    for report in reports:
        yield csv_text(Table(columns, tuple(rows_of(report, names)))).removeprefix(head)


def terminologies(reports: Sequence[ReportExport]) -> tuple[str, ...]:
    """The terminologies that annotations have concepts of, by name."""
    coded = (coding for report in reports for one in report.annotations for coding in one.concepts)
    return tuple(sorted({coding.terminology for coding in coded}))


def columns_of(names: Sequence[str]) -> tuple[str, ...]:
    """COLUMNS, and one for the codes of each terminology, parted by a space."""
    return (*COLUMNS, *(f"concept_{name}" for name in names))


def _losses(reports: Sequence[ReportExport]) -> Iterator[str]:
    if reports:
        yield "CSV has no place for texts, sections, identifiers and metadata of the reports."
    silent = [report.key for report in reports if not report.annotations]
    if silent:
        more = f" and {len(silent) - _NAMED_AT_MOST} more" if len(silent) > _NAMED_AT_MOST else ""
        kinds = (
            "1 report without annotations has"
            if len(silent) == 1
            else (f"{len(silent)} reports without annotations have")
        )
        yield f"{kinds} no row: {', '.join(silent[:_NAMED_AT_MOST])}{more}."
    nothing = sum(
        len(set(report.looked_at) - {annotation.finding.category for annotation in report.annotations})
        for report in reports
    )
    if nothing:
        yield f"That nothing was found in a category is not written (cells: {nothing})."
    yield from concepts_lost(reports, "Of concepts the codes are written, without release and label")


def rows_of(report: ReportExport, names: Sequence[str] = ()) -> Iterator[tuple[object, ...]]:
    """A row of `columns_of` for each annotation under whatever label; start and end may be None."""
    for annotation in report.annotations:
        finding = annotation.finding
        yield (
            report.key,
            report.document.title,
            finding.category,
            finding.field,
            finding.quote,
            finding.start,
            finding.end,
            finding.grounding,
            finding.polarity,
            annotation.origin,
            annotation.annotator,
            *(" ".join(one.code for one in annotation.concepts if one.terminology == name) for name in names),
        )
    for span in report.spans:
        start, end = span.place or (None, None)
        said = (span.label, span.field, span.quote, start, end, "", span.polarity or "", "imported")
        coded = (" ".join(one.code for one in span.concepts if one.terminology == name) for name in names)
        yield (report.key, report.document.title, *said, report.annotator, *coded)


FORMAT = Format(
    id="csv",
    label="CSV table",
    about="One annotation a row, for a spreadsheet or statistics; report texts are not written.",
    suffixes=(".csv",),
    write=_write,
    losses=_losses,
)

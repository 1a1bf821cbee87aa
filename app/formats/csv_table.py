"""Write annotations as a table, one a row, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.formats.format import Format
from app.formats.record import ReportExport
from app.formats.writing import write_atomically

COLUMNS = (
    "report", "title", "category", "field", "quote", "start", "end", "grounding", "polarity", "origin",
    "annotator",
)  # fmt: skip
# A spreadsheet takes a cell that begins so for a formula; the apostrophe itself is on the list so that
# `without_guard` is exact.
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "'")
# Without this mark spreadsheets on Windows take UTF-8 for the local encoding.
MARK = "\ufeff"
_NAMED_AT_MOST = 10


def _write(path: Path, reports: Sequence[ReportExport]) -> None:
    """Write a header and one row per annotation; start and end are empty where a quote has no place.

    An apostrophe goes before cells that a spreadsheet would run.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for report in reports:
        writer.writerows(_rows(report))
    write_atomically(path, MARK + buffer.getvalue())


def without_guard(cell: str) -> str:
    """The value that was written into this cell."""
    return cell[1:] if cell.startswith("'") else cell


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
        yield f"That a category was looked at and nothing found is not written (cells: {nothing})."


def _rows(report: ReportExport) -> Iterator[list[str | int]]:
    for annotation in report.annotations:
        finding = annotation.finding
        yield [
            guarded(report.key),
            guarded(report.document.title),
            guarded(finding.category),
            guarded(finding.field),
            guarded(finding.quote),
            "" if finding.start is None else finding.start,
            "" if finding.end is None else finding.end,
            finding.grounding,
            finding.polarity,
            annotation.origin,
            guarded(annotation.annotator),
        ]


def guarded(value: str) -> str:
    """The value as a cell that no spreadsheet takes for a formula."""
    return "'" + value if value.startswith(_DANGEROUS) else value


FORMAT = Format(
    id="csv",
    label="CSV table",
    about="One annotation a row, for a spreadsheet or statistics; report texts are not written.",
    suffixes=(".csv",),
    write=_write,
    losses=_losses,
)

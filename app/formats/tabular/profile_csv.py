"""Write the terms of reports as a table, one a row."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.formats.format import Format
from app.formats.losses import read_back
from app.formats.record import ExportedTerm, ReadBack, ReportExport
from app.tables import Table, csv_text, without_guard

_COLUMNS = (
    "report", "title", "terminology", "release", "code", "label", "polarity", "onset", "quotes", "places",
    "origin", "annotator",
)  # fmt: skip


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    head = csv_text(Table(_COLUMNS, ()))
    yield csv_text(Table(_COLUMNS, ()), mark=True)
    for report in reports:
        rows = tuple(_row(report, term) for term in report.profile)
        yield csv_text(Table(_COLUMNS, rows)).removeprefix(head)


def _row(report: ReportExport, term: ExportedTerm) -> tuple[object, ...]:
    findings = [one.finding for one in term.annotations]
    return (
        report.key,
        report.document.title,
        term.terminology,
        term.release,
        term.code,
        term.label,
        "negated" if term.denied else "present",
        term.onset,
        " | ".join(one.quote for one in findings),
        " ".join(f"{one.start}-{one.end}" for one in findings if one.start is not None),
        " ".join(dict.fromkeys(one.origin for one in term.annotations)),
        " ".join(dict.fromkeys(one.annotator for one in term.annotations)),
    )


def _recount(out: Path, reports: Sequence[ReportExport]) -> ReadBack:
    """Read as a spreadsheet does."""
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = [[without_guard(cell) for cell in row] for row in csv.reader(file)][1:]
    meant = [list(map(str, _row(report, term))) for report in reports for term in report.profile]
    kept = sum(one == other for one, other in zip(rows, meant, strict=False))
    lost = [f"{one[0]}: {one[4]}" for one in meant if one not in rows]
    more = [f"{one[0]}: {one[4]}" for one in rows if one not in meant]
    return read_back("the rows of the table", len({row[0] for row in rows}), kept, lost, more)


def _losses(reports: Sequence[ReportExport]) -> Iterator[str]:
    if reports:
        yield "A profile has the terms present and denied; what is uncertain or of a relative is not in it."


FORMAT = Format(
    id="profile",
    label="Profile of terms (CSV)",
    about="One term of a report a row, present or denied, with the words that say so, for a spreadsheet.",
    suffixes=(".csv",),
    write=_write,
    losses=_losses,
    recount=_recount,
    profile=True,
)

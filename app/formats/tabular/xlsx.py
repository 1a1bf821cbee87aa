"""Write annotations as an Excel workbook: a sheet of annotations and one of reports."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from app.formats.format import Format
from app.formats.losses import Lacking, read_back
from app.formats.record import ReadBack, ReportExport, concepts_lost
from app.formats.tabular.csv_table import columns_of, rows_of, terminologies

_REPORT_COLUMNS = ("report", "title", "annotations", "looked_at", "nothing_found")
# What a spreadsheet would run or follow stays the text that it is.
_TEXT_ONLY = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
# Characters that are none in XML.
_UNNAMED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
# Excel's own limit.
_CELL = 32_767


def _write(reports: Sequence[ReportExport]) -> Iterator[bytes]:
    """All at once: a workbook is an archive, which is closed at its end."""
    import pandas as pd

    names = terminologies(reports)
    rows = (row for report in reports for row in rows_of(report, names))
    annotations = pd.DataFrame(rows, columns=columns_of(names))
    # Places are whole numbers or absent; pandas would make decimals of them.
    annotations = annotations.astype({"start": "Int64", "end": "Int64"})
    about = pd.DataFrame(map(_about, reports), columns=_REPORT_COLUMNS)
    book = BytesIO()
    with pd.ExcelWriter(book, engine="xlsxwriter", engine_kwargs={"options": _TEXT_ONLY}) as writer:
        for name, frame in (("annotations", annotations), ("reports", about)):
            cut = frame.map(lambda cell: cell[:_CELL] if isinstance(cell, str) else cell)
            cut.to_excel(writer, sheet_name=name, index=False, freeze_panes=(1, 0))
    yield book.getvalue()


def _recount(path: Path, reports: Sequence[ReportExport]) -> ReadBack:
    """The rows that pandas reads, against those that were to be written."""
    import pandas as pd

    names = terminologies(reports)
    book = pd.read_excel(path, sheet_name=None, keep_default_na=False, dtype=str, engine="openpyxl")
    found = Counter(tuple(map(_cell, row)) for row in book["annotations"].itertuples(index=False))
    expected = Counter(tuple(map(_cell, row)) for report in reports for row in rows_of(report, names))
    missing, unexpected = (expected - found).elements(), (found - expected).elements()
    parts = ([", ".join(row) for row in rows] for rows in (missing, unexpected))
    return read_back("pandas", len(book["reports"]), (expected & found).total(), *parts)


def _cell(value: object) -> str:
    """A cell as Excel gives it back: cut to its limit, with names for the characters that it has none for."""
    text = "" if value is None else str(value)[:_CELL]
    return _UNNAMED.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _about(report: ReportExport) -> tuple[object, ...]:
    found = {annotation.finding.category for annotation in report.annotations}
    nothing = [category for category in report.looked_at if category not in found]
    looked_at = ", ".join(report.looked_at)
    number = len(report.annotations) + len(report.spans)
    return report.key, report.document.title, number, looked_at, ", ".join(nothing)


def _long(reports: Sequence[ReportExport]) -> Iterator[str]:
    long = sum(len(one.finding.quote) > _CELL for report in reports for one in report.annotations)
    if long:
        yield f"Quotes are cut after {_CELL:,} characters, as Excel has it (cells: {long})."
    yield from concepts_lost(reports, "Of concepts the codes are written, without release and label")


FORMAT = Format(
    id="xlsx",
    label="Excel workbook",
    about="A sheet of annotations and one of reports with what was looked at; report texts are not written.",
    suffixes=(".xlsx",),
    write=_write,
    recount=_recount,
    losses=Lacking("Excel", ("texts", "about", "note", "fragments"), _long),
)

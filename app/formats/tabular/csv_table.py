"""Annotations as a table, one a row, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from app.formats.documents.text import decode, text_document
from app.formats.format import Format, first_characters
from app.formats.json_input import broken_off
from app.formats.losses import Lacking
from app.formats.pictures.packages import Payload
from app.formats.plain import one_newline
from app.formats.record import Imported, LeftOut, ReportExport, Span, concepts_lost, pmcid
from app.formats.standoff.places import GivenText, counted_in, outside_notes
from app.messages import licences_in
from app.tables import Table, csv_text, without_guard
from app.text import counted
from extractors.grouping import grouped
from extractors.model.coding import Coding
from extractors.model.document import Document
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES
from extractors.terminology.icd11.tables import CITATION
from extractors.terminology.icd11.tables import NAME as ICD11

COLUMNS = (
    "report", "title", "category", "field", "quote", "start", "end", "grounding", "polarity", "origin",
    "annotator",
)  # fmt: skip
_NEEDED = ("report", "category", "quote")
_CONCEPT = "concept_"
_NAMED_AT_MOST = 10
# Terminologies whose licence wants titles, URIs and the source to stay with codes.
_WHOLE = {ICD11: CITATION}
_WITH_CODE = ("title", "uri", "release", "origin", "source")
_PARTED = "; "
_LICENCE = "licence"


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    """A header and one row per annotation; start and end are empty where a quote has no place.

    An apostrophe goes before cells that a spreadsheet would run.
    """
    names = terminologies(reports)
    under = any(_licence(report) for report in reports)
    columns = (*columns_of(names), *((_LICENCE,) if under else ()))
    head = csv_text(Table(columns, ()))
    yield csv_text(Table(columns, ()), mark=True)
    for report in reports:
        more = (_licence(report),) if under else ()
        rows = tuple((*row, *more) for row in rows_of(report, names))
        yield csv_text(Table(columns, rows)).removeprefix(head)


def _licence(report: ReportExport) -> str:
    """What guards the report, where it is more than terms of use."""
    words = report.document.metadata.get(_LICENCE, "")
    return words if licences_in(words) else ""


def terminologies(reports: Sequence[ReportExport]) -> tuple[str, ...]:
    """The terminologies that annotations have concepts of, by name."""
    given = (one.concepts for report in reports for one in report.annotations)
    others = (one.concepts for report in reports for one in report.spans)
    coded = (coding for concepts in (*given, *others) for coding in concepts)
    return tuple(sorted({coding.terminology for coding in coded}))


def columns_of(names: Sequence[str]) -> tuple[str, ...]:
    """COLUMNS, one for the codes of each terminology, parted by a space, and what must stay with them."""
    whole = (f"{name.lower()}_{column}" for name in names if name in _WHOLE for column in _WITH_CODE)
    return (*COLUMNS, *(f"{_CONCEPT}{name}" for name in names), *whole)


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The annotations of each report that rows name, whose text is in a column "text" or there already.

    Rows need the columns report, category and quote; what others of COLUMNS say is read where they are there.
    """
    text, assumed = decode(payload.data)
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: dict[str, list[dict[str, str]]] = {}
    number = 1
    try:
        head = [name.strip().lower() for name in next(lines, [])]
        if not set(_NEEDED) <= set(head):
            raise FormatError(f"The table has no columns {', '.join(_NEEDED)}.")
        for number, cells in enumerate(lines, start=2):
            if not any(cells):
                continue
            if len(cells) != len(head):
                reason = f"Row {number} has {len(cells)} cells, the head has {len(head)}."
                yield LeftOut(f"{payload.source}#{number}", payload.name, reason, failed=True)
                continue
            row = dict(zip(head, map(without_guard, cells), strict=True))
            rows.setdefault(row["report"].strip(), []).append(row)
    except csv.Error as error:
        reason = f"The table cannot be read from row {number + 1} on ({error})."
        if not rows:
            raise FormatError(reason) from None
        yield broken_off(payload, reason, number - 1)
    for key, own in rows.items():
        # Rows without a text are of the first.
        first = next(filter(None, map(_text, own)), "")
        for given, these in grouped((_text(row) or first, row) for row in own).items():
            yield _report(key, given, these, payload, digest, categories, assumed)


def _report(
    key: str,
    given: str,
    rows: Sequence[Mapping[str, str]],
    payload: Payload,
    digest: str,
    categories: Sequence[str],
    assumed: Sequence[str],
) -> Imported:
    notes = list(assumed)
    stated = [(_number(row, "start"), _number(row, "end"), row["quote"]) for row in rows]
    text = counted_in(given, stated, "characters", notes)
    title = next((row["title"] for row in rows if row.get("title")), "")
    document = (
        text_document(text.text, key, categories, title)
        if given
        else Document(title or key, "", (), {"pmcid": pmcid(key)})
    )
    if words := next((row[_LICENCE] for row in rows if row.get(_LICENCE)), ""):
        document = replace(document, metadata={**document.metadata, _LICENCE: words})
    spans = tuple(_span(row, text if given else None) for row in rows if row["category"].strip())
    if given:
        notes += outside_notes(_span(row, text) for row in rows if row.get("start"))
    return Imported(document, f"{payload.source}#{key}", digest, None, tuple(notes), spans=spans, key=key)


def _text(row: Mapping[str, str]) -> str:
    return row["text"] if row.get("text", "").strip() else ""


def _number(row: Mapping[str, str], name: str) -> int | None:
    cell = row.get(name, "")
    return int(cell) if cell.isdecimal() else None


def _span(row: Mapping[str, str], text: GivenText | None) -> Span:
    start, end = _number(row, "start"), _number(row, "end")
    place = None
    if start is not None and end is not None:
        place = text.place(start, end) if text else (start, end) if start < end else None
    polarity = next((one for one in POLARITIES if one == row.get("polarity")), None)
    concepts = tuple(
        Coding(name.removeprefix(_CONCEPT).upper(), _release(row, name), code, "", "", "imported")
        for name, cell in row.items()
        if name.startswith(_CONCEPT)
        for code in cell.split()
    )
    label, quote = row["category"].strip(), one_newline(row["quote"])
    return Span(label, quote, place, (), polarity, {}, row.get("field", ""), "", concepts)


def _release(row: Mapping[str, str], column: str) -> str:
    """The one release that all codes of a cell are of, where the row says so."""
    there = set(row.get(f"{column.removeprefix(_CONCEPT)}_release", "").split(_PARTED))
    return there.pop() if len(there) == 1 else ""


def _detect(data: bytes) -> int:
    """Its first line has the columns that are needed."""
    head = first_characters(data).partition("\n")[0].lower()
    return 3 * (set(_NEEDED) <= {name.strip().strip('"') for name in head.split(",")})


def silent_reports(reports: Sequence[ReportExport]) -> Iterator[str]:
    """A sentence on reports that a table of annotations has no row for."""
    silent = [report.key for report in reports if not (report.annotations or report.spans)]
    if silent:
        more = f" and {len(silent) - _NAMED_AT_MOST} more" if len(silent) > _NAMED_AT_MOST else ""
        words = f"{counted(len(silent), 'report')} without annotations"
        yield f"No row for {words}: {', '.join(silent[:_NAMED_AT_MOST])}{more}."


def _silent(reports: Sequence[ReportExport]) -> Iterator[str]:
    yield from silent_reports(reports)
    if set(terminologies(reports)) - set(_WHOLE):
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
            *_coded(annotation.concepts, names),
        )
    for span in report.spans:
        start, end = span.place or (None, None)
        values = (span.label, span.field, span.quote, start, end, "", span.polarity or "", "imported")
        yield (report.key, report.document.title, *values, report.annotator, *_coded(span.concepts, names))


def _coded(concepts: Sequence[Coding], names: Sequence[str]) -> Iterator[str]:
    """The codes of each terminology, then what must stay with them."""
    own = {name: [one for one in concepts if one.terminology == name] for name in names}
    for name in names:
        yield " ".join(one.code for one in own[name])
    for name in names:
        if name in _WHOLE:
            for given in (
                [one.label for one in own[name]],
                [one.uri for one in own[name]],
                [one.release for one in own[name]],
                [one.origin for one in own[name]],
                [_WHOLE[name].format(release=one) for one in dict.fromkeys(one.release for one in own[name])],
            ):
                yield _PARTED.join(given)


FORMAT = Format(
    id="csv",
    label="CSV table",
    about="One annotation a row, for a spreadsheet or statistics; report texts are not written.",
    suffixes=(".csv",),
    detect=_detect,
    read=_read,
    write=_write,
    losses=Lacking("CSV", ("texts", "about", "note", "fragments", "nothing", "silent"), _silent),
    carries=True,
)

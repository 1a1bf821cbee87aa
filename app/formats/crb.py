"""Read and write CaseReportBench JSON: reports with their quotes by category."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.formats.documents.builder import BLOCK, TextBuilder
from app.formats.documents.text import decode, find_sections
from app.formats.format import Format, is_json
from app.formats.json_input import as_object, broken_off, exact_text, parse_records, quotes_of, scalar
from app.formats.losses import Lacking
from app.formats.pictures.packages import Payload
from app.formats.plain import title_line, whole_characters
from app.formats.record import Imported, LeftOut, ReportExport, Span, pmcid
from app.text import counted
from extractors.model.document import Document, Section
from extractors.model.errors import FormatError

_IDENTIFIERS = ("pmcid", "pmid", "doi")
_METADATA = ("journal", "date", "licence", "language")
_OWN_KEYS = frozenset({*_IDENTIFIERS, *_METADATA, "title", "case", "text"})
_SHOWN = 80
# Between the headings of a section whose own heading stands elsewhere, too.
_BELOW = " > "
_MAX_DEPTH = 50
_RECORD = '{"pmcid", "title", "case", ...}'


def read_payload(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The records of a file (a list, or one object); a malformed one is left out by its number."""
    text, assumed = decode(payload.data)
    data, fault = parse_records(text)
    records = _records(data)
    for number, record in enumerate(records, start=1):
        source = f"{payload.source}#{number}"
        notes = list(assumed)
        try:
            document, quotes = _report(record, f"{payload.name} {number}", categories, notes)
            spans = _spans(record, categories)
        except FormatError as error:
            title = record.get("title") if isinstance(record, dict) else None
            reason = f"Record {number}: {error}"
            yield LeftOut(source, title if isinstance(title, str) else payload.name, reason, failed=True)
        else:
            yield Imported(document, source, digest, quotes, tuple(notes), spans=spans)
    if fault:
        yield broken_off(payload, fault, len(records))


def _labels(record: Mapping[str, Any], categories: Sequence[str]) -> list[str]:
    """Keys that are no category's and have a list of quotes."""
    return [
        key
        for key, value in record.items()
        if key not in _OWN_KEYS
        and key not in categories
        and isinstance(value, list)
        and value
        and all(isinstance(quote, str) for quote in value)
    ]


def _spans(record: object, categories: Sequence[str]) -> tuple[Span, ...] | None:
    """The quotes under labels that the scheme lacks; None where there is none."""
    if not isinstance(record, dict):
        return None
    found = [
        Span(key, exact_text(quote, key)) for key in _labels(record, categories) for quote in record[key]
    ]
    return tuple(found) or None


def _records(data: object) -> list[object]:
    if isinstance(data, dict) and {"case", "text", "pmcid"} & data.keys():
        return [data]
    if not isinstance(data, list):
        raise FormatError(f"The JSON is no list of CaseReportBench records ({_RECORD}).")
    return data


def _report(
    value: object, name: str, categories: Sequence[str], notes: list[str]
) -> tuple[Document, Mapping[str, tuple[str, ...]] | None]:
    """Document and quotes (None where no category was looked at) of one record; adds to `notes`."""
    record = as_object(value, f"the record {_RECORD}")
    quotes = {key: quotes_of(record[key], key, notes) for key in categories if key in record}
    identifiers = _scalars(record, _IDENTIFIERS, notes)
    if "pmcid" in identifiers:
        identifiers["pmcid"] = pmcid(identifiers["pmcid"])
    metadata = {**_scalars(record, _METADATA, notes), "article_type": "case-report"}
    title = title_line(scalar(record.get("title") or "", "title", notes))
    text, sections = _text(record, categories, notes)
    if not text and not quotes:
        raise FormatError("there is neither a text nor a quote in it.")
    if not text and not identifiers.get("pmcid"):
        raise FormatError('it has no text, and no "pmcid" that says which report its quotes are from.')
    strange = sorted(set(record) - _OWN_KEYS - set(categories) - set(_labels(record, categories)))
    notes += [f"Unknown key {key!r}: {_shown(record[key])}" for key in strange]
    title = title or identifiers.get("pmcid") or name
    return Document(title, text, sections, identifiers, metadata), quotes if quotes else None


def _scalars(record: Mapping[str, Any], keys: Sequence[str], notes: list[str]) -> dict[str, str]:
    return {key: scalar(record[key], key, notes) for key in keys if record.get(key) is not None}


def _text(
    record: Mapping[str, Any], categories: Sequence[str], notes: list[str]
) -> tuple[str, tuple[Section, ...]]:
    """Text and sections out of "case" (headings to texts) or "text"."""
    case, plain = record.get("case"), record.get("text")
    if isinstance(case, str):
        case, plain = None, case
    if plain is not None and not isinstance(plain, str):
        raise FormatError('"text" must be a text.')
    if case is not None:
        builder = TextBuilder(categories)
        _add_case(builder, as_object(case, '"case" (headings to texts)'), ())
        text, sections = builder.finish()
        if text:
            if plain:
                notes.append('"text" was not used, as there is "case".')
            return text, sections
    text = exact_text(plain or "", "text")
    return (text, find_sections(text, categories)) if text.strip() else ("", ())


def _add_case(builder: TextBuilder, case: Mapping[str, Any], path: tuple[str, ...], depth: int = 1) -> None:
    if depth > _MAX_DEPTH:
        raise FormatError(f'"case" has more than {_MAX_DEPTH} headings within each other.')
    for key, value in case.items():
        heading = title_line(exact_text(key, "case"))
        *above, last = heading.split(_BELOW)
        told = bool(above) and not {above[-1], _BELOW.join(above)}.isdisjoint(case)
        below = (*path, *above, last) if told else (*path, heading) if heading else path
        heading = last if told else heading
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = BLOCK.join(value)
        if value is not None and not isinstance(value, str | dict):
            raise FormatError(f'the text under "case" > {key!r} must be a text.')
        if heading:
            builder.enter(heading, below)
        if isinstance(value, dict):
            _add_case(builder, as_object(value, f"what is under {key!r}"), below, depth + 1)
        elif value and value.strip():
            builder.add(exact_text(value, key).strip("\n"))


def _shown(value: object) -> str:
    text = whole_characters(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    """A list of records; a category that was looked at without finding anything has an empty list."""
    for number, report in enumerate(reports):
        record = json.dumps([_record(report)], ensure_ascii=False, indent=1)
        yield ("," if number else "[") + record.removeprefix("[").removesuffix("\n]")
    yield "\n]\n" if reports else "[]\n"


def _more(reports: Sequence[ReportExport]) -> Iterator[str]:
    incomplete = sum(
        annotation.finding.category not in report.looked_at
        for report in reports
        for annotation in report.annotations
    )
    if incomplete:
        yield (
            f"Quotes in categories that are not complete are not written, since the format would call them "
            f"complete ({incomplete})."
        )
    keyed = sum(span.label in _OWN_KEYS for report in reports for span in report.spans)
    if keyed:
        which = counted(keyed, "quote")
        yield f"Not written: {which} under names of a record's own keys, such as title or date."
    if any(report.document.metadata for report in reports):
        yield "Journal, date and what else is known of the reports is not written, only title and numbers."
    respaced = sum(_comes_back(one.document) not in ("", one.document.text) for one in reports)
    if respaced:
        which = counted(respaced, "report")
        yield f"The text of {which} stands by headings and comes back with other line ends."
    unnumbered = sum("pmcid" not in report.document.identifiers for report in reports)
    if unnumbered:
        which = "1 report has" if unnumbered == 1 else f"{unnumbered} reports have"
        yield f"{which} no PMC number and the short name instead."


def _comes_back(document: Document) -> str:
    """The text as it is read again from its headings, "" where it has none."""
    case = _case(document)
    return _text({"case": case}, (), [])[0] if case else ""


def _record(report: ReportExport) -> dict[str, object]:
    document = report.document
    record: dict[str, object] = {
        "pmcid": document.identifiers.get("pmcid", report.key),
        "title": document.title,
    }
    record.update({key: document.identifiers[key] for key in ("pmid", "doi") if key in document.identifiers})
    case = _case(document)
    record.update({"case": case} if case else {"text": document.text})
    quotes: dict[str, list[str]] = {category: [] for category in report.looked_at}
    for annotation in report.annotations:
        if annotation.finding.category in quotes:
            quotes[annotation.finding.category].append(annotation.finding.quote)
    for span in report.spans:
        if span.label not in _OWN_KEYS:
            quotes.setdefault(span.label, []).append(span.quote)
    return {**record, **quotes}


def _case(document: Document) -> dict[str, str]:
    """Texts by heading; by the whole path where a heading is repeated. Empty without headings."""
    paths: dict[str, set[tuple[str, ...]]] = {}
    for section in document.sections:
        paths.setdefault(section.heading, set()).add(section.path)
    if set(paths) <= {""}:
        return {}
    case: dict[str, str] = {}
    for section in document.sections:
        key = section.heading if len(paths[section.heading]) == 1 else _BELOW.join(section.path)
        body = document.text[section.start : section.end].removeprefix(section.heading).strip("\n")
        case[key] = f"{case[key]}{BLOCK}{body}" if case.get(key) else body
    return case


def _detect(data: bytes) -> int:
    return 2 * is_json(data)


FORMAT = Format(
    id="crb",
    label="CaseReportBench JSON",
    about="Quotes by category, as the benchmark has them; places are not written.",
    suffixes=(".json",),
    detect=_detect,
    read=read_payload,
    write=_write,
    losses=Lacking(
        "CaseReportBench JSON",
        ("places", "origin", "polarity", "field", "note", "concept", "fragments"),
        _more,
    ),
    carries=True,
)

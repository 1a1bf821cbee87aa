"""Read and write CaseReportBench JSON: reports with their quotes by category."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.formats.builder import BLOCK, TextBuilder
from app.formats.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, pmcid
from app.formats.text import decode, find_sections
from app.formats.writing import write_atomically
from extractors.document import Document
from extractors.errors import FormatError

_IDENTIFIERS = ("pmcid", "pmid", "doi")
_METADATA = ("journal", "date", "licence", "language")
_OWN_KEYS = frozenset({*_IDENTIFIERS, *_METADATA, "title", "case", "text"})
_SHOWN = 80


def read_payload(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The records of a file (a list, or one object); a malformed one is left out by its number."""
    text, notes = decode(payload.data)
    records = _records(text)
    for number, record in enumerate(records, start=1):
        source = f"{payload.source}#{number}"
        try:
            document, quotes, own_notes = _report(record, f"{payload.name} {number}", categories)
        except FormatError as error:
            title = record.get("title") if isinstance(record, dict) else None
            reason = f"Record {number}: {error}"
            yield LeftOut(source, title if isinstance(title, str) else payload.name, reason, failed=True)
        else:
            yield Imported(document, source, digest, quotes, notes + own_notes)


def _records(text: str) -> list[Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FormatError(f"The file is not valid JSON ({place}: {error.msg}).") from None
    except RecursionError:
        raise FormatError("The JSON is nested too deeply to be read.") from None
    if isinstance(data, dict) and {"case", "text", "pmcid"} & data.keys():
        return [data]
    if not isinstance(data, list):
        raise FormatError('The JSON is no list of CaseReportBench records ({"pmcid", "title", "case", ...}).')
    return data


def _report(
    record: object, name: str, categories: Sequence[str]
) -> tuple[Document, Mapping[str, tuple[str, ...]] | None, tuple[str, ...]]:
    """Document, quotes (None where no category was looked at) and notes of one record."""
    if not isinstance(record, dict):
        raise FormatError('it must be an object {"pmcid", "title", "case", ...}.')
    quotes = {key: _quotes(key, record[key]) for key in categories if key in record}
    identifiers = {key: _scalar(key, record[key]) for key in _IDENTIFIERS if record.get(key) is not None}
    if "pmcid" in identifiers:
        identifiers["pmcid"] = pmcid(identifiers["pmcid"])
    metadata = {key: _scalar(key, record[key]) for key in _METADATA if record.get(key) is not None}
    metadata["article_type"] = "case-report"
    title = _scalar("title", record.get("title") or "").strip() or identifiers.get("pmcid") or name
    text, sections, notes = _text(record, categories)
    if not text and not any(quotes.values()):
        raise FormatError("there is neither a text nor a quote in it.")
    strange = sorted(key for key in record if key not in _OWN_KEYS and key not in categories)
    notes += tuple(f"Unknown key {key!r}: {_shown(record[key])}" for key in strange)
    return Document(title, text, sections, identifiers, metadata), quotes if quotes else None, notes


def _text(record: Mapping[str, Any], categories: Sequence[str]) -> tuple[str, Any, tuple[str, ...]]:
    """Text and sections out of "case" (headings to texts) or "text"."""
    case, plain = record.get("case"), record.get("text")
    if isinstance(case, str):
        case, plain = None, case
    if case is not None and not isinstance(case, dict):
        raise FormatError('"case" must map headings to texts.')
    if plain is not None and not isinstance(plain, str):
        raise FormatError('"text" must be a text.')
    if case:
        builder = TextBuilder(categories)
        _add_case(builder, case, ())
        text, sections = builder.finish()
        if text:
            return text, sections, ('"text" was not used, as there is "case".',) if plain else ()
    text = _clean(plain or "", "text")
    return text, find_sections(text, categories) if text else (), ()


def _add_case(builder: TextBuilder, case: Mapping[str, Any], path: tuple[str, ...]) -> None:
    for key, value in case.items():
        heading = " ".join(_clean(key, "case").split())
        below = (*path, heading) if heading else path
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = BLOCK.join(value)
        if value is not None and not isinstance(value, str | dict):
            raise FormatError(f'the text under "case" > {key!r} must be a text.')
        if heading:
            builder.enter(heading, below)
        if isinstance(value, dict):
            _add_case(builder, value, below)
        elif value and value.strip():
            builder.add(_clean(value, key).strip("\n"))


def _quotes(key: str, value: object) -> tuple[str, ...]:
    """Quotes of one category: a list, a single one, or null for none."""
    values = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(quote, str) for quote in values):
        raise FormatError(f"{key!r} must be a list of quotes.")
    return tuple(_clean(quote, key) for quote in values if quote.strip())


def _scalar(key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise FormatError(f"{key!r} must be a text or a number.")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _clean(str(value), key)


def _clean(text: str, key: str) -> str:
    """`text` with one newline per line end; JSON may hold half characters, which no file can."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise FormatError(f"{key!r} holds half a character (a lone surrogate).") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def write_crb(path: Path, reports: Sequence[ReportExport]) -> None:
    """Write a list of records; a category that was looked at without finding anything has an empty list.

    Kept: text by headings, quotes in order. Dropped, as the format has no place for them: offsets, fields,
    polarity.
    """
    records = [_record(report) for report in reports]
    write_atomically(path, json.dumps(records, ensure_ascii=False, indent=1) + "\n")


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
        quotes.setdefault(annotation.finding.category, []).append(annotation.finding.quote)
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
        key = section.heading if len(paths[section.heading]) == 1 else " > ".join(section.path)
        body = document.text[section.start : section.end].removeprefix(section.heading).strip("\n")
        case[key] = f"{case[key]}{BLOCK}{body}" if case.get(key) else body
    return case

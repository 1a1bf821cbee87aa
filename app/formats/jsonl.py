"""Write and read JSON Lines: one report a line, with its text, sections and annotated spans."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, get_args

from app.formats.documents.text import find_sections
from app.formats.format import Format, first_object
from app.formats.json_input import as_object, exact_text, quotes_of, read_lines, scalar
from app.formats.pictures.packages import Payload
from app.formats.plain import has_half_characters, without_controls
from app.formats.record import (
    ExportedAnnotation,
    GivenRegion,
    Imported,
    LeftOut,
    QuoteDetails,
    ReportExport,
    Span,
    pmcid,
)
from app.formats.standoff.places import GivenText, counted_in, outside_notes
from app.text import counted
from extractors.model.coding import Coding
from extractors.model.document import Document, Section, SectionRole
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES
from extractors.terminology.icd11.tables import CITATION
from extractors.terminology.icd11.tables import NAME as ICD11

_ROLES = get_args(SectionRole)
_CONCEPT = ("terminology", "release", "code", "label", "uri", "onset")


def read_payload(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of each line; a malformed one is left out by its number.

    Quotes are taken by category in their order, with the place, polarity and field that the line gives them;
    their origin is not.
    """

    def report(record: dict[str, Any], source: str, notes: list[str]) -> Imported:
        text = _given(record, notes)
        document, quotes, details = _report(record, text, payload.name, categories, notes)
        spans = _spans(record, categories, text)
        rest = as_object(record.get("rest") or {}, '"rest"')
        key = str(record.get("id") or "")
        about, regions = _concepts(record), _regions(record, text, notes)
        own = (quotes, tuple(notes), details, "", spans, rest, key)
        named = [one for one in _listed(record, "aliases") if isinstance(one, str)]
        aliases = tuple(one for one in named if not has_half_characters(one))
        _, cut = text.place(0, record.get("cut")) or (0, 0)
        return Imported(
            document, source, digest, *own, concepts=about, aliases=aliases, cut=cut, regions=regions
        )

    return read_lines(payload, report)


def _regions(record: Mapping[str, Any], text: GivenText, notes: list[str]) -> tuple[GivenRegion, ...]:
    """The boxes of a line with the quotes that they go with; a note counts those not understood."""
    given, quotes, found = _listed(record, "regions"), _listed(record, "annotations"), []
    for one in given:
        match one:
            case {
                "figure": str(figure), "picture": str(picture), "category": str(category),
                "x": int(x), "y": int(y), "width": int(width), "height": int(height),
            }:  # fmt: skip
                words = [str(one.get(key) or "") for key in ("finding", "note")]
                if any(map(has_half_characters, (figure, picture, category, *words))):
                    continue
                at, span = one.get("span"), None
                if type(at) is int and 0 <= at < len(quotes):
                    to = quotes[at]
                    span = (str(to.get("category")), str(to.get("quote")), _quote_details(to, text).place)
                box = (x, y, width, height)
                found.append(GivenRegion(figure, picture, box, category, words[0], words[1], span))
    if len(found) < len(given):
        number = counted(len(given) - len(found), "region")
        notes.append(f"{number} without a picture, a box or a category not taken over.")
    return tuple(found)


def _spans(record: Mapping[str, Any], categories: Sequence[str], text: GivenText) -> tuple[Span, ...] | None:
    """The annotations under labels that the scheme lacks; None where there is none."""
    given = [as_object(one, 'an entry of "spans"') for one in _listed(record, "spans")]
    others = [as_object(one, 'an entry of "annotations"') for one in _listed(record, "annotations")]
    strange = [
        _span(scalar(entry.get(key), key, []), entry, text)
        for key, entries in (("label", given), ("category", others))
        for entry in entries
        if key == "label" or entry.get(key) not in categories
    ]
    return tuple(strange) or None


def _listed(record: Mapping[str, Any], key: str) -> list[Any]:
    value = record.get(key) or []
    if not isinstance(value, list):
        raise FormatError(f'"{key}" must be a list.')
    return value


def _span(label: str, entry: Mapping[str, Any], text: GivenText) -> Span:
    """The annotation of an entry, with what came along with it in another file."""
    details, quote, own = _quote_details(entry, text), entry.get("quote"), entry.get("own")
    quote = exact_text(quote, "quote") if isinstance(quote, str) else ""
    parts = tuple(_place(one, text) for one in _listed(entry, "fragments") if isinstance(one, list))
    fragments = tuple(one for one in parts if one is not None)
    own = own if isinstance(own, dict) else {}
    return Span(
        label,
        quote,
        details.place,
        fragments,
        details.polarity,
        own,
        details.field,
        details.note,
        details.concepts,
    )


def _given(record: Mapping[str, Any], notes: list[str]) -> GivenText:
    """The text of a line, whose offsets count what its quotes show."""
    given = record.get("text")
    if not isinstance(given, str) or not given.strip():
        raise FormatError('"text" must be the text of a report.')
    entries = (*_listed(record, "annotations"), *_listed(record, "spans"))
    listed = [one for one in entries if isinstance(one, dict) and one.get("start") is not None]
    stated = [(one["start"], one.get("end"), one.get("quote")) for one in listed]
    text = counted_in(given, stated, "characters", notes)
    notes += outside_notes(Span("", "", text.place(start, end)) for start, end, _ in stated)
    return text


def _report(
    record: Mapping[str, Any], given: GivenText, name: str, categories: Sequence[str], notes: list[str]
) -> tuple[Document, Mapping[str, tuple[str, ...]] | None, Mapping[str, tuple[QuoteDetails, ...]]]:
    """Document, quotes (None where no category was looked at) and what is said of them; adds to `notes`."""
    text = given.text
    title = scalar(record.get("title") or record.get("id") or name, "title", notes)
    identifiers = _mapping(record, "identifiers", notes)
    if "pmcid" in identifiers:
        identifiers["pmcid"] = pmcid(identifiers["pmcid"])
    sections = _sections(record.get("sections"), text, categories)
    if not sections:
        notes.append("Its sections are missing or do not fit its text; they were found anew.")
        sections = find_sections(text, categories)
    document = Document(title, text, sections, identifiers, _mapping(record, "metadata", notes))
    return document, *_quotes(record, categories, notes, given)


def _mapping(record: Mapping[str, Any], key: str, notes: list[str]) -> dict[str, str]:
    values = as_object(record.get(key) or {}, repr(key))
    return {scalar(name, key, notes): scalar(value, name, notes) for name, value in values.items()}


def _sections(value: object, text: str, categories: Sequence[str]) -> tuple[Section, ...]:
    """The sections of a line, none where they are malformed or do not tile `text`."""
    if not isinstance(value, list):
        return ()
    try:
        sections = tuple(_section(entry, categories) for entry in value)
    except (TypeError, KeyError, ValueError):
        return ()
    end = 0
    for section in sections:
        if not section.start == end < section.end:
            return ()
        end = section.end
    return sections if end == len(text) else ()


def _section(entry: Mapping[str, Any], categories: Sequence[str]) -> Section:
    """A section, with all categories where it has none of those here; raises what a malformed one raises."""
    heading, path, reason = entry["heading"], tuple(entry["path"]), entry["reason"]
    start, end, role = entry["start"], entry["end"], entry["role"]
    if not isinstance(start, int) or not isinstance(end, int) or role not in _ROLES:
        raise ValueError("no place or no role")
    if any(has_half_characters(string) for string in (heading, reason, *path)):
        raise ValueError("half a character")
    own = tuple(category for category in categories if category in entry["categories"])
    path = tuple(without_controls(part) for part in path)
    return Section(without_controls(heading), path, start, end, own or tuple(categories), role, reason)


def _quotes(
    record: Mapping[str, Any], categories: Sequence[str], notes: list[str], text: GivenText
) -> tuple[dict[str, tuple[str, ...]] | None, dict[str, tuple[QuoteDetails, ...]]]:
    """Quotes by category, those looked at and those with annotations, and what is said of each."""
    looked_at, annotations = _listed(record, "looked_at"), _listed(record, "annotations")
    found: dict[str, list[dict[str, Any]]] = {
        scalar(category, "looked_at", notes): [] for category in looked_at
    }
    for value in annotations:
        entry = as_object(value, 'an entry of "annotations"')
        found.setdefault(scalar(entry.get("category"), "category", notes), []).append(entry)
    if "looked_at" in record:
        for incomplete in [key for key in found if key in categories and key not in looked_at]:
            lost = len(found.pop(incomplete))
            notes.append(f"{incomplete} is not complete in the file: its quotes ({lost}) are not taken over.")
    quotes = {
        key: quotes_of([entry.get("quote") for entry in found[key]], key, notes)
        for key in categories
        if key in found
    }
    values = {
        key: tuple(
            _along(_quote_details(entry, text), _span(key, entry, text))
            for entry in found[key]
            if entry["quote"].strip()
        )
        for key in quotes
    }
    return quotes or None, values


def _along(details: QuoteDetails, span: Span) -> QuoteDetails:
    return replace(details, span=span) if span.own or span.fragments else details


def _quote_details(entry: Mapping[str, Any], text: GivenText) -> QuoteDetails:
    """What an entry says of its quote as far as it can be understood, in the text as it is kept."""
    place = _place((entry.get("start"), entry.get("end")), text)
    polarity = next((one for one in POLARITIES if one == entry.get("polarity")), None)
    field, note = (text if isinstance(text, str) else "" for text in (entry.get("field"), entry.get("note")))
    return QuoteDetails(place, polarity, field, _concepts(entry), note)


def _place(given: Sequence[object], text: GivenText) -> tuple[int, int] | None:
    """Start and end, as a line has them, in the text as it is kept; None for anything else."""
    match given:
        case [int(start), int(end)]:
            return text.place(start, end)
    return None


def _concepts(entry: Mapping[str, Any]) -> tuple[Coding, ...]:
    """The concepts of an entry, as far as each names a terminology and a code."""
    given = entry.get("concepts")
    found = []
    for one in given if isinstance(given, list) else ():
        values = {key: one.get(key) for key in _CONCEPT} if isinstance(one, dict) else {}
        words = {key: value if isinstance(value, str) else "" for key, value in values.items()}
        if (
            words.get("terminology")
            and words.get("code")
            and not any(map(has_half_characters, words.values()))
        ):
            found.append(
                Coding(**{key: without_controls(value) for key, value in words.items()}, origin="imported")
            )
    return tuple(found)


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    """One object per report; offsets are code points of "text", null where a quote has no place.

    Raises FormatError where a span is outside of its text.
    """
    for report in reports:
        yield json.dumps(_line(report), ensure_ascii=False) + "\n"


def _line(report: ReportExport) -> dict[str, object]:
    document = report.document
    return {
        "id": report.key,
        "title": document.title,
        "text": document.text,
        "sections": [asdict(section) for section in document.sections],
        "annotations": [_annotation(annotation, len(document.text)) for annotation in report.annotations],
        "identifiers": dict(document.identifiers),
        "metadata": dict(document.metadata),
        "looked_at": list(report.looked_at),
        **({"concepts": list(map(_concept, report.concepts))} if report.concepts else {}),
        **({"aliases": list(report.aliases)} if report.aliases else {}),
        **({"cut": report.cut} if report.cut else {}),
        **({"spans": [_span_entry(one) for one in report.spans]} if report.spans else {}),
        **({"rest": dict(report.rest)} if report.rest else {}),
        **({"regions": list(map(dict, report.regions))} if report.regions else {}),
    }


def _annotation(annotation: ExportedAnnotation, length: int) -> dict[str, object]:
    finding = annotation.finding
    if (
        finding.start is not None
        and finding.end is not None
        and not 0 <= finding.start <= finding.end <= length
    ):
        raise FormatError(
            f"The span {finding.start}-{finding.end} of {finding.quote!r} is outside of the text."
        )
    return {
        "category": finding.category,
        "field": finding.field,
        "quote": finding.quote,
        "start": finding.start,
        "end": finding.end,
        "grounding": finding.grounding,
        "polarity": finding.polarity,
        "origin": annotation.origin,
        "annotator": annotation.annotator,
        **({"source": json.loads(annotation.source)} if annotation.source else {}),
        **({"concepts": list(map(_concept, annotation.concepts))} if annotation.concepts else {}),
        **({"note": annotation.note} if annotation.note else {}),
        **(_came_along(annotation.span) if annotation.span else {}),
    }


def _span_entry(span: Span) -> dict[str, object]:
    start, end = span.place or (None, None)
    values = {"field": span.field, "note": span.note, "polarity": span.polarity}
    given = {key: value for key, value in values.items() if value}
    return {
        "label": span.label,
        "quote": span.quote,
        "start": start,
        "end": end,
        **given,
        **({"concepts": list(map(_concept, span.concepts))} if span.concepts else {}),
        **_came_along(span),
    }


def _came_along(span: Span) -> dict[str, object]:
    """What other programs' files say of an annotation and no annotation here has a place for."""
    fragments = [list(one) for one in span.fragments]
    return {key: value for key, value in (("fragments", fragments), ("own", dict(span.own))) if value}


def _concept(coding: Coding) -> dict[str, str]:
    values = asdict(coding)
    if coding.terminology == ICD11:
        values["source"] = CITATION.format(release=coding.release)
    return values if coding.onset else {key: value for key, value in values.items() if key != "onset"}


def _detect(data: bytes) -> int:
    """Its first line is an object with annotations, as they are written here."""
    return 3 * ("annotations" in first_object(data))


FORMAT = Format(
    id="jsonl",
    label="JSON lines",
    made_by="as Casespan exports them",
    about="One report a line with all there is; of gold an import takes only categories that are complete.",
    suffixes=(".jsonl",),
    detect=_detect,
    read=read_payload,
    write=_write,
    carries=True,
)

"""doccano's JSON Lines: a text a line, with labels; offsets are UTF-16 units, as browsers count."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.formats.documents.text import text_document
from app.formats.format import Format, first_object
from app.formats.json_input import as_object, read_lines, words
from app.formats.losses import Lack, Lacking
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.formats.standoff.places import GivenText, counted_in, joined, outside_notes, placed
from app.text import Offsets
from extractors.model.errors import FormatError

_WRITTEN = ("id", "key", "title", "text", "label", "labels", "entities", "Comments", "comments")

_LOST: tuple[Lack, ...] = (
    "about", "origin", "unplaced", "polarity", "field", "note", "concept",
    "fragments", "own words", "nothing",
)  # fmt: skip


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of each line, labels in any of the shapes that doccano's versions write."""

    def report(record: dict[str, Any], source: str, notes: list[str]) -> Imported:
        given = record.get("text")
        if not isinstance(given, str) or not given.strip():
            raise FormatError('"text" must be the text of a report.')
        labels = [_label(one) for one in _labels(record)]
        # Of what this program wrote it is known.
        stated = [(start, end, None) for start, end, *_ in labels if "key" not in record]
        text = counted_in(given, stated, "UTF-16 units", notes)
        if Offsets(text.text).units > len(text.text) and not notes:
            notes.append(
                "Its text has characters such as emoji; offsets are taken for doccano's UTF-16 units."
            )
        spans = [_span(one, text) for one in labels]
        notes += outside_notes(spans)
        key = str(record.get("key") or record.get("id") or "")
        title = words(record.get("title"))
        document = text_document(text.text, payload.name, categories, title)
        rest = {name: value for name, value in record.items() if name not in _WRITTEN}
        comments = record.get("Comments") or record.get("comments")
        rest |= {"Comments": comments} if comments else {}
        own = {FORMAT.id: rest} if rest else {}
        return Imported(document, source, digest, None, tuple(notes), {}, "", tuple(spans), own, key)

    return joined(read_lines(payload, report))


def _labels(record: Mapping[str, Any]) -> list[Any]:
    """Labels as lists [start, end, label], or as objects with offsets."""
    for key in ("entities", "label", "labels"):
        value = record.get(key)
        if value:
            if not isinstance(value, list):
                raise FormatError(f'"{key}" must be a list of labels.')
            return value
    return []


def _label(entry: object) -> tuple[object, object, str, dict[str, Any]]:
    match entry:
        case [start, end, str(label)]:
            return start, end, label, {}
        case {"start_offset": start, "end_offset": end, "label": str(label)}:
            own = {key: value for key, value in as_object(entry, "an entity").items() if key == "id"}
            return start, end, label, own
    raise FormatError("a label must be [start, end, name], or an object with these.")


def _span(given: tuple[object, object, str, dict[str, Any]], text: GivenText) -> Span:
    start, end, label, own = given
    place = text.place(start, end)
    return Span(label, text.words(place), place, own={FORMAT.id: own} if own else {})


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    for number, report in enumerate(reports, start=1):
        yield json.dumps(_line(report, number), ensure_ascii=False) + "\n"


def _line(report: ReportExport, number: int) -> dict[str, object]:
    units, before = Offsets(report.document.text), dict(report.rest.get(FORMAT.id, {}))
    found = placed(report)
    document = report.document
    line: dict[str, object] = {
        "id": number,
        "key": report.key,
        "title": document.title,
        "text": document.text,
    }
    places = [[units.to_utf16(edge) for edge in one.place] for one in found]
    if "relations" in before:
        # Relations speak of entities by their numbers.
        given = [one.span.own.get(FORMAT.id, {}).get("id") if one.span else None for one in found]
        free = max((one for one in given if isinstance(one, int)), default=0)
        line["entities"] = [
            {
                "id": free + place if own is None else own,
                "label": one.label,
                "start_offset": a,
                "end_offset": b,
            }
            for place, (one, own, (a, b)) in enumerate(zip(found, given, places, strict=True), start=1)
        ]
    else:
        line["label"] = [[a, b, one.label] for one, (a, b) in zip(found, places, strict=True)]
    return {**line, "Comments": [], **{key: value for key, value in before.items() if key not in line}}


def _detect(data: bytes) -> int:
    """Its first line is an object with labels as lists, or with entities."""
    first = first_object(data)
    if not isinstance(first.get("text"), str):
        return 0
    given = (first.get(key) for key in ("entities", "label", "labels"))
    found = next((one for one in given if isinstance(one, list)), None)
    return 0 if found is None else 3 if found or "Comments" in first else 2


FORMAT = Format(
    id="doccano",
    label="doccano JSON lines",
    made_by="sequence labels of doccano",
    about="A text a line with its labels, for doccano; polarity, fields and notes are not written.",
    suffixes=(".jsonl",),
    detect=_detect,
    read=_read,
    write=_write,
    losses=Lacking("doccano", _LOST, keeps="doccano"),
    carries=True,
)

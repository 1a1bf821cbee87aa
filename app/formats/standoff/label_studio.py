"""Label Studio's JSON: tasks with regions in UTF-16 units, and the labelling configuration beside."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from app.formats.documents.text import decode, text_document
from app.formats.format import Format, is_json
from app.formats.json_input import as_object, numbered, parse_records, words
from app.formats.losses import Lacking
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.formats.standoff.places import (
    GivenText,
    Labelled,
    code_line,
    coded,
    counted_in,
    joined,
    looked_at_in,
    other_words_notes,
    outside_notes,
    placed,
    span_details,
)
from app.text import Offsets
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES

_HEAD = 65_536
_TASK = re.compile(rb'"data"\s*:\s*\{')
_RESULTS = re.compile(rb'"(?:annotations|completions|predictions|result)"\s*:\s*\[')
# Of a region's own results, by the name of the control that they are from.
_LABEL, _TEXT, _FIELD, _POLARITY, _NOTE, _CONCEPT = "label", "text", "field", "polarity", "note", "concept"


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of each task; annotations that were cancelled are counted, not taken."""
    text, assumed = decode(payload.data)
    value, fault = parse_records(text)

    def report(task: object, source: str) -> Imported:
        return _report(as_object(task, "a task"), payload, source, digest, categories, assumed)

    return joined(numbered(payload, "Task", value if isinstance(value, list) else [value], report, fault))


def _report(
    task: Mapping[str, Any],
    payload: Payload,
    source: str,
    digest: str,
    categories: Sequence[str],
    assumed: Sequence[str],
) -> Imported:
    data = as_object(task.get("data"), '"data"')
    results, notes = _results(task)
    given = next((data[key] for key in _text_keys(results, data) if isinstance(data.get(key), str)), "")
    if not given.strip():
        raise FormatError('there is no text in its "data".')
    values = [one["value"] for one in results if isinstance(one.get("value"), dict)]
    stated = [(one.get("start"), one.get("end"), one.get("text")) for one in values if "labels" in one]
    text = counted_in(given, stated, "UTF-16 units", notes)
    spans = _spans(results, text)
    notes += (*outside_notes(spans), *other_words_notes(text, stated))
    title, key = words(data.get("title")), str(data.get("key") or task.get("id") or "")
    document = text_document(text.text, key or payload.name, categories, title)
    quotes = looked_at_in(data.get("looked_at"), categories)
    relations = [one for one in results if one.get("type") == "relation"]
    rest = {FORMAT.id: {"relations": relations}} if relations else {}
    return Imported(document, source, digest, quotes, (*assumed, *notes), {}, "", tuple(spans), rest, key)


def _results(task: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    """The results of all annotations of a task that were not cancelled, and notes."""
    found, cancelled = [], 0
    sets = task.get("annotations", task.get("completions")) or []
    if not isinstance(sets, list):
        raise FormatError('"annotations" must be a list.')
    for one in sets:
        entry = as_object(one, "an annotation")
        if entry.get("was_cancelled"):
            cancelled += 1
            continue
        found += [as_object(result, "a result") for result in entry.get("result") or []]
    notes = [f"{cancelled} of its annotations were cancelled, and are not taken over."] if cancelled else []
    if len(sets) - cancelled > 1:
        notes.append(f"It was annotated {len(sets) - cancelled} times; what each says was put together.")
    return found, notes


def _text_keys(results: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> list[str]:
    named = [str(one["to_name"]) for one in results if isinstance(one.get("to_name"), str)]
    return [*dict.fromkeys(named), _TEXT, *data]


def _spans(results: Sequence[Mapping[str, Any]], text: GivenText) -> list[Span]:
    """A span for each label of each region, with the choices and notes made on the region."""
    more: dict[str, dict[str, str]] = {}
    for one in results:
        value = one.get("value")
        if one.get("type") in ("choices", "textarea") and isinstance(value, dict):
            choices = value.get("choices") or value.get("text") or []
            words = choices if isinstance(choices, str) else "\n".join(map(str, choices))
            more.setdefault(str(one.get("id")), {})[str(one.get("from_name"))] = words
    spans = []
    for one in results:
        value = one.get("value")
        labels = value.get("labels") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(labels, list):
            continue
        place = text.place(value.get("start"), value.get("end"))
        choices = more.get(str(one.get("id")), {})
        polarity = next((each for each in POLARITIES if each == choices.get(_POLARITY)), None)
        quote = text.words(place) or str(value.get("text") or "")
        own = {FORMAT.id: {"id": one["id"]}} if "id" in one else {}
        concepts = tuple(each for each in map(coded, choices.get(_CONCEPT, "").splitlines()) if each)
        spans += [
            Span(
                str(label),
                quote,
                place,
                (),
                polarity,
                own,
                choices.get(_FIELD, ""),
                choices.get(_NOTE, ""),
                concepts,
            )
            for label in labels
        ]
    return spans


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    """A list of tasks, each with one annotation."""
    for number, report in enumerate(reports, start=1):
        yield ("[\n" if number == 1 else ",\n") + json.dumps(_task(report, number), ensure_ascii=False)
    yield "\n]\n" if reports else "[]\n"


def _task(report: ReportExport, number: int) -> dict[str, object]:
    text = report.document.text
    units, taken = Offsets(text), set[str]()
    results: list[dict[str, object]] = []
    for place, one in enumerate(placed(report), start=1):
        name = str((one.span.own.get(FORMAT.id, {}) if one.span else {}).get("id") or f"r{place}")
        name = name if name not in taken else f"{name}-{place}"
        taken.add(name)
        results += _region(one, name, text, units)
    results += [
        one
        for one in report.rest.get(FORMAT.id, {}).get("relations", [])
        if {one.get("from_id"), one.get("to_id")} <= taken
    ]
    about = {"key": report.key, "title": report.document.title, "looked_at": list(report.looked_at)}
    annotation = {
        "id": number,
        "completed_by": {"email": report.annotator},
        "was_cancelled": False,
        "ground_truth": False,
        "result": results,
    }
    return {"id": number, "data": {_TEXT: text, **about}, "annotations": [annotation], "predictions": []}


def _region(one: Labelled, name: str, text: str, units: Offsets) -> Iterator[dict[str, object]]:
    start, end = one.place
    place = {"start": units.to_utf16(start), "end": units.to_utf16(end), "text": text[start:end]}
    common = {"id": name, "to_name": _TEXT, "origin": "manual"}
    yield {**common, "from_name": _LABEL, "type": "labels", "value": {**place, "labels": [one.label]}}
    for key, value in span_details(one).items():
        kind, given = ("textarea", {"text": [value]}) if key == _NOTE else ("choices", {"choices": [value]})
        yield {**common, "from_name": key, "type": kind, "value": {**place, **given}}
    if one.concepts:
        lines = {"text": list(map(code_line, one.concepts))}
        yield {**common, "from_name": _CONCEPT, "type": "textarea", "value": {**place, **lines}}


def _beside(reports: Sequence[ReportExport]) -> Mapping[str, str]:
    """The labelling configuration, with every label and field that occurs."""
    found = [one for report in reports for one in placed(report)]
    looked_at = (category for report in reports for category in report.looked_at)
    labels = dict.fromkeys((*looked_at, *(one.label for one in found)))
    fields = sorted({one.field for one in found if one.field})
    lines = [
        "<View>",
        f'  <Text name="{_TEXT}" value="${_TEXT}"/>',
        f'  <Labels name="{_LABEL}" toName="{_TEXT}">',
    ]
    lines += [f"    <Label value={quoteattr(label)}/>" for label in labels]
    lines.append("  </Labels>")
    for name, values in ((_POLARITY, POLARITIES), (_FIELD, fields)):
        if values:
            lines.append(f'  <Choices name="{name}" toName="{_TEXT}" perRegion="true">')
            lines += [f"    <Choice value={quoteattr(value)}/>" for value in values]
            lines.append("  </Choices>")
    lines += [f'  <TextArea name="{name}" toName="{_TEXT}" perRegion="true"/>' for name in (_NOTE, _CONCEPT)]
    lines.append("</View>")
    return {".labels.xml": "\n".join(lines) + "\n"}


def _detect(data: bytes) -> int:
    """JSON whose first task has data and annotations."""
    head = data[:_HEAD]
    return 3 * bool(is_json(data) and _TASK.search(head) and _RESULTS.search(head))


FORMAT = Format(
    id="label-studio",
    label="Label Studio JSON",
    made_by="exported tasks of Label Studio",
    about="Tasks with their regions for Label Studio, and the labelling configuration beside the file.",
    suffixes=(".json",),
    detect=_detect,
    read=_read,
    write=_write,
    write_beside=_beside,
    losses=Lacking(
        "Label Studio", ("about", "origin", "unplaced", "fragments", "own words"), keeps="label-studio"
    ),
    carries=True,
)

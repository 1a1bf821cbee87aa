"""Prodigy's JSON Lines for spans: a text a line, its tokens, and spans on the edges of tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.formats.documents.text import text_document
from app.formats.format import Format, first_object
from app.formats.json_input import as_object, read_lines, words
from app.formats.losses import Lacking
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.formats.standoff.places import (
    GivenText,
    Labelled,
    coded,
    counted_in,
    joined,
    listed_details,
    looked_at_in,
    other_words_notes,
    outside_notes,
    placed,
    span_details,
    tokens_of,
)
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES

_ACCEPTED = "accept"
_OWN_KEYS = (
    "start",
    "end",
    "label",
    "token_start",
    "token_end",
    "polarity",
    "field",
    "note",
    "fragments",
    "concepts",
)
# So many of its tokens show what its offsets count.
_SOME = 100
_WRITTEN = ("text", "spans", "tokens", "meta", "answer", "_input_hash", "_task_hash")


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of each line that was accepted; lines of one text are put together."""

    def report(record: dict[str, Any], source: str, notes: list[str]) -> Imported | LeftOut:
        answer = record.get("answer", _ACCEPTED)
        if answer != _ACCEPTED:
            return LeftOut(source, payload.name, f"Its answer is {str(answer)!r}, so it is not taken over.")
        given = record.get("text")
        if not isinstance(given, str) or not given.strip():
            raise FormatError('"text" must be the text of a report.')
        meta = record.get("meta")
        meta = meta if isinstance(meta, dict) else {}
        key = str(meta.get("id", ""))
        entries = record.get("spans") or []
        if not isinstance(entries, list):
            raise FormatError('"spans" must be a list.')
        given_spans = [as_object(one, "a span") for one in entries]
        stated = _stated(given_spans, record.get("tokens"))
        text = counted_in(given, stated, "characters", notes)
        spans = [_span(one, text) for one in given_spans]
        notes += (*outside_notes(spans), *other_words_notes(text, stated))
        title = words(meta.get("title"))
        document = text_document(text.text, key or payload.name, categories, title)
        quotes = looked_at_in(meta.get("looked_at"), categories)
        rest = {name: value for name, value in record.items() if name not in _WRITTEN}
        return Imported(
            document,
            source,
            digest,
            quotes,
            tuple(notes),
            {},
            "",
            tuple(spans),
            {FORMAT.id: rest} if rest else {},
            key,
        )

    return joined(read_lines(payload, report))


def _stated(spans: Sequence[Mapping[str, Any]], tokens: object) -> list[tuple[object, object, object]]:
    """The places of spans and tokens with the words that the file has for them."""
    listed = [one for one in tokens if isinstance(one, dict)] if isinstance(tokens, list) else []
    some = listed[:: len(listed) // _SOME + 1]
    return [(one.get("start"), one.get("end"), one.get("text")) for one in (*spans, *some)]


def _span(entry: Mapping[str, Any], text: GivenText) -> Span:
    label = entry.get("label")
    if not isinstance(label, str) or not label.strip():
        raise FormatError("a span has no label.")
    place = text.place(entry.get("start"), entry.get("end"))
    polarity = next((one for one in POLARITIES if one == entry.get("polarity")), None)
    parts = [
        text.place(*one) for one in entry.get("fragments", ()) if isinstance(one, list) and len(one) == 2
    ]
    own = {name: value for name, value in entry.items() if name not in _OWN_KEYS}
    return Span(
        label,
        text.words(place) or str(entry.get("text") or ""),
        place,
        tuple(one for one in parts if one) if None not in parts else (),
        polarity,
        {FORMAT.id: own} if own else {},
        str(entry.get("field") or ""),
        str(entry.get("note") or ""),
        tuple(one for one in map(coded, map(str, entry.get("concepts") or ())) if one),
    )


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    for report in reports:
        yield json.dumps(_line(report), ensure_ascii=False) + "\n"


def _line(report: ReportExport) -> dict[str, object]:
    text, found = report.document.text, placed(report)
    cut = tokens_of(text, [one.place for one in found])
    tokens = [
        {"text": text[start:end], "start": start, "end": end, "id": number, "ws": ws}
        for number, (start, end, ws) in enumerate(cut)
    ]
    starts = {start: number for number, (start, _, _) in enumerate(cut)}
    ends = {end: number for number, (_, end, _) in enumerate(cut)}
    spans = [
        {
            "start": one.place[0],
            "end": one.place[1],
            "token_start": starts[one.place[0]],
            "token_end": ends[one.place[1]],
            "label": one.label,
            **_details(one),
        }
        for one in found
    ]
    meta = {"id": report.key, "title": report.document.title, "looked_at": list(report.looked_at)}
    hashes = {"_input_hash": _hash(text), "_task_hash": _hash(json.dumps([text, spans]))}
    own = {"answer": _ACCEPTED, "_annotator_id": report.annotator, "_session_id": report.annotator}
    before = report.rest.get(FORMAT.id, {})
    return {"text": text, "tokens": tokens, "spans": spans, "meta": meta, **own, **before, **hashes}


def _details(one: Labelled) -> dict[str, object]:
    own = one.span.own.get(FORMAT.id, {}) if one.span else {}
    return {**span_details(one), **own, **listed_details(one)}


def _hash(text: str) -> int:
    """A signed 32-bit murmur hash, as Prodigy tells examples apart by."""
    from murmurhash.mrmr import hash_unicode

    return int(hash_unicode(text))


def _detect(data: bytes) -> int:
    """Its first line is an object with Prodigy's hashes, or with spans, on tokens or not."""
    first = first_object(data)
    return 3 * ("text" in first and ("_task_hash" in first or isinstance(first.get("spans"), list)))


FORMAT = Format(
    id="prodigy",
    label="Prodigy JSON lines",
    made_by="spans of Prodigy",
    about="A text a line with tokens and spans, for Prodigy and spaCy; quotes without a place are left out.",
    suffixes=(".jsonl",),
    detect=_detect,
    read=_read,
    write=_write,
    losses=Lacking("Prodigy", ("about", "origin", "unplaced", "own words"), keeps="prodigy"),
    carries=True,
)

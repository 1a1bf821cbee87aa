"""What came along in files, between the types of files and those of the project."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from app.store.annotate.carried import Carried

if TYPE_CHECKING:
    from app.formats.record import Imported, Span

_PLACED = ("fragments", "polarity", "field", "note", "own")


def carried_span(span: Span, document: str, annotator: str, annotation: str | None = None) -> Carried:
    """A span as it is stored, with the annotation (UUID) that it became."""
    start, end = span.place or (None, None)
    value = {name: getattr(span, name) for name in _PLACED if getattr(span, name)}
    if span.concepts:
        value["concepts"] = [asdict(one) for one in span.concepts]
    return Carried("", document, annotator, annotation, span.label, span.quote, start, end, value)


def span_of(carried: Carried) -> Span:
    """A stored span as its file gave it."""
    from app.formats.record import Span
    from extractors.model.coding import Coding

    place = None if carried.start is None or carried.end is None else (carried.start, carried.end)
    value: dict[str, Any] = {name: carried.value[name] for name in _PLACED if name in carried.value}
    if "fragments" in value:
        value["fragments"] = tuple((start, end) for start, end in value["fragments"])
    if "concepts" in carried.value:
        value["concepts"] = tuple(Coding(**one) for one in carried.value["concepts"])
    return Span(carried.label, carried.quote, place, **value)


def carried_of(record: Imported, document: str, annotator: str) -> list[Carried]:
    """What of a record is no quote: annotations under labels of its own, and what else it says."""
    given = [carried_span(span, document, annotator) for span in record.spans or ()]
    if record.rest:
        given.append(Carried("", document, annotator, None, "", "", None, None, dict(record.rest)))
    return given

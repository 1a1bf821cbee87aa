"""Labels of other programs' files: which of them are categories of the scheme, and which stay as they are."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.formats.record import Imported, QuoteDetails, Span
from app.text import text_of_file
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES, Polarity
from extractors.model.scheme import Scheme

_TABLE = "labels"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a label stands for: a category (id) and, where it says so, a field of it and a polarity."""

    category: str
    field: str = ""
    polarity: Polarity | None = None


def read_label_map(path: Path, scheme: Scheme) -> dict[str, Meaning | None]:
    """What a TOML file says of labels: `Label = "category"`, or a table with category, field and polarity.

    They may stand below `[labels]`. None, in the file "", is said of a label that is to stay as it is. Raises
    FormatError for a file that is no such table, names a category or a field that the scheme lacks, or cannot
    be read.
    """
    try:
        table = tomllib.loads(text_of_file(path))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"The table of labels {path} cannot be read ({error}).") from error
    entries = table.get(_TABLE, table)
    if not isinstance(entries, dict):
        raise FormatError(f'{path}: [{_TABLE}] must be a table, as in Sign_symptom = "gastrointestinal".')
    return {label: _meaning(label, value, scheme) for label, value in entries.items()}


def _meaning(label: str, value: object, scheme: Scheme) -> Meaning | None:
    values = {"category": value} if isinstance(value, str) else value
    if not isinstance(values, dict) or not set(values) <= {"category", "field", "polarity"}:
        raise FormatError(f"{label!r} must name a category, or a table with category, field and polarity.")
    category, field, polarity = values.get("category", ""), values.get("field", ""), values.get("polarity")
    if not category:
        return None
    if category not in scheme.ids:
        raise FormatError(f"{label!r} is to be {category!r}; categories are {', '.join(scheme.ids)}.")
    fields = scheme.category(category).fields
    if field and field not in fields:
        raise FormatError(f"{label!r} is to have the field {field!r}, which {category} lacks.")
    if polarity is not None and polarity not in POLARITIES:
        raise FormatError(f"{label!r} is to be {polarity!r}; polarities are {', '.join(POLARITIES)}.")
    return Meaning(category, field, polarity)


def label_map_text(known: Mapping[str, Meaning | None]) -> str:
    """The table as TOML, as `read_label_map` reads it."""
    lines = [f"[{_TABLE}]"]
    for label, meaning in known.items():
        values = {"category": meaning.category if meaning else ""}
        if meaning and (meaning.field or meaning.polarity):
            values |= {"field": meaning.field} if meaning.field else {}
            values |= {"polarity": meaning.polarity} if meaning.polarity else {}
            value = "{ " + ", ".join(f"{key} = {_quoted(one)}" for key, one in values.items()) + " }"
        else:
            value = _quoted(values["category"])
        lines.append(f"{_quoted(label)} = {value}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A TOML string; JSON's has the same escapes, but for half characters, which no label has."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def resolved(record: Imported, categories: Sequence[str], labels: Mapping[str, Meaning | None]) -> Imported:
    """The record with those of its spans as quotes whose labels are categories, or stand for one."""
    if record.spans is None:
        return record
    quotes = {key: list(own) for key, own in (record.quotes or {}).items()}
    values = {key: list(record.details.get(key, [QuoteDetails()] * len(own))) for key, own in quotes.items()}
    known = {label: meaning_of(label, categories, labels) for label in {span.label for span in record.spans}}
    kept = []
    for span in record.spans:
        meaning = known[span.label]
        if meaning is None or not span.quote.strip():
            kept.append(span)
            continue
        quotes.setdefault(meaning.category, []).append(span.quote)
        values.setdefault(meaning.category, []).append(details(span, meaning))
    ordered = [category for category in categories if category in quotes]
    return replace(
        record,
        quotes={one: tuple(quotes[one]) for one in ordered} or record.quotes,
        details={one: tuple(values[one]) for one in ordered},
        spans=tuple(kept),
    )


def meaning_of(label: str, categories: Sequence[str], labels: Mapping[str, Meaning | None]) -> Meaning | None:
    """What a label stands for, None where it is to stay as it is."""
    return labels.get(label, Meaning(label) if label in categories else None)


def details(span: Span, meaning: Meaning) -> QuoteDetails:
    """What a span says of its quote, as a quote of the category that its label stands for."""
    plain = span.polarity in (None, "present")
    return QuoteDetails(
        span.place,
        (meaning.polarity or span.polarity) if plain else span.polarity,
        span.field or meaning.field,
        span.concepts,
        span.note,
        span if span.own or span.fragments else None,
    )

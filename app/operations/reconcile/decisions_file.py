"""Decisions from a file: one JSON object each, all of them taken or none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.formats.json_input import as_object, parse_json
from app.operations.project.sets import polarity_named
from app.operations.reconcile.decisions import EditedSpan, Resolution, choice_named
from app.text import text_of_file
from extractors.model.errors import FormatError

_KEYS = frozenset({"id", "take", "reason", "note", "clause", "confidence", "seconds", "spans"})
_LARGEST = 1e9
_SPAN_KEYS = frozenset({"start", "end", "category", "polarity", "field"})


def read_resolutions(text: str) -> list[tuple[list[str], Resolution]]:
    """The decisions of a JSON list, or of JSON objects one a line, in order.

    Raises FormatError naming the entry that is no decision.
    """
    return [_resolution(number, entry) for number, entry in enumerate(_entries(text), start=1)]


def read_resolution_file(path: Path) -> list[tuple[list[str], Resolution]]:
    """The decisions of a file; raises FormatError also where it is no text in UTF-8."""
    return read_resolutions(text_of_file(path))


def _entries(text: str) -> list[object]:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and not text.lstrip().startswith("["):
        return [_line(number, line) for number, line in enumerate(lines, start=1)]
    whole = parse_json(text)
    return whole if isinstance(whole, list) else [whole]


def _line(number: int, line: str) -> object:
    try:
        return parse_json(line)
    except FormatError as error:
        raise FormatError(f"Decision {number}: {error}") from error


def _resolution(number: int, entry: object) -> tuple[list[str], Resolution]:
    record = _object(number, entry, _KEYS)
    spans = record.get("spans", [])
    if not isinstance(spans, list):
        raise FormatError(f'Decision {number}: "spans" must be a list.')
    return [_text(number, record, "id", needed=True)], Resolution(
        choice_named(_text(number, record, "take", needed=True)),
        reason=_text(number, record, "reason"),
        note=_text(number, record, "note"),
        clause=_text(number, record, "clause"),
        confidence=_number(number, record, "confidence"),
        spans=tuple(_span(number, span) for span in spans),
        seconds=_number(number, record, "seconds"),
    )


def _span(number: int, entry: object) -> EditedSpan:
    record = _object(number, entry, _SPAN_KEYS)
    start, end = record.get("start"), record.get("end")
    if type(start) is not int or type(end) is not int:
        raise FormatError(f'Decision {number}: a span needs a "start" and an "end" in whole characters.')
    return EditedSpan(
        start,
        end,
        _text(number, record, "category", needed=True),
        polarity_named(_text(number, record, "polarity") or "present"),
        _text(number, record, "field"),
    )


def _object(number: int, entry: object, keys: frozenset[str]) -> Mapping[str, Any]:
    record = as_object(entry, f"Decision {number}")
    strange = sorted(record.keys() - keys)
    if strange:
        known = ", ".join(sorted(keys))
        raise FormatError(
            f"Decision {number} has {strange[0]!r}, which is not known here; it may have {known}."
        )
    return record


def _text(number: int, record: Mapping[str, Any], key: str, *, needed: bool = False) -> str:
    value = record.get(key)
    if isinstance(value, str) and (value or not needed):
        return value
    if value is None and not needed:
        return ""
    raise FormatError(f'Decision {number}: "{key}" must be a text.')


def _number(number: int, record: Mapping[str, Any], key: str) -> float | None:
    value = record.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _LARGEST:
        raise FormatError(f'Decision {number}: "{key}" must be a number of a sensible size.')
    return float(value)

"""JSON from strangers: parsed without a crash, its values checked before they become a report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import Any, TypeVar

from app.formats.documents.text import decode
from app.formats.pictures.packages import Payload
from app.formats.plain import has_half_characters, one_newline, whole_characters
from app.formats.record import Imported, LeftOut
from app.text import counted
from extractors.model.errors import FormatError


def read_lines(
    payload: Payload, read: Callable[[dict[str, Any], str, list[str]], Imported | LeftOut]
) -> Iterator[Imported | LeftOut]:
    """What `read` makes of each line's object, its source, and notes; a malformed one is left out."""
    lines: Iterator[str | bytes]
    assumed: tuple[str, ...] = ()
    try:
        text, assumed = decode(payload.data)
        lines = _lines(text)
    except FormatError:
        if payload.data.startswith(_WIDE):
            raise
        # A byte that is wrong costs its line.
        lines = iter(payload.data.split(b"\n"))
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        source = f"{payload.source}#{number}"
        try:
            words, notes = (line, assumed) if isinstance(line, str) else decode(line)
            yield read(as_object(parse_json(words), "the line"), source, list(notes))
        except FormatError as error:
            yield LeftOut(source, payload.name, f"Line {number}: {error}", failed=True)


def _lines(text: str) -> Iterator[str]:
    """One after the other: a list of all is a second text."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


T = TypeVar("T")
# Where a list of records begins, be it one of BioC, and what stands between two of them.
_LIST = re.compile(r'\s*(?:\{[^\[]*"documents"\s*:\s*)?\[\s*(?=\{)')
_NEXT = re.compile(r"\s*,\s*(?=\{)")
_WIDE = (b"\xff\xfe", b"\xfe\xff")


class RepeatingObject(dict[str, Any]):
    """An object of JSON that has `key` more than once; only the last value of it is left."""

    key: str = ""


def parse_json(text: str) -> object:
    """The value of `text`; objects with a repeated key are marked (see `as_object`). Raises FormatError."""
    try:
        value: object = json.loads(
            text, object_pairs_hook=_object, parse_float=_finite, parse_constant=_finite
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FormatError(f"This is not valid JSON ({place}: {error.msg}).") from None
    except RecursionError:
        raise FormatError("The JSON is nested too deeply to be read.") from None
    except ValueError:
        raise FormatError("The JSON holds a number of too many digits; write it as a text.") from None
    return value


def parse_records(text: str) -> tuple[object, str]:
    """The value of `text` and ""; of a list of records with a fault in it those before that, and the fault.

    Raises FormatError where no record is whole.
    """
    try:
        return parse_json(text), ""
    except FormatError as error:
        decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_finite)
        between, found = _LIST.match(text), list[object]()
        try:
            while between:
                value, end = decoder.raw_decode(text, between.end())
                found.append(value)
                between = _NEXT.match(text, end)
        except (ValueError, RecursionError, FormatError):
            pass
        if not found:
            raise
        return found, str(error)


def numbered(
    payload: Payload, what: str, given: Sequence[T], read: Callable[[T, str], Imported], fault: str
) -> Iterator[Imported | LeftOut]:
    """What `read` makes of each record of a file and its source; a malformed one is left out by its number,
    as is what stands behind a `fault`."""
    for number, one in enumerate(given, start=1):
        source = f"{payload.source}#{number}"
        try:
            yield read(one, source)
        except FormatError as error:
            yield LeftOut(source, payload.name, f"{what} {number}: {error}", failed=True)
    if fault:
        yield broken_off(payload, fault, len(given))


def broken_off(payload: Payload, reason: str, taken: int) -> LeftOut:
    """What is left out of a file of which only the first records, so many, can be read."""
    whole = f"{reason} What stands before it is taken ({counted(taken, 'record')})."
    return LeftOut(payload.source, payload.name, whole, failed=True)


def _finite(written: str) -> float:
    """A number of a file; a project, whose JSON is JSON, has no place for NaN and what is too large."""
    number = float(written)
    if not isfinite(number):
        raise FormatError(f"The JSON holds {written}, which is no number; write null for it.")
    return number


def as_object(value: object, what: str) -> dict[str, Any]:
    """`value` as an object each of whose keys occurs once, called `what` in the FormatError otherwise."""
    if not isinstance(value, dict):
        raise FormatError(f"{what} must be an object.")
    if isinstance(value, RepeatingObject):
        raise FormatError(f"{value.key!r} occurs more than once in {what}; join its values under one.")
    return value


def exact_text(value: str, key: str) -> str:
    """A text or quote with one newline per line end; nothing else may change, so FormatError for halves."""
    if has_half_characters(value):
        raise FormatError(f"{key!r} holds half a character (a lone surrogate).")
    return one_newline(value)


def scalar(value: object, key: str, notes: list[str]) -> str:
    """A text or number about the report as a text; what had to be replaced is noted. Raises FormatError."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise FormatError(f"{key!r} must be a text or a number.")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = one_newline(str(value))
    if has_half_characters(text):
        notes.append(f"{key!r} holds half a character (a lone surrogate), which was replaced.")
    return whole_characters(text)


def words(value: object) -> str:
    """What somebody else's record says in a field: its text or number, those of a list; "" for all else."""
    given = value if isinstance(value, list) else [value]
    return " ".join(str(one) for one in given if type(one) in (str, int, float))


def quotes_of(value: object, key: str, notes: list[str]) -> tuple[str, ...]:
    """The quotes of one category: a list, a single one, or null for none; blank ones are noted."""
    values = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(quote, str) for quote in values):
        raise FormatError(f"{key!r} must be a list of quotes.")
    quotes = tuple(exact_text(quote, key) for quote in values if quote.strip())
    blank = len(values) - len(quotes)
    if blank:
        notes.append(f"{key!r} holds {blank} blank quote{'s' * (blank > 1)}, left out.")
    return quotes


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    seen: set[str] = set()
    repeating = RepeatingObject(plain)
    for key, _ in pairs:
        if key in seen:
            repeating.key = key
            break
        seen.add(key)
    return repeating

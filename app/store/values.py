"""How values become cells and hashes, and back: times, identifiers, canonical JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal, TypeAlias
from uuid import uuid4

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = Mapping[str, Cell]
# Where an annotation, or what it stands for, comes from.
Origin: TypeAlias = Literal["human", "accepted", "edited", "imported", "model"]

_ENCODER = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
)


def now() -> str:
    """The time in UTC, ISO 8601 with seconds, e.g. "2026-03-01T09:30:00Z"."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def new_uuid() -> str:
    """A random UUID in its usual 36 characters."""
    return str(uuid4())


def uuid_of(*words: str) -> str:
    """The UUID of what is the same wherever it is made, so that copies need not be told that it is."""
    digest = sha256(canonical(words))
    return f"{digest[:8]}-{digest[8:12]}-8{digest[12:15]}-8{digest[15:18]}-{digest[18:30]}"


def matching(**columns: Cell) -> tuple[str, list[Cell]]:
    """The SQL condition that these columns are as given, but for those given as None, and its parameters."""
    given = {column: value for column, value in columns.items() if value is not None}
    return " AND ".join(f"{column} = ?" for column in given) or "1", list(given.values())


def canonical(value: object) -> str:
    """JSON with one spelling per value: sorted keys, no spaces, no escapes beyond the needed.

    Raises ValueError for NaN and infinity, TypeError for what JSON cannot say.
    """
    return _ENCODER.encode(value)


def sha256(content: str | bytes) -> str:
    """Hexadecimal SHA-256 of bytes, or a text's in UTF-8; raises UnicodeEncodeError for half a character."""
    return hashlib.sha256(content.encode("utf-8") if isinstance(content, str) else content).hexdigest()


@lru_cache(maxsize=1024)
def strings(cell: str) -> tuple[str, ...]:
    """The strings of a JSON list; raises ValueError for anything else."""
    value = json.loads(cell)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError("not a list of strings")
    return tuple(value)


def json_object(cell: str) -> dict[str, Any]:
    """A JSON object; raises ValueError for anything else."""
    value = json.loads(cell)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def string_map(cell: str) -> dict[str, str]:
    """A JSON object of strings; raises ValueError for anything else."""
    value = json_object(cell)
    if not all(isinstance(one, str) for one in value.values()):
        raise ValueError("not a JSON object of strings")
    return value

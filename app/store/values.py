"""How values become cells and hashes: times, identifiers, canonical JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeAlias
from uuid import uuid4

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = Mapping[str, Cell]

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def now() -> str:
    """The time in UTC, ISO 8601 with seconds, e.g. "2026-03-01T09:30:00Z"."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def new_uuid() -> str:
    """A random UUID in its usual 36 characters."""
    return str(uuid4())


def canonical(value: object) -> str:
    """JSON with one spelling per value: sorted keys, no spaces, no escapes beyond the needed."""
    return _ENCODER.encode(value)


def sha256(text: str) -> str:
    """Hexadecimal SHA-256 of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()

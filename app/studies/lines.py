"""Files with one JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.text import text_of_file
from extractors.model.errors import CallError, FormatError


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line (UTF-8); raises FormatError with the line that is none,
    CallError where there is no file."""
    if not path.exists():
        raise CallError(f"{path} is not there.")
    text = text_of_file(path)
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            # JSON has no NaN, and no file can hold half a sign.
            json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise FormatError(f"{path}, line {number}, is no JSON object; mend it.")
        found.append(value)
    return found

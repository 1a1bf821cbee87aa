"""Files with one JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from extractors.model.errors import FormatError


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line (UTF-8); raises FormatError with the line that is none."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise FormatError(f"{path} cannot be read ({error.strerror}); name a JSON Lines file.") from None
    except UnicodeDecodeError:
        raise FormatError(f"{path} is not UTF-8; save the file as UTF-8.") from None
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise FormatError(f"{path}, line {number}, is no JSON object; mend it.")
        found.append(value)
    return found

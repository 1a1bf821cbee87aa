"""Files that items are made of: read line by line, and named for the record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
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


def files_in(path: Path, pattern: str = "*.json") -> list[Path]:
    """A file, or all files of a folder that are called so, in order."""
    return sorted(filter(Path.is_file, path.rglob(pattern))) if path.is_dir() else [path]


def source_of(name: str, files: Sequence[Path], licence: str, rows: int, version: str = "") -> dict[str, Any]:
    """A source as the record of a build has it, with the digest over all that is in its files."""
    known = {"file": name, "version": version, "sha256": digest_of(*files)}
    return {**known, "licence": licence, "rows": rows}


def digest_of(*files: Path) -> str:
    """Hexadecimal SHA-256 of the bytes of files, one after the other."""
    digest = hashlib.sha256()
    for one in files:
        with one.open("rb") as stream:
            hashlib.file_digest(stream, lambda: digest)
    return digest.hexdigest()

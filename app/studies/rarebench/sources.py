"""Where cases come from, for the record of a build."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from app.text import counted
from extractors.evidence.cases import Cases


def described(path: Path) -> list[dict[str, Any]]:
    """A file or folder with the digest over all that was read of it."""
    files = sorted(one for one in path.rglob("*.json*") if one.is_file()) if path.is_dir() else [path]
    digest, rows = hashlib.sha256(), 0
    for one in files:
        content = one.read_bytes()
        digest.update(content)
        rows += _rows(content)
    return [
        {
            "file": path.name,
            "version": "",
            "sha256": digest.hexdigest(),
            "licence": "as of the cases",
            "rows": rows,
        }
    ]


def _rows(content: bytes) -> int:
    """How many cases a file has: those of a JSON list, one, or one a line."""
    try:
        whole = json.loads(content)
    except ValueError:
        return sum(1 for line in content.splitlines() if line.strip())
    return len(whole) if isinstance(whole, list) else 1


def unknown_in_words(cases: Cases) -> list[str]:
    """Which findings are no terms, as a sentence where there are any."""
    many = counted(len(cases.unknown), "finding")
    unknown = ", ".join(cases.unknown)
    return [f"{many} unknown to this release, and not counted: {unknown}."] if unknown else []

"""A corpus of invented reports, as `casespan corpus extract` would leave it, without extracting anything."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from app.operations.corpus.schema import TABLES, Manifest, Part, arrow_schema, part_file, write_manifest

_WORDS = ("Cough", "Fever", "Rash", "Pain")
_CATEGORIES = ("RESP", "History", "DERM", "GI")


def corpus(folder: Path, reports: int = 40, *, sure: bool = True) -> Path:
    """Reports of four sentences in parts of ten; of each its first word is a quote, in every third of two."""
    parts = [range(first, min(first + 10, reports)) for first in range(0, reports, 10)]
    for part, numbers in enumerate(parts):
        rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
        for number in numbers:
            text = " ".join(f"{word} was seen on day {number}." for word in _WORDS)
            rows["reports"].append(_report(number, text))
            rows["quotes"] += [
                {**_quote(number, at, text), "confidence": (number % 7) / 7 if sure else None}
                for at in range(4 if number % 3 else 2)
            ]
        rows["left_out"] = [{"source": f"{part}.xml", "reason": "unreadable", "detail": "Empty."}]
        for name in TABLES:
            file = part_file(folder, name, part)
            file.parent.mkdir(parents=True, exist_ok=True)
            parquet.write_table(pyarrow.Table.from_pylist(rows[name], arrow_schema(name)), file)
    told = Manifest("quotes", "rules", {}, {"casespan": "1"}, state="done")
    told.parts = [Part(number, len(part), f"{number} {len(part)}") for number, part in enumerate(parts)]
    write_manifest(folder, told)
    return folder


def _report(number: int, text: str) -> dict[str, Any]:
    return {
        **{"report": f"r{number:03}", "title": f"A case {number}", "text": text, "source": "made"},
        **{"journal": f"Journal {number % 2}", "year": 2000 + number % 3, "licence": "CC0"},
        **{"sha256": hashlib.sha256(text.encode()).hexdigest()},
        **{"characters": len(text), "words": len(text.split())},
    }


def _quote(number: int, at: int, text: str) -> dict[str, Any]:
    start, word = text.index(_WORDS[at]), _WORDS[at]
    return {
        **{"report": f"r{number:03}", "number": at, "category": _CATEGORIES[at], "field": ""},
        **{"quote": word, "start": start, "end": start + len(word)},
        **{"grounding": "exact", "polarity": "present", "concepts": []},
    }

"""Write and read JSON Lines: one report a line, with its text, sections and annotated spans."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.formats.record import ExportedAnnotation, ReportExport
from app.formats.writing import write_atomically
from extractors.document import Document, Section
from extractors.errors import FormatError
from extractors.finding import Finding


def write_jsonl(path: Path, reports: Sequence[ReportExport]) -> None:
    """Write one object per report; offsets are code points of "text", null where a quote has no place.

    Raises FormatError where a span does not hold its quote's place in the text (outside of it).
    """
    lines = [json.dumps(_line(report), ensure_ascii=False) + "\n" for report in reports]
    write_atomically(path, "".join(lines))


def read_jsonl(path: Path) -> Iterator[ReportExport]:
    """The reports that `write_jsonl` wrote; raises FormatError naming the line that is not one of its."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield _report(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise FormatError(f"{path}, line {number}: no report with spans ({error}).") from None


def _line(report: ReportExport) -> dict[str, object]:
    document = report.document
    return {
        "id": report.key,
        "title": document.title,
        "text": document.text,
        "sections": [asdict(section) for section in document.sections],
        "annotations": [_annotation(annotation, len(document.text)) for annotation in report.annotations],
        "identifiers": dict(document.identifiers),
        "metadata": dict(document.metadata),
        "looked_at": list(report.looked_at),
    }


def _annotation(annotation: ExportedAnnotation, length: int) -> dict[str, object]:
    finding = annotation.finding
    if (
        finding.start is not None
        and finding.end is not None
        and not 0 <= finding.start <= finding.end <= length
    ):
        raise FormatError(
            f"The span {finding.start}-{finding.end} of {finding.quote!r} is outside of the text."
        )
    return {
        "category": finding.category,
        "field": finding.field,
        "quote": finding.quote,
        "start": finding.start,
        "end": finding.end,
        "grounding": finding.grounding,
        "polarity": finding.polarity,
        "origin": annotation.origin,
        "annotator": annotation.annotator,
    }


def _report(line: dict[str, Any]) -> ReportExport:
    sections = tuple(
        Section(**{**section, "path": tuple(section["path"]), "categories": tuple(section["categories"])})
        for section in line["sections"]
    )
    document = Document(line["title"], line["text"], sections, line["identifiers"], line["metadata"])
    annotations = []
    for entry in line["annotations"]:
        origin, annotator = entry.pop("origin"), entry.pop("annotator")
        annotations.append(ExportedAnnotation(Finding(**entry), origin, annotator))
    return ReportExport(document, line["id"], tuple(annotations), tuple(line["looked_at"]))

"""What a reader hands over and what a writer takes: the same types for every format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from extractors.document import Document
from extractors.finding import Finding

_PMCID = re.compile(r"(?:PMC)?(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Imported:
    """A report that was read.

    `source` names the file (and the member or record in it), `source_sha256` is the digest of its bytes.
    `quotes` maps category ids to the quotes that came along, not yet grounded, None where the format has
    none. `notes` are sentences on what had to be assumed.
    """

    document: Document
    source: str
    source_sha256: str
    quotes: Mapping[str, tuple[str, ...]] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file, or a report in it, that is not imported, and why. `failed`: it could not be read."""

    source: str
    title: str
    reason: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class ExportedAnnotation:
    """An annotation on its way out: what was found, where it came from, and who holds it."""

    finding: Finding
    origin: str
    annotator: str


@dataclass(frozen=True, slots=True)
class ReportExport:
    """One report for a writer: `key` is its id, `annotations` are by category and in rank order.

    `looked_at` are the categories that the annotator has looked at, in scheme order, found something or not.
    """

    document: Document
    key: str
    annotations: tuple[ExportedAnnotation, ...]
    looked_at: tuple[str, ...]


def pmcid(value: str) -> str:
    """A PMC number without its letters ("PMC8017196" is 8017196); anything else as it is."""
    match = _PMCID.fullmatch(value.strip())
    return match[1] if match else value.strip()

"""Terminologies of the user's own folder: a release brought in, and what came of it in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from app.text import counted
from extractors.evidence.orphanet import KeptNames, import_orphanet
from extractors.terminology.icd11.importing import Kept, index_path
from extractors.terminology.icd11.tables import CITATION, FETCH
from extractors.terminology.library import ORPHANET, InstalledRelease, import_terminology

Imported: TypeAlias = InstalledRelease | Kept | KeptNames


def import_release(name: str, paths: Sequence[Path]) -> tuple[Imported, ...]:
    """Keep a release of HPO, ICD11 or Orphanet; the ranking of diseases stays with its own HPO.

    Raises UnknownNameError for another terminology, TerminologyError where a file is none of it.
    """
    if name.casefold() == ORPHANET.casefold():
        return (import_orphanet(paths),)
    return import_terminology(name, paths)


def left_out(found: Imported) -> dict[str, int]:
    """The rows that could not be read, by reason."""
    return {} if isinstance(found, InstalledRelease) else found.left_out


def import_sentences(found: Imported) -> Iterator[str]:
    """What was kept, by whom it is, and what was left out."""
    if isinstance(found, InstalledRelease):
        yield f"{found.name} {found.release} is kept in {found.path}"
    elif isinstance(found, KeptNames):
        number = counted(found.disorders, "disorder or group", "disorders and groups")
        names = counted(found.names, "name")
        release = found.installed
        yield f"Orphanet {release.release} is kept in {release.path}: {number} with {names}."
        yield release.source
        if found.loose:
            yield f"{counted(found.loose, 'parent')} named there, but not in these files."
    else:
        yield from _icd11(found)
    for reason, count in left_out(found).items():
        yield f"Left out: {counted(count, 'row')}: {reason}."


def _icd11(found: Kept) -> Iterator[str]:
    if found.languages:
        number = counted(found.categories, "category", "categories")
        yield (
            f"ICD-11 {found.release} ({', '.join(found.languages)}) is kept in {found.path}: "
            f"{number}, {found.leaves:,} of them leaves."
        )
        yield CITATION.format(release=found.release)
    for name, rows in found.maps.items():
        yield f"  {name}: {counted(rows, 'row')}"
    # The map of CMS is of no release: with any of them it has its classes.
    there = found.path.parent.glob(index_path(Path(), found.release or "*").name)
    if not found.languages and not any(there):
        yield f"There are no classes for these maps yet: {FETCH}."

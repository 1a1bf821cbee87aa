"""`casespan terminology list` and `import`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json, echo, echo_json, echo_lines
from extractors.terminology.icd11.tables import FETCH, NAME

if TYPE_CHECKING:
    import argparse

    from app.operations.project.terminologies import Imported
    from extractors.terminology.library import InstalledRelease


def list_(options: argparse.Namespace) -> int:
    from extractors.terminology.library import (
        FETCH_ORPHANET,
        ORPHANET,
        installed_releases,
        terminology_folder,
    )

    found = installed_releases()
    if options.json:
        echo_json([release_json(one) for one in found])
        return 0
    for one in found:
        where = "comes along" if one.shipped else str(one.path)
        echo(f"{one.name}  {one.release}  {where}")
        echo(f"    {one.source}")
    echo(f"Others are kept in {terminology_folder()}: casespan terminology import HPO hp.obo")
    if NAME not in (one.name for one in found):
        echo(f"ICD-11 is not here: {FETCH}.")
    if ORPHANET not in (one.name for one in found):
        echo(f"Orphanet is not here: {FETCH_ORPHANET}.")
    return 0


def release_json(one: InstalledRelease) -> dict[str, object]:
    """A release as all these commands write it."""
    return {**asdict(one), "path": str(one.path)}


LIST = Command("", add_json, list_, project=False)


def _import_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the terminology (HPO, ICD11 or Orphanet)")
    command.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="its files: for HPO hp.obo, or a zip that has it; for ICD11 what WHO hands out "
        "(SimpleTabulation-ICD-11-MMS-en.zip, other languages, mapping.zip), and CMS's icd9toicd10cmgem.csv; "
        "for Orphanet ORPHApackets (files, folder), product 1 or a table, and HPO's phenotype.hpoa",
    )
    add_json(command)


def import_(options: argparse.Namespace) -> int:
    """Keep releases; exit 1 where a row was left out."""
    from app.operations.project.terminologies import import_release, import_sentences, left_out

    found = import_release(options.name, options.paths)
    if options.json:
        first, *others = map(_as_json, found)
        echo_json({**first, **({"others": others} if others else {})})
    for one in found if not options.json else ():
        echo_lines(import_sentences(one))
    return 1 if left_out(found[0]) else 0


def _as_json(kept: Imported) -> dict[str, object]:
    from extractors.evidence.orphanet import KeptNames
    from extractors.terminology.library import InstalledRelease

    if isinstance(kept, InstalledRelease):
        return release_json(kept)
    if isinstance(kept, KeptNames):
        counts = {"disorders": kept.disorders, "names": kept.names, "left_out": kept.left_out}
        return {**release_json(kept.installed), **counts, "parents_missing": kept.loose}
    return {
        "release": kept.release or None,
        "languages": list(kept.languages),
        "categories": kept.categories,
        "leaves": kept.leaves,
        "maps": kept.maps,
        "left_out": kept.left_out,
    }


IMPORT = Command(
    "ICD11 SimpleTabulation-ICD-11-MMS-en.zip mapping.zip", _import_arguments, import_, project=False
)

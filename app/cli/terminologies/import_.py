"""`casespan terminology import`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import echo, echo_json
from app.cli.terminologies.list import release_json

if TYPE_CHECKING:
    import argparse

    from app.operations.project.terminologies import Imported


def _arguments(command: argparse.ArgumentParser) -> None:
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
        echo_json(_as_json(found[0]))
    for one in found if not options.json else ():
        for sentence in import_sentences(one):
            echo(sentence)
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


COMMAND = Command("ICD11 SimpleTabulation-ICD-11-MMS-en.zip mapping.zip", _arguments, import_, project=False)

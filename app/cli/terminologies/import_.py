"""`casespan terminology import`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import say, say_json
from app.cli.terminologies.list import held_as_json
from app.text import counted
from extractors.terminology.icd11.tables import CITATION, FETCH

if TYPE_CHECKING:
    import argparse

    from extractors.terminology.icd11.importing import Kept


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
    """Keep releases; exit 1 where a row was left out. The ranking of diseases stays with its own HPO."""
    from extractors.terminology.library import ORPHANET, Held, import_terminology

    if options.name.casefold() == ORPHANET.casefold():
        return _orphanet(options)
    found = import_terminology(options.name, options.paths)
    newest = found[0]
    left_out = {} if isinstance(newest, Held) else newest.left_out
    if options.json:
        say_json(held_as_json(newest) if isinstance(newest, Held) else _as_json(newest))
        return 1 if left_out else 0
    for one in found:
        if isinstance(one, Held):
            say(f"{one.name} {one.release} is kept in {one.path}")
            continue
        if one.languages:
            say(
                f"ICD-11 {one.release} ({', '.join(one.languages)}) is kept in {one.path}: "
                f"{counted(one.categories, 'category', 'categories')}, {one.leaves:,} of them leaves."
            )
            say(CITATION.format(release=one.release))
        for name, rows in one.maps.items():
            say(f"  {name}: {counted(rows, 'row')}")
        if not one.languages:
            say(f"There are no classes for these maps yet: {FETCH}.")
    for reason, count in left_out.items():
        say(f"Left out: {counted(count, 'row')}: {reason}.")
    return 1 if left_out else 0


def _orphanet(options: argparse.Namespace) -> int:
    from extractors.evidence.orphanet import import_orphanet

    kept = import_orphanet(options.paths)
    if options.json:
        counts = {"disorders": kept.disorders, "names": kept.names, "left_out": kept.left_out}
        say_json({**held_as_json(kept.held), **counts, "parents_missing": kept.loose})
        return 1 if kept.left_out else 0
    say(
        f"Orphanet {kept.held.release} is kept in {kept.held.path}: {counted(kept.disorders, 'disorder')} "
        f"and groups with {counted(kept.names, 'name')}."
    )
    say(kept.held.source)
    if kept.loose:
        say(f"{counted(kept.loose, 'parent')} named there are not in these files.")
    for reason, count in kept.left_out.items():
        say(f"Left out: {count:,} {reason}.")
    return 1 if kept.left_out else 0


def _as_json(kept: Kept) -> dict[str, object]:
    return {
        "release": kept.release or None,
        "languages": list(kept.languages),
        "categories": kept.categories,
        "leaves": kept.leaves,
        "maps": kept.maps,
        "left_out": kept.left_out,
    }


COMMAND = Command("ICD11 SimpleTabulation-ICD-11-MMS-en.zip mapping.zip", _arguments, import_, project=False)

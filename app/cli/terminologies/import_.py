"""`casespan terminology import`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import say, say_json
from app.cli.terminologies.list import held_as_json

if TYPE_CHECKING:
    import argparse


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the terminology (HPO)")
    command.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="its file: for HPO hp.obo, or a zip that has it"
    )
    add_json(command)


def import_(options: argparse.Namespace) -> int:
    """Keep a release; the ranking of diseases stays with the one that comes along."""
    from extractors.terminology.library import import_terminology

    found = import_terminology(options.name, options.paths)
    if options.json:
        say_json(held_as_json(found))
    else:
        say(f"{found.name} {found.release} is kept in {found.path}")
    return 0


COMMAND = Command("HPO hp.obo", _arguments, import_, project=False)

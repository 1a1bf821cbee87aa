"""`casespan corpus extract`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, add_json
from extractors.model.errors import CallError


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("paths", nargs="+", type=Path, metavar="IN", help="folders, archives, tables")
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="the corpus")
    command.add_argument("--with", dest="extractor", choices=("rules",), help="the built-in rules")
    add_json(command)


def extract(options: argparse.Namespace) -> int:
    """Extract from all that is given."""
    raise CallError(f"Nothing was written to {options.out}.")


COMMAND = Command("articles/ --out corpus --with rules", _arguments, extract, project=False)

"""`casespan plant`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.arguments import Command, add_json
from app.cli.console import tell
from app.operations.bias.seeding import plant_errors
from app.operations.bias.seeding_rules import MISTAKES
from app.operations.bias.tables import describe_planting


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--run", dest="of_run", required=True, metavar="R", help="the run to copy; it stays as it is"
    )
    command.add_argument(
        "--as", dest="name", default="", metavar="NAME", help="the copy's name (default: R for review)"
    )
    number = command.add_mutually_exclusive_group()
    number.add_argument(
        "--share", type=_share, default=0.1, metavar="S", help="errors per span, above 0 to 1 (default: 0.1)"
    )
    number.add_argument("--count", type=_count, metavar="N", help="how many errors")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="another one, other errors")
    command.add_argument(
        "--kind", action="append", choices=MISTAKES, help="only errors of this kind (may be repeated)"
    )
    add_json(command)


def plant(options: argparse.Namespace) -> int:
    """Copy a run with errors."""
    summary = plant_errors(
        options.project,
        options.of_run,
        options.name,
        share=options.share,
        count=options.count,
        seed=options.seed,
        kinds=options.kind or MISTAKES,
    )
    return tell(options, asdict(summary), describe_planting(summary))


def _share(text: str) -> float:
    """A number above 0 and at most 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and at most 1")
    return value


def _count(text: str) -> int:
    """A number from 1 on."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


COMMAND = Command("study.casespan --run rules --as 'rules, second look'", _arguments, plant, writes=True)

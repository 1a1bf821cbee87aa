"""The commands on bias and planted errors, and their arguments."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import add_command, add_json
from app.operations.bias.seeding_rules import MISTAKES

if TYPE_CHECKING:
    from app.cli.arguments import Commands


def add_bias_commands(commands: Commands) -> None:
    """Add them: measure, then plant."""
    _add_bias(commands)
    _add_plant(commands)


def _add_bias(commands: Commands) -> None:
    about = "Measure whether a run's help biases an annotator, as a section for a methods paper"
    example = "study.casespan --annotator 'Dr Ana Ruiz' --run rules --against gold"
    command = add_command(commands, "bias", "biasing", "bias", about, example)
    command.add_argument("--annotator", metavar="A", help="whose work (default: the project's owner)")
    command.add_argument(
        "--run", dest="of_run", metavar="R", help="the run that helped (default: the one that was shown)"
    )
    command.add_argument("--against", metavar="GOLD", help="a reference, to see agreement with the truth")
    command.add_argument(
        "--remove-planted",
        action="store_true",
        help="take the spans in which planted errors came through out of the annotator's set instead",
    )
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write the section as a page")
    output.add_argument("--csv", type=Path, metavar="FILE", help="write every number as CSV, one a row")


def _add_plant(commands: Commands) -> None:
    about = "Copy a run with errors planted into it, to see whether reviewers find them"
    command = add_command(
        commands, "plant", "biasing", "plant", about, "study.casespan --run rules --as 'rules, second look'"
    )
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

"""The commands that set two sets of annotations side by side, and their arguments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import add_command, add_json, add_sides, item_score

if TYPE_CHECKING:
    from app.cli.arguments import Commands


def add_side_commands(commands: Commands) -> None:
    """Add them in the order of the work: compare, list, decide."""
    _add_agree(commands)
    _add_rate(commands)


def _add_agree(commands: Commands) -> None:
    about = "Measure how far two annotators agree"
    command = add_command(
        commands, "agree", "comparison", "agree", about, "study.casespan --left rules --right gold"
    )
    add_sides(command)
    command.add_argument(
        "--profile",
        choices=("paper", "strict"),
        default="paper",
        help="the published formulas, or one-to-one matching with intervals (default: paper)",
    )
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained report")
    output.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")


def _add_rate(commands: Commands) -> None:
    about = "Rate what a run has in a report, on twelve items from 1 to 5, or show the means of such ratings"
    example = "study.casespan --run rules --document PMC123 --rater 'Dr Ana Ruiz' --score accuracy=4"
    command = add_command(commands, "rate", "rating", "rate", about, example)
    command.add_argument(
        "--run", dest="runs", action="append", metavar="NAME", help="the run, or other set, rated"
    )
    command.add_argument("--document", metavar="ID", help="the report")
    command.add_argument("--rater", action="append", metavar="NAME", help="who rates")
    command.add_argument(
        "--score",
        action="append",
        type=item_score,
        metavar="ITEM=N",
        help="one item's score, 5 always the better end (may be repeated; items left out make it partial); "
        "takes the place of an earlier rating",
    )
    command.add_argument("--note", metavar="TEXT", help="a remark on the output")
    command.add_argument("--remove", action="store_true", help="take a rating away")
    command.add_argument(
        "--blind", action="store_true", help="the rater is not told the names of the runs (Output A, ...)"
    )
    command.add_argument(
        "--from", dest="sheet", type=Path, metavar="FILE", help="record the ratings of a CSV sheet"
    )
    command.add_argument(
        "--template", type=Path, metavar="FILE", help="write a CSV sheet with the outputs to be rated"
    )
    add_json(command)
    command.add_argument("--csv", type=Path, metavar="FILE", help="write every score as CSV, one a row")
    command.add_argument("--html", type=Path, metavar="FILE", help="write the means as a page")

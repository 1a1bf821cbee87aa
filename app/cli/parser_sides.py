"""The commands that set two sets of annotations side by side, and their arguments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import add_command, add_json, add_sides, score

if TYPE_CHECKING:
    from app.cli.arguments import Commands


def add_side_commands(commands: Commands) -> None:
    """Add them in the order of the work: compare, list, decide."""
    _add_agree(commands)
    _add_queue(commands)


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


def _add_queue(commands: Commands) -> None:
    about = "List the report-category pairs that need reconciling, worst first"
    command = add_command(
        commands, "queue", "comparison", "queue", about, "study.casespan --left ana --right ben --below 30"
    )
    add_sides(command)
    command.add_argument("--below", type=score, metavar="TSR", help="the threshold, 0-100 (default: 30)")
    add_json(command)

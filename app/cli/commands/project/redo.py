"""`casespan redo`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command
from app.cli.console import echo
from app.operations.project.history import redo_change, redo_to
from app.text import counted


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--to",
        metavar="ACT",
        help="make all again up to this act of the history (its `act` in history --json)",
    )


def redo(options: argparse.Namespace) -> int:
    """Make the change again that was taken back last."""
    if options.to is not None:
        redone = redo_to(options.project, options.to)
        for one in redone:
            echo(f"Done again: {one.name} ({one.who}, {one.at}).")
        echo(f"{counted(len(redone), 'change')} done again.")
        return 0
    entry = redo_change(options.project)
    echo(f"Done again: {entry.name} ({entry.who}, {entry.at})." if entry else "There is nothing to redo.")
    return 0


COMMAND = Command("study.casespan", _arguments, redo, writes=True)

"""`casespan undo`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command
from app.cli.console import echo
from app.operations.project.history import undo_change, undo_to
from app.text import counted


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--past-runs", action="store_true", help="also where a model run came after it, which is kept"
    )
    command.add_argument(
        "--to",
        metavar="ACT",
        help="take back all that was done after this act of the history (its `act` in history --json)",
    )


def undo(options: argparse.Namespace) -> int:
    """Take the last change back."""
    if options.to is not None:
        undone = undo_to(options.project, options.to)
        for one in undone:
            echo(f"Undone: {one.name} ({one.who}, {one.at}).")
        echo(f"{counted(len(undone), 'change')} undone.")
        return 0
    entry = undo_change(options.project, past_runs=options.past_runs)
    echo(f"Undone: {entry.name} ({entry.who}, {entry.at})." if entry else "There is nothing to undo.")
    return 0


COMMAND = Command("study.casespan", _arguments, undo, writes=True)

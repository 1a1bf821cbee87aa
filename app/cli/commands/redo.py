"""`casespan redo`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command, no_arguments
from app.cli.console import say
from app.operations.project.history import redo_change


def redo(options: argparse.Namespace) -> int:
    """Make the change again that was taken back last."""
    entry = redo_change(options.project)
    say(f"Done again: {entry.name} ({entry.who}, {entry.at})." if entry else "There is nothing to redo.")
    return 0


COMMAND = Command("study.casespan", no_arguments, redo, writes=True)

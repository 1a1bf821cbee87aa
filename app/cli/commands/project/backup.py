"""`casespan backup`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command
from app.cli.console import echo
from app.operations.project.backups import save_backup


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("out", type=Path, metavar="OUT", help="the copy to make (NAME.casespan)")


def backup(options: argparse.Namespace) -> int:
    """Copy the project as it is, also while it is open in the window."""
    echo(f"Saved a copy: {save_backup(options.project, options.out)}")
    return 0


COMMAND = Command("study.casespan /media/stick/study.casespan", _arguments, backup, writes=None)

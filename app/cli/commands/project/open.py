"""`casespan open`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command
from app.cli.console import show


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "project", nargs="?", type=Path, metavar="PROJECT", help="the project file (NAME.casespan)"
    )


def open_(options: argparse.Namespace) -> int:
    """Open the window."""
    return show(options, options.project)


COMMAND = Command("study.casespan", _arguments, open_, project=False)

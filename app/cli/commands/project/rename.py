"""`casespan rename`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command, add_json
from app.cli.console import tell
from app.operations.project.reports import rename_report


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("report", metavar="ID", help="the report")
    command.add_argument("--title", metavar="T", help="its title from now on")
    command.add_argument("--key", metavar="ID", help="its key from now on")
    add_json(command)


def rename(options: argparse.Namespace) -> int:
    """Give a report another title or key."""
    after = rename_report(options.project, options.report, title=options.title or "", key=options.key or "")
    return tell(options, {"id": after.key, "title": after.title}, [f"{after.key}: {after.title}"])


COMMAND = Command("study.casespan PMC123 --title 'Ataxia in two sisters'", _arguments, rename, writes=True)

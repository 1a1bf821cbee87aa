"""`casespan rename`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command, add_json
from app.cli.console import say, say_json
from app.operations.project.reports import rename_report


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("report", metavar="ID", help="the report")
    command.add_argument("--title", metavar="T", help="its title from now on")
    command.add_argument("--key", metavar="ID", help="its key from now on")
    add_json(command)


def rename(options: argparse.Namespace) -> int:
    """Give a report another title or key."""
    after = rename_report(options.project, options.report, title=options.title or "", key=options.key or "")
    if options.json:
        say_json({"id": after.key, "title": after.title})
    else:
        say(f"{after.key}: {after.title}")
    return 0


COMMAND = Command("study.casespan PMC123 --title 'Ataxia in two sisters'", _arguments, rename, writes=True)

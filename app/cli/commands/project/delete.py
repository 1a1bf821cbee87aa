"""`casespan delete`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command, add_json
from app.cli.console import echo, echo_json
from app.operations.project.reports import delete_reports


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("reports", nargs="+", metavar="ID", help="the reports")
    add_json(command)


def delete(options: argparse.Namespace) -> int:
    """Delete reports with all that is about them."""
    gone = delete_reports(options.project, options.reports)
    if options.json:
        echo_json(
            [
                {"id": one.key, "title": one.title, "annotations": one.spans, "besides": list(one.besides)}
                for one in gone
            ]
        )
        return 0
    for one in gone:
        echo(f"Deleted {one.key}" + (f", with {one.words}." if one.words else "."))
    echo(f"The history keeps all of it: casespan undo {options.path} brings it back.")
    return 0


COMMAND = Command("study.casespan PMC123 PMC456", _arguments, delete, writes=True)

"""`casespan check`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.arguments import Command, add_json
from app.cli.console import echo, echo_json
from app.operations.project.files import check_project, make_search_index


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--new-index", action="store_true", help="make the index of words anew beforehand")
    add_json(command)


def check(options: argparse.Namespace) -> int:
    """Show everything that is not as it was written."""
    if options.new_index:
        make_search_index(options.project)
    problems = check_project(options.project)
    if options.json:
        echo_json([asdict(problem) for problem in problems])
    elif not problems:
        echo("Nothing is wrong: hashes, offsets and history agree.")
    for problem in [] if options.json else problems:
        echo(f"{problem.kind}  {problem.where}: {problem.message}")
    return 1 if problems else 0


COMMAND = Command("study.casespan", _arguments, check, writes=None)

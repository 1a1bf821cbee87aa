"""`casespan check` and `identifiers`."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict

from app.cli.arguments import Command, add_json, echo, echo_json, echo_table, finish, tell
from app.operations.project.files import check_project, make_search_index
from app.operations.project.identifiers import Suspected, find_identifiers, identifiers_sentence


def _check_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--new-index", action="store_true", help="make the index of words anew beforehand")
    add_json(command)


def check(options: argparse.Namespace) -> int:
    if options.new_index:
        make_search_index(options.project)
    problems = check_project(options.project)
    lines = [f"{problem.kind}  {problem.where}: {problem.message}" for problem in problems]
    sound = "Nothing is wrong: hashes, offsets and history agree."
    tell(options, [asdict(problem) for problem in problems], lines or [sound])
    return 1 if problems else 0


CHECK = Command("study.casespan", _check_arguments, check, writes=None)


def identifiers(options: argparse.Namespace) -> int:
    found = finish(find_identifiers(options.project))
    if options.json:
        kinds = Counter(one.kind for report in found.values() for one in report)
        reports = [
            {"report": key, "identifiers": [_as_json(one) for one in report]} for key, report in found.items()
        ]
        echo_json({"reports": reports, "totals": dict(sorted(kinds.items()))})
    elif not found:
        echo("No names after titles, dates, record numbers, telephones or addresses were found.")
    else:
        rows = [
            (key, one.where, f"{one.start}-{one.end}", one.kind, one.text, one.annotator)
            for key, report in found.items()
            for one in report
        ]
        echo_table(("report", "in", "place", "may be", "words", "by"), rows)
        echo(identifiers_sentence(found).split(" Look")[0])
    return 0


def _as_json(one: Suspected) -> dict[str, object]:
    return {name: value for name, value in asdict(one).items() if name != "holders"}


IDENTIFIERS = Command("study.casespan", add_json, identifiers)

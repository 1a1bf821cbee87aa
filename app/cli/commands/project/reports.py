"""`casespan delete` and `rename`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command, add_json, tell
from app.operations.project.reports import delete_reports, rename_report


def _delete_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("reports", nargs="+", metavar="ID", help="the reports")
    add_json(command)


def delete(options: argparse.Namespace) -> int:
    gone = delete_reports(options.project, options.reports)
    value = [
        {"id": one.key, "title": one.title, "annotations": one.spans, "besides": list(one.besides)}
        for one in gone
    ]
    lines = [f"Deleted {one.key}" + (f", with {one.words}." if one.words else ".") for one in gone]
    kept = f"The history keeps all of it: casespan undo {options.path} brings it back."
    return tell(options, value, [*lines, kept])


DELETE = Command("study.casespan PMC123 PMC456", _delete_arguments, delete, writes=True)


def _rename_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("report", metavar="ID", help="the report")
    command.add_argument("--title", metavar="T", help="its title from now on")
    command.add_argument("--key", metavar="ID", help="its key from now on")
    add_json(command)


def rename(options: argparse.Namespace) -> int:
    after = rename_report(options.project, options.report, title=options.title or "", key=options.key or "")
    return tell(options, {"id": after.key, "title": after.title}, [f"{after.key}: {after.title}"])


RENAME = Command(
    "study.casespan PMC123 --title 'Ataxia in two sisters'", _rename_arguments, rename, writes=True
)

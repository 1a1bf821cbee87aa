"""`casespan figures`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, add_annotator, add_json
from app.cli.console import say, say_json, say_lines
from app.operations.find.figures import count_project
from app.operations.find.spans import whose
from app.operations.project.output import write_bytes
from app.tables import csv_text, records, text_lines


def _arguments(command: argparse.ArgumentParser) -> None:
    add_annotator(command)
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")


def figures(options: argparse.Namespace) -> int:
    """Show the figures, table by table."""
    found = count_project(options.project, whose(options.project, options.annotator)[0])
    if options.json:
        tables = {key: records(table) for key, table in found.tables.items()}
        say_json({"annotator": found.annotator, "summary": found.summary, **tables})
        return 0
    if options.csv:
        parts = [f"{table.title}\n{csv_text(table)}" for table in found.tables.values()]
        write_bytes(options.csv, "\n".join(parts).encode())
        say(f"The figures were written to {options.csv}.")
        return 0
    say(found.summary)
    for table in found.tables.values():
        say()
        say(table.title)
        say_lines("\n".join([*text_lines(table), *table.notes]) if table.rows else "none")
    return 0


COMMAND = Command("study.casespan --json", _arguments, figures)

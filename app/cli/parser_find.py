"""The commands that find words, spans and figures in a project, and their arguments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import add_command, add_json

if TYPE_CHECKING:
    import argparse

    from app.cli.arguments import Commands


def add_find_commands(commands: Commands) -> None:
    """Add them: words, spans, figures."""
    _add_search(commands)
    _add_spans(commands)
    _add_figures(commands)


def _add_search(commands: Commands) -> None:
    about = "Find words in texts, titles, quotes, notes and categories"
    command = add_command(commands, "search", "finding", "search", about, "study.casespan seizure 'hypert*'")
    command.add_argument(
        "words",
        nargs="+",
        metavar="WORDS",
        help="all must be there, in any of their forms; one argument of several words is a phrase; "
        "word* finds all that begins so",
    )
    _add_annotator(command)
    add_json(command)


def _add_spans(commands: Commands) -> None:
    about = "List the spans of a report, a category or the project, or change several at once"
    command = add_command(
        commands, "spans", "finding", "spans", about, "study.casespan --category GI --csv spans.csv"
    )
    _add_annotator(command)
    command.add_argument("--document", metavar="ID", help="one report (default: all)")
    command.add_argument("--category", metavar="C", help="one category (default: all)")
    command.add_argument(
        "--id", dest="ids", action="append", metavar="ID", help="one span by its ID (may be repeated)"
    )
    act = command.add_mutually_exclusive_group()
    act.add_argument("--relabel", metavar="C", help="put all that is listed into another category")
    act.add_argument("--delete", action="store_true", help="remove all that is listed; undo brings it back")
    _add_output(command)


def _add_figures(commands: Commands) -> None:
    about = "Count reports, spans, words and time by category, annotator, polarity and section"
    command = add_command(commands, "figures", "finding", "figures", about, "study.casespan --json")
    _add_annotator(command)
    _add_output(command)


def _add_annotator(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--annotator",
        metavar="NAME",
        help="whose spans (default: those of the project's annotator; that others' were shown is recorded)",
    )


def _add_output(command: argparse.ArgumentParser) -> None:
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")

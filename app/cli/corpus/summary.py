"""`casespan corpus summary`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, add_json
from app.cli.console import echo, finish, tell
from app.cli.corpus.sample import add_folder
from app.operations.corpus.summary import (
    summarise_corpus,
    summary_json,
    summary_page,
    summary_sentences,
    summary_tables,
)
from app.operations.project.output import write_bytes
from app.tables import text_lines


def _arguments(command: argparse.ArgumentParser) -> None:
    add_folder(command)
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained page with charts")


def summary(options: argparse.Namespace) -> int:
    """Say what is in a corpus."""
    found = finish(summarise_corpus(options.folder))
    if options.html:
        write_bytes(options.html, summary_page(found, options.folder.name).encode())
        echo(f"Summary of {options.folder} written to {options.html}.")
        return 0
    lines = summary_sentences(found)
    for table in summary_tables(found).values():
        if table.rows:
            lines += ["", table.title, "", *text_lines(table, [])]
    return tell(options, summary_json(found), lines)


COMMAND = Command("corpus --html corpus.html", _arguments, summary, project=False)

"""`casespan corpus quality`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, add_json
from app.cli.console import tell
from app.cli.corpus.sample import add_folder
from app.cli.servers import positive
from app.operations.corpus.quality import (
    WIDTH,
    measure_quality,
    quality_json,
    quality_sentences,
    quality_tables,
)
from app.tables import text_lines


def _arguments(command: argparse.ArgumentParser) -> None:
    add_folder(command)
    command.add_argument("sample", type=Path, metavar="PROJECT", help="the project that was drawn from it")
    command.add_argument("--annotator", required=True, metavar="NAME", help="who annotated it")
    command.add_argument(
        "--width",
        type=positive(float),
        default=WIDTH,
        metavar="W",
        help=f"how wide intervals may be, for the number of reports still needed (default: {WIDTH:g})",
    )
    add_json(command)


def quality(options: argparse.Namespace) -> int:
    """Say how good the whole corpus is."""
    found = measure_quality(options.folder, options.sample, options.annotator, options.width)
    lines = quality_sentences(found)
    for table in quality_tables(found):
        lines += ["", table.title, "", *text_lines(table, []), *table.notes]
    return tell(options, quality_json(found), lines)


COMMAND = Command("corpus sample.casespan --annotator ana", _arguments, quality, project=False)

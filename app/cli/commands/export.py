"""`casespan export`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import REPLIES, Command, add_json
from app.cli.console import tell
from app.formats import WRITE_FORMATS
from app.operations.exchange.exporting import describe_export, export_annotations
from app.text import counted


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("out", type=Path, metavar="OUT", help="the file to write; for brat, a new folder")
    command.add_argument("--format", choices=(*WRITE_FORMATS, REPLIES), required=True, help="what to write")
    command.add_argument("--annotator", required=True, metavar="NAME", help="the annotator")
    add_json(command)


def export(options: argparse.Namespace) -> int:
    """Write one annotator's annotations, or a run's replies, to a file."""
    if options.format == REPLIES:
        return _replies(options)
    summary = export_annotations(options.project, options.out, options.format, options.annotator)
    value = {**asdict(summary), "out": str(summary.out), "notes": list(summary.notes)}
    first, *more = describe_export(summary, options.annotator)
    return tell(options, value, [first, *(f"  {line}" for line in more)])


def _replies(options: argparse.Namespace) -> int:
    # Imported here: exporting annotations needs none of it.
    from app.operations.extract.replies import record_replies

    number = record_replies(options.project, options.out, options.annotator)
    said = f"{counted(number, 'reply', 'replies')} written to {options.out}."
    return tell(options, {"out": str(options.out), "replies": number}, [said])


COMMAND = Command("study.casespan gold.jsonl --format jsonl --annotator gold", _arguments, export)

"""`casespan export`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import REPLIES, Command, add_json, complain, finish, tell
from app.formats import WRITE_FORMATS
from app.operations.exchange.exporting import Selection, describe_export, export_annotations
from app.operations.project.identifiers import find_identifiers, identifiers_sentence
from app.text import counted

_SPLITS = 3


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("out", type=Path, metavar="OUT", help="what to write; for brat and hf a new folder")
    command.add_argument("--format", choices=(*WRITE_FORMATS, REPLIES), required=True, help="what to write")
    command.add_argument("--annotator", required=True, metavar="NAME", help="the annotator")
    command.add_argument(
        "--document", action="append", default=[], metavar="ID", help="one report only (repeatable)"
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="how hf is divided (default 0)")
    command.add_argument(
        "--splits",
        type=_splits,
        default=Selection().splits,
        metavar="A,B,C",
        help="parts of hf for training, validation and test (default 80,10,10)",
    )
    add_json(command)


def _splits(value: str) -> tuple[int, ...]:
    parts = tuple(int(part) if part.strip().isdigit() else -1 for part in value.split(","))
    if len(parts) != _SPLITS or min(parts) < 0 or not parts[0]:
        raise argparse.ArgumentTypeError("give three whole numbers such as 80,10,10, the first above 0")
    return parts


def export(options: argparse.Namespace) -> int:
    """Write one annotator's annotations, or a run's replies, to a file."""
    if options.format == REPLIES:
        return _replies(options)
    warning = identifiers_sentence(finish(find_identifiers(options.project, options.document)))
    if warning:
        complain(f"{warning} `casespan identifiers` lists them.")
    selection = Selection(tuple(options.document), options.seed, options.splits)
    summary = export_annotations(options.project, options.out, options.format, options.annotator, selection)
    value = {**asdict(summary), "out": str(summary.out), "notes": list(summary.notes)}
    first, *more = describe_export(summary, options.annotator)
    return tell(options, value, [first, *(f"  {line}" for line in more)])


def _replies(options: argparse.Namespace) -> int:
    # Imported here: exporting annotations needs none of it.
    from app.operations.extract.runs import record_replies

    number = record_replies(options.project, options.out, options.annotator)
    words = f"{counted(number, 'reply', 'replies')} written to {options.out}."
    return tell(options, {"out": str(options.out), "replies": number}, [words])


COMMAND = Command("study.casespan gold.jsonl --format jsonl --annotator gold", _arguments, export)

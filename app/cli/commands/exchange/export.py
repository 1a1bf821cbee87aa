"""`casespan export`, `packet` and `merge`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import REPLIES, Command, add_json, complain, finish, tell
from app.formats import WRITE_FORMATS
from app.operations.exchange.exporting import Selection, describe_export, export_annotations
from app.operations.exchange.merging import bring_together, describe_merge
from app.operations.exchange.packets import cut_packets
from app.operations.project.identifiers import find_identifiers, identifiers_sentence, written_identifiers
from app.text import counted
from extractors.model.errors import CallError

_SPLITS = 3


def _export_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "out", type=Path, metavar="OUT", help="what to write; a new folder for a format of several files"
    )
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
    if options.format == REPLIES:
        return _replies(options)
    found = finish(find_identifiers(options.project, options.document))
    if warning := identifiers_sentence(written_identifiers(found, options.annotator, options.format)):
        complain(f"{warning} `casespan identifiers` lists them.")
    selection = Selection(tuple(options.document), options.seed, options.splits)
    summary = export_annotations(options.project, options.out, options.format, options.annotator, selection)
    value = {**asdict(summary), "out": str(summary.out), "notes": list(summary.notes)}
    first, *more = describe_export(summary, options.annotator)
    return tell(options, value, [first, *(f"  {line}" for line in more)])


def _replies(options: argparse.Namespace) -> int:
    if options.document:
        raise CallError("--document is not for replies: those of a run are written as a whole.")
    # Imported here: exporting annotations needs none of it.
    from app.operations.extract.runs import record_replies

    number = record_replies(options.project, options.out, options.annotator)
    words = f"{counted(number, 'reply', 'replies')} written to {options.out}."
    return tell(options, {"out": str(options.out), "replies": number}, [words])


EXPORT = Command("study.casespan gold.jsonl --format jsonl --annotator gold", _export_arguments, export)


def _packet_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", type=Path, metavar="DIR", help="where the packets go")
    command.add_argument("--to", nargs="+", required=True, metavar="NAME", help="the annotators")
    command.add_argument(
        "--overlap",
        type=int,
        metavar="K",
        help="give each report to so many of them, alike in words (default: every report to everybody)",
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="decides among equals (default: 0)")
    add_json(command)


def packet(options: argparse.Namespace) -> int:
    job = cut_packets(options.project, options.folder, options.to, overlap=options.overlap, seed=options.seed)
    cut = finish(job)
    value = [
        {"annotator": one.annotator, "file": str(one.file), "reports": one.reports, "words": one.words}
        for one in cut
    ]
    lines = [
        f"{one.file}: {counted(one.reports, 'report')}, {counted(one.words, 'word')} for {one.annotator}."
        for one in cut
    ]
    after = f"When they come back: casespan merge {options.path} {' '.join(str(one.file) for one in cut)}"
    return tell(options, {"packets": value}, [*lines, after])


PACKET = Command(
    "study.casespan packets --to Anna Ben Chloe --overlap 2", _packet_arguments, packet, writes=True
)


def _merge_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("others", nargs="+", type=Path, metavar="OTHER", help="packets and copies")
    command.add_argument("--preview", action="store_true", help="say what would come, and change nothing")
    add_json(command)


def merge(options: argparse.Namespace) -> int:
    merged = finish(bring_together(options.project, options.others, preview=options.preview))
    value = {
        "added": dict(merged.added),
        "changed": dict(merged.changed),
        "removed": dict(merged.removed),
        "same": merged.same,
        "settled": merged.settled.total(),
        "kept": merged.kept.total(),
        "unassigned": {name: [*keys] for name, keys in merged.unassigned.items()},
        "conflicts": [asdict(one) for one in merged.conflicts],
        "refused": [asdict(one) for one in merged.refused],
    }
    tell(options, value, describe_merge(merged, preview=options.preview))
    return 1 if merged.refused else 0


MERGE = Command(
    "study.casespan packets/anna.casespan packets/ben.casespan", _merge_arguments, merge, writes=True
)

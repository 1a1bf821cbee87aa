"""`casespan packet` and `merge`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, add_json, finish, tell
from app.operations.exchange.merging import bring_together, describe_merge
from app.operations.exchange.packets import cut_packets
from app.text import counted


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
    """Write a project file for each annotator."""
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
    """Bring packets and copies of a project back together."""
    merged = finish(bring_together(options.project, options.others, preview=options.preview))
    value = {
        "added": dict(merged.added),
        "changed": dict(merged.changed),
        "removed": dict(merged.removed),
        "same": merged.same,
        "settled": merged.settled,
        "conflicts": [asdict(one) for one in merged.conflicts],
        "refused": [asdict(one) for one in merged.refused],
    }
    tell(options, value, describe_merge(merged, preview=options.preview))
    return 1 if merged.refused else 0


MERGE = Command(
    "study.casespan packets/anna.casespan packets/ben.casespan", _merge_arguments, merge, writes=True
)

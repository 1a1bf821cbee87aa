"""`casespan packet`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, add_json
from app.cli.console import finish, tell
from app.operations.exchange.packets import cut_packets
from app.text import counted


def _arguments(command: argparse.ArgumentParser) -> None:
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


COMMAND = Command("study.casespan packets --to Anna Ben Chloe --overlap 2", _arguments, packet, writes=True)

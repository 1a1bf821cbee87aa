"""`casespan export`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.console import counted, say, say_json
from app.operations.exporting import export_annotations
from app.operations.formats import REPLIES


def export(options: argparse.Namespace) -> int:
    """Write one annotator's annotations, or a run's replies, to a file."""
    if options.format == REPLIES:
        return _replies(options)
    summary = export_annotations(options.project, options.out, options.format, options.annotator)
    if options.json:
        say_json({**asdict(summary), "out": str(summary.out), "notes": list(summary.notes)})
        return 0
    annotations, reports = counted(summary.annotations, "annotation"), counted(summary.reports, "report")
    say(f"{annotations} of {reports} written to {summary.out}.")
    if summary.unplaced:
        say(f"  {summary.unplaced} of them have no place in their report; they are written without one")
    if summary.not_looked_at:
        left = counted(summary.not_looked_at, "report")
        say(f"  {left} not written: {options.annotator} has not looked at them")
    for note in summary.notes:
        say(f"  {note}")
    return 0


def _replies(options: argparse.Namespace) -> int:
    # Imported here: exporting annotations needs none of it.
    from app.operations.recording import record_replies

    number = record_replies(options.project, options.out, options.annotator)
    if options.json:
        say_json({"out": str(options.out), "replies": number})
    else:
        say(f"{counted(number, 'reply', 'replies')} written to {options.out}.")
    return 0

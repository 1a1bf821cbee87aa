"""`casespan export`."""

from __future__ import annotations

import argparse

from app.cli.console import counted, say
from app.operations.exporting import export_annotations


def export(options: argparse.Namespace) -> int:
    """Write one annotator's annotations to a file."""
    summary = export_annotations(options.project, options.out, options.format, options.annotator)
    annotations, reports = counted(summary.annotations, "annotation"), counted(summary.reports, "report")
    say(f"{annotations} of {reports} written to {summary.out}.")
    if summary.unplaced:
        say(f"  {summary.unplaced} of them have no place in their report; they are written without one")
    return 0

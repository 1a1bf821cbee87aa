"""`casespan extract`."""

from __future__ import annotations

import argparse

from app.cli.console import counted, finish, say, say_json
from app.operations.extraction import extract_with_rules


def extract(options: argparse.Namespace) -> int:
    """Run the built-in rules."""
    summary = finish(extract_with_rules(options.project, options.document or (), options.category or ()))
    if options.json:
        say_json(
            {
                "annotator": summary.annotator,
                "version": summary.version,
                "findings": summary.findings,
                "unchanged": summary.unchanged,
                "notes": list(summary.notes),
            }
        )
        return 0
    total = sum(summary.findings.values())
    if not summary.findings:
        say(f"There are no reports yet. Next: casespan import {options.project} REPORTS")
        return 0
    reports = counted(len(summary.findings), "report")
    say(f"{summary.annotator}: {counted(total, 'finding')} in {reports} ({summary.version}).")
    if summary.unchanged:
        say(f"  {counted(summary.unchanged, 'report')} came out as before")
    for note in summary.notes:
        say(f"  {note}")
    return 0

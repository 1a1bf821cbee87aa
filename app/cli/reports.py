"""`casespan delete` and `rename`."""

from __future__ import annotations

import argparse

from app.cli.console import say, say_json
from app.operations.project.reports import delete_reports, rename_report


def delete(options: argparse.Namespace) -> int:
    """Delete reports with all that is about them."""
    gone = delete_reports(options.project, options.reports)
    if options.json:
        say_json(
            [
                {"id": one.key, "title": one.title, "annotations": one.spans, "besides": list(one.besides)}
                for one in gone
            ]
        )
        return 0
    for one in gone:
        say(f"Deleted {one.key}" + (f", with {one.words}." if one.words else "."))
    say(f"The history keeps all of it: casespan undo {options.project} brings it back.")
    return 0


def rename(options: argparse.Namespace) -> int:
    """Give a report another title or key."""
    after = rename_report(options.project, options.report, title=options.title or "", key=options.key or "")
    if options.json:
        say_json({"id": after.key, "title": after.title})
    else:
        say(f"{after.key}: {after.title}")
    return 0

"""`casespan agree` and `queue`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.console import say, say_json, say_lines
from app.operations.comparing import (
    agreement_json,
    agreement_table,
    list_queue,
    measure_agreement,
    report_agreement,
    tabulate_agreement,
)


def agree(options: argparse.Namespace) -> int:
    """Measure agreement: a table, JSON, or a file."""
    if options.html:
        report_agreement(options.project, options.left, options.right, options.html)
        say(f"Agreement of {options.left} with {options.right} written to {options.html}.")
    elif options.csv:
        tabulate_agreement(options.project, options.left, options.right, options.profile, options.csv)
        say(f"Agreement of {options.left} with {options.right} written to {options.csv}.")
    else:
        agreement = measure_agreement(options.project, options.left, options.right, options.profile)
        if options.json:
            say_json(agreement_json(agreement))
        else:
            say_lines(agreement_table(agreement))
    return 0


def queue(options: argparse.Namespace) -> int:
    """List what needs reconciling."""
    items, remarks = list_queue(options.project, options.left, options.right, options.below)
    if options.json:
        said = {"remarks": list(remarks)} if remarks else {}
        say_json([{**asdict(item), **said} for item in items])
        return 0
    for remark in remarks:
        say(remark)
    if not items:
        say("Nothing to reconcile: no report-category pair is below the threshold.")
    for item in items:
        say(f"{item.key}  {item.category}  TSR {item.tsr:.0f}  {item.title}")
        for name, quotes in ((options.left, item.left), (options.right, item.right)):
            say(f"    {name}:")
            for quote in quotes or ("(nothing)",):
                say(f"        {quote}")
    return 0

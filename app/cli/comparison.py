"""`casespan agree` and `queue`."""

from __future__ import annotations

import argparse

from app.cli.console import say, say_json, say_lines
from app.operations.comparing import (
    agreement_json,
    agreement_table,
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

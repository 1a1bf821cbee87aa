"""`casespan gold`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from app.cli.arguments import echo, echo_json, tell
from app.operations.reconcile.gold import build_gold, gold_sentences
from app.operations.reconcile.queue import list_corrections
from app.text import counted
from extractors.model.errors import CallError

if TYPE_CHECKING:
    pass
from app.cli.arguments import Command, add_json, add_sides
from app.cli.differences import adjudicator, words


def _arguments(command: argparse.ArgumentParser) -> None:
    add_sides(command, required=False)
    command.add_argument(
        "--as",
        dest="name",
        default="",
        metavar="NAME",
        help='its name (default: gold, or "gold of A and B" where gold holds something else)',
    )
    command.add_argument("--by", metavar="NAME", help="who builds it (default: whoever made the project)")
    command.add_argument("--dry-run", action="store_true", help="say what would be built, build nothing")
    command.add_argument(
        "--corrections", metavar="ANNOTATOR", help="how this annotator's work was corrected; builds nothing"
    )
    add_json(command)


def gold(options: argparse.Namespace) -> int:
    """Build the gold set, or show corrections."""
    if options.corrections:
        return _show_corrections(options)
    if not (options.left and options.right):
        raise CallError("A gold set is built from two annotators; name them with --left and --right.")
    by = adjudicator(options)
    sides = (options.left, options.right)
    summary = build_gold(options.project, by, *sides, options.name, dry_run=options.dry_run)
    sentences = gold_sentences(summary, dry_run=options.dry_run)
    return tell(options, {**asdict(summary), "differences": summary.differences}, sentences)


def _show_corrections(options: argparse.Namespace) -> int:
    found = list_corrections(options.project, options.corrections)
    if options.json:
        echo_json([asdict(one) for one in found])
        return 0
    kept = sum(one.kept for one in found)
    echo(
        f"{counted(len(found), 'decided difference')} of {options.corrections}: {kept:,} kept, "
        f"{len(found) - kept:,} corrected."
    )
    for one in found:
        echo()
        echo(f"{one.report}  {one.kind}  {one.category}  {'kept' if one.kept else 'corrected'}  {one.reason}")
        for side, findings in ((options.corrections, one.mine), ("gold", one.gold)):
            echo(f"    {side}: {'' if findings else '(nothing)'}")
            for finding in findings:
                echo(f"        {words(finding)}")
        if one.note or one.clause:
            echo(f"    {one.note}{' ' if one.note and one.clause else ''}{one.clause}")
    return 0


COMMAND = Command(
    "study.casespan --left ana --right ben",
    _arguments,
    gold,
    writes=lambda options: not options.corrections,
)

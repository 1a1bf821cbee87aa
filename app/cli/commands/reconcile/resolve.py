"""`casespan resolve`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli.arguments import Command, add_json, add_sides, echo, echo_json, tell
from app.cli.differences import add_below, adjudicator, decision_json, words
from app.operations.project.sets import polarity_named
from app.operations.reconcile.decisions import (
    EditedSpan,
    Resolution,
    choice_named,
    decide_all,
    preview_decisions,
    with_alike,
)
from app.operations.reconcile.decisions_file import read_resolution_file, read_resolutions
from app.operations.reconcile.queue import read_queue
from app.reconcile.types import Difference
from app.text import counted
from extractors.model.errors import CallError

_TAKE = ("left", "right", "both", "merged", "edited", "neither", "ask")
_REASONS = ("guideline-gap", "slip", "ambiguous-text", "model-error", "preference")
_ALIKE = ("words", "cue", "head", "habit", "labels", "scope")


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--id",
        dest="ids",
        action="extend",
        nargs="+",
        default=[],
        metavar="ID",
        help="a difference, or REPORT/CATEGORY for all that is undecided there (may be several)",
    )
    add_sides(command)
    add_below(command)
    command.add_argument("--take", choices=_TAKE, help="the decision; ask leaves the question open")
    command.add_argument(
        "--span",
        action="append",
        type=_span,
        default=[],
        metavar="START:END:C[:POLARITY[:FIELD]]",
        help="with --take edited: the right span, in code points of the text (may be repeated)",
    )
    command.add_argument("--reason", choices=_REASONS, default="", help="why the sides differ")
    command.add_argument("--note", default="", metavar="TEXT", help="a remark for the record")
    command.add_argument(
        "--clause", default="", metavar="TEXT", help="the clause of the guideline it touches"
    )
    command.add_argument("--confidence", type=float, metavar="0-1", help="how sure the decision is")
    command.add_argument(
        "--alike",
        action="append",
        choices=_ALIKE,
        default=[],
        help="also decide what is alike, from narrow to wide: the same words; the same few words at an edge, "
        "or negation (cue); the same last word (head); the same habit at the edges or of a side alone "
        "(an article, a number, a whole sentence); the same pair of labels; all of this kind in the category "
        "(scope); may be repeated, --dry-run lists them",
    )
    command.add_argument(
        "--from",
        dest="orders",
        metavar="FILE",
        help="decisions as JSON, a list or one a line (- reads the standard input): "
        '{"id", "take", "reason", "note", "clause", "confidence", "spans": [{"start", "end", "category", '
        '"polarity", "field"}]}; all of them or none',
    )
    command.add_argument("--by", metavar="NAME", help="who decides (default: whoever made the project)")
    command.add_argument("--dry-run", action="store_true", help="say what would be decided, decide nothing")
    add_json(command)


def resolve(options: argparse.Namespace) -> int:
    orders = _orders(options)
    project = options.project
    found = read_queue(project, options.left, options.right, below=options.below)
    by = adjudicator(options)
    orders = with_alike(project, found, orders, options.alike) if options.alike else orders
    if options.dry_run:
        return _echo_chosen(options, preview_decisions(project, found, orders))
    taken = decide_all(project, by, found, orders)
    settled = {one.difference for one in taken if one.choice != "ask"}
    before = {one for one in found.differences if found.state(one) == "decided"}
    left_over = len(found.differences) - len(before - {one.difference for one in taken} | settled)
    words = f"Decided on {counted(len(taken), 'difference')}; {left_over:,} undecided."
    return tell(options, [decision_json(one) for one in taken], [words])


def _orders(options: argparse.Namespace) -> Sequence[tuple[Sequence[str], Resolution]]:
    """What is to be decided, from the file or from the arguments."""
    single = (options.ids, options.take, options.span, options.reason, options.note, options.clause)
    if options.orders and (any(single) or options.confidence is not None):
        raise CallError("Give the decisions in a file (--from), or one by --id, --take and so on, not both.")
    if options.orders:
        if options.orders == "-":
            return read_resolutions(sys.stdin.read())
        return read_resolution_file(Path(options.orders))
    if not options.ids or not options.take:
        raise CallError("Name what to decide on and how: --id and --take, or a file with --from.")
    spans = tuple(
        EditedSpan(start, end, category, polarity_named(polarity), field)
        for start, end, category, polarity, field in options.span
    )
    resolution = Resolution(
        choice_named(options.take),
        reason=options.reason,
        note=options.note,
        clause=options.clause,
        confidence=options.confidence,
        spans=spans,
    )
    return [(list(options.ids), resolution)]


def _echo_chosen(options: argparse.Namespace, chosen: Sequence[Difference]) -> int:
    if options.json:
        echo_json([one.id for one in chosen])
        return 0
    echo(f"Would decide on {counted(len(chosen), 'difference')}.")
    for one in chosen:
        echo(f"{one.id}  {one.kind}  {one.report}  {', '.join(one.group.categories)}")
        for quote in one.group.quotes:
            echo(f"    {words(quote.finding)}")
    return 0


def _span(text: str) -> tuple[int, int, str, str, str]:
    """START:END:CATEGORY[:POLARITY[:FIELD]]."""
    start, end, category, polarity, field = (*text.split(":", 4), "", "", "", "")[:5]
    if not (start.isdecimal() and end.isdecimal() and category):
        raise argparse.ArgumentTypeError(f"{text!r} is not START:END:CATEGORY, such as 120:134:DERM")
    return int(start), int(end), category, polarity or "present", field


COMMAND = Command(
    "study.casespan --left ana --right ben --id 3f9a12bc77d0 --take left --reason slip",
    _arguments,
    resolve,
    writes=True,
)

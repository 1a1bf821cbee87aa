"""`casespan queue` and `gold`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from app.cli.arguments import Command, add_json, add_only, add_sides, echo, echo_json, echo_lines, tell
from app.cli.differences import QUOTE_WIDTH, add_below, adjudicator, difference_json, words
from app.operations.reconcile.gold import build_gold, gold_sentences
from app.operations.reconcile.preview import concepts_in_words
from app.operations.reconcile.queue import Queue, keys_named, list_corrections, queue_sentences, read_queue
from app.text import counted, shortened
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.reconcile.queue import QueueItem

_KINDS = ("missing", "boundary", "label", "polarity", "concept")


def _queue_arguments(command: argparse.ArgumentParser) -> None:
    add_sides(command)
    add_below(command)
    command.add_argument(
        "--order",
        choices=("worst", "frequent"),
        default="worst",
        help="the lowest token set ratio first, or the most frequent kind of difference first "
        "(default: worst)",
    )
    command.add_argument(
        "--kind", action="append", choices=_KINDS, help="only differences of this kind (may be repeated)"
    )
    add_only(command, "category", "C")
    add_only(command, "document", "ID")
    command.add_argument(
        "--state",
        choices=("undecided", "open", "asked", "decided", "all"),
        default="undecided",
        help="open and asked again (undecided, the default), one of them, decided, or all",
    )
    add_json(command)


def queue(options: argparse.Namespace) -> int:
    project = options.project
    found = read_queue(project, options.left, options.right, below=options.below, order=options.order)
    for category in options.category or ():
        project.scheme.category(category)
    options.document = keys_named(project, options.document or ())
    items = [item for item in found.items if _wanted(options, found, item)]
    if options.json:
        values = {"remarks": list(found.caveats)} if found.caveats else {}
        echo_json({**_item(found, item), **values} for item in items)
        return 0
    echo_lines((*found.caveats, *queue_sentences(found)))
    if not items:
        echo(
            "Nothing to reconcile: both sides agree on everything."
            if not found.differences
            else "Nothing of the queue is as asked for."
        )
    for item in items:
        _show(found, item)
    return 0


def _wanted(options: argparse.Namespace, found: Queue, item: QueueItem) -> bool:
    state = found.state_of(item)
    in_state = options.state == "all" or (
        state != "decided" if options.state == "undecided" else state == options.state
    )
    categories = set(options.category or ())
    return (
        in_state
        and (not options.kind or any(one.kind in options.kind for one in item.differences))
        and (not categories or any(categories.intersection(one.group.categories) for one in item.differences))
        and (not options.document or item.report in options.document)
    )


def _show(found: Queue, item: QueueItem) -> None:
    name = "category" if item.kind == "pair" else item.kind
    echo()
    echo(f"{item.id}  {name}  {item.report}  {item.category}  score {item.tsr:.0f}  {found.state_of(item)}")
    if item.kind == "pair":
        echo(f"    {shortened(item.title, QUOTE_WIDTH)}")
    for one in item.differences:
        if item.kind == "pair":
            echo(f"    {one.id}  {one.kind}  {found.state(one.id)}")
        for side, marks in ((found.left.name, one.left), (found.right.name, one.right)):
            echo(f"        {side}: {'' if marks else '(nothing)'}")
            for mark in marks:
                coded = f"  {concepts_in_words([mark])}" if mark.concepts or one.kind == "concept" else ""
                echo(f"            {words(mark.finding)}{coded}")


def _item(found: Queue, item: QueueItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "kind": item.kind,
        "key": item.report,
        "title": item.title,
        "category": item.category,
        "tsr": item.tsr,
        "state": found.state_of(item),
        "left": [mark.finding.quote for mark in item.left],
        "right": [mark.finding.quote for mark in item.right],
        "differences": [difference_json(found, one) for one in item.differences],
    }


QUEUE = Command("study.casespan --left ana --right ben --below 30 --state open", _queue_arguments, queue)


def _gold_arguments(command: argparse.ArgumentParser) -> None:
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


GOLD = Command(
    "study.casespan --left ana --right ben",
    _gold_arguments,
    gold,
    writes=lambda options: not options.corrections,
)

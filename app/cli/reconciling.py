"""`casespan queue`, `resolve` and `gold`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.console import say, say_json
from app.operations.project.opening import opened
from app.operations.project.sets import polarity_named
from app.operations.reconcile.corrections import list_corrections
from app.operations.reconcile.decisions import (
    EditedSpan,
    Resolution,
    choice_named,
    decide_all,
    preview_decisions,
    with_alike,
)
from app.operations.reconcile.decisions_file import read_resolution_file, read_resolutions
from app.operations.reconcile.gold import build_gold, gold_sentences
from app.operations.reconcile.queue import Queue, queue_sentences, read_queue, require_reports
from app.text import counted, shortened
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.reconcile.queue import QueueItem
    from app.reconcile.types import Difference, Mark
    from app.store.decisions import Decision
    from app.store.project import Project
    from extractors.model.finding import Finding

_QUOTE_WIDTH = 100


def queue(options: argparse.Namespace) -> int:
    """List what needs reconciling."""
    with opened(options.project) as project:
        found = read_queue(project, options.left, options.right, below=options.below, order=options.order)
        _require_known(project, options)
    items = [item for item in found.items if _wanted(options, found, item)]
    if options.json:
        said = {"remarks": list(found.remarks)} if found.remarks else {}
        say_json([{**_item(found, item), **said} for item in items])
        return 0
    for line in (*found.remarks, *queue_sentences(found)):
        say(line)
    if not items:
        say(
            "Nothing to reconcile: both sides agree on everything."
            if not found.differences
            else "Nothing of the queue is as asked for."
        )
    for item in items:
        _show(found, item)
    return 0


def resolve(options: argparse.Namespace) -> int:
    """Decide on differences."""
    orders = _orders(options)
    with opened(options.project, write=not options.dry_run) as project:
        found = read_queue(project, options.left, options.right, below=options.below)
        by = _adjudicator(project, options.by)
        orders = with_alike(project, found, orders, options.alike) if options.alike else orders
        if options.dry_run:
            return _say_chosen(options, preview_decisions(project, found, orders))
        taken = decide_all(project, by, found, orders)
    if options.json:
        say_json([_decision(one) for one in taken])
        return 0
    settled = {one.difference for one in taken if one.choice != "ask"}
    before = _decided(found) - {one.difference for one in taken}
    left_over = len(found.differences) - len(before | settled)
    say(f"Decided on {counted(len(taken), 'difference')}; {left_over:,} undecided.")
    return 0


def gold(options: argparse.Namespace) -> int:
    """Build the gold set, or show corrections."""
    if options.corrections:
        return _show_corrections(options)
    if not (options.left and options.right):
        raise CallError("A gold set is built from two annotators; name them with --left and --right.")
    with opened(options.project, write=not options.dry_run) as project:
        by = _adjudicator(project, options.by)
        summary = build_gold(project, by, options.left, options.right, options.name, dry_run=options.dry_run)
    if options.json:
        say_json({**asdict(summary), "differences": summary.differences})
        return 0
    for line in gold_sentences(summary, dry_run=options.dry_run):
        say(line)
    return 0


# What is asked for


def _require_known(project: Project, options: argparse.Namespace) -> None:
    """Raise UnknownNameError for a category or report that the project lacks."""
    for category in options.category or ():
        project.scheme.category(category)
    require_reports(project, options.document or ())


def _wanted(options: argparse.Namespace, found: Queue, item: QueueItem) -> bool:
    state = found.state_of(item)
    in_state = options.state == "all" or (
        state != "decided" if options.state == "undecided" else state == options.state
    )
    kinds = {one.kind for one in item.differences}
    categories = {category for one in item.differences for category in one.group.categories}
    return (
        in_state
        and (not options.kind or bool(kinds & set(options.kind)))
        and (not options.category or bool(categories & set(options.category)))
        and (not options.document or item.report in options.document)
    )


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


def _adjudicator(project: Project, by: str | None) -> str:
    name = by or project.owner
    if not name:
        raise CallError("The project names nobody who decides; name the person with --by.")
    return name


def _decided(found: Queue) -> set[str]:
    return {one for one in found.differences if found.state(one) == "decided"}


# What is shown


def _show(found: Queue, item: QueueItem) -> None:
    name = "category" if item.kind == "pair" else item.kind
    say()
    say(f"{item.id}  {name}  {item.report}  {item.category}  score {item.tsr:.0f}  {found.state_of(item)}")
    if item.kind == "pair":
        say(f"    {shortened(item.title, _QUOTE_WIDTH)}")
    for one in item.differences:
        if item.kind == "pair":
            say(f"    {one.id}  {one.kind}  {found.state(one.id)}")
        for side, marks in ((found.left.name, one.left), (found.right.name, one.right)):
            say(f"        {side}: {'' if marks else '(nothing)'}")
            for mark in marks:
                say(f"            {_words(mark.finding)}")


def _words(finding: Finding) -> str:
    quote = shortened(" ".join(finding.quote.split()), _QUOTE_WIDTH)
    about = ", ".join(filter(None, (finding.category, finding.field, finding.polarity)))
    place = "no place" if finding.start is None else f"{finding.start}-{finding.end}"
    return f"{quote}  [{about}; {place}]"


def _say_chosen(options: argparse.Namespace, chosen: Sequence[Difference]) -> int:
    if options.json:
        say_json([one.id for one in chosen])
        return 0
    say(f"Would decide on {counted(len(chosen), 'difference')}.")
    for one in chosen:
        say(f"{one.id}  {one.kind}  {one.report}  {', '.join(one.group.categories)}")
        for mark in one.group.marks:
            say(f"    {_words(mark.finding)}")
    return 0


def _show_corrections(options: argparse.Namespace) -> int:
    found = list_corrections(options.project, options.corrections)
    if options.json:
        say_json([asdict(one) for one in found])
        return 0
    kept = sum(one.kept for one in found)
    say(
        f"{counted(len(found), 'decided difference')} of {options.corrections}: {kept:,} kept, "
        f"{len(found) - kept:,} corrected."
    )
    for one in found:
        say()
        say(f"{one.report}  {one.kind}  {one.category}  {'kept' if one.kept else 'corrected'}  {one.reason}")
        for side, findings in ((options.corrections, one.mine), ("gold", one.gold)):
            say(f"    {side}: {'' if findings else '(nothing)'}")
            for finding in findings:
                say(f"        {_words(finding)}")
        if one.note or one.clause:
            say(f"    {one.note}{' ' if one.note and one.clause else ''}{one.clause}")
    return 0


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
        "differences": [_difference(found, one) for one in item.differences],
    }


def _difference(found: Queue, one: Difference) -> dict[str, Any]:
    decision = found.decisions.get(one.id)
    return {
        "id": one.id,
        "kind": one.kind,
        "categories": list(one.group.categories),
        "state": found.state(one.id),
        "left": [_mark(mark) for mark in one.left],
        "right": [_mark(mark) for mark in one.right],
        "decision": None if decision is None else _decision(decision),
    }


def _mark(mark: Mark) -> dict[str, Any]:
    return {**asdict(mark.finding), "uuid": mark.uuid}


def _decision(decision: Decision) -> dict[str, Any]:
    plain = asdict(decision)
    return {
        **{name: plain[name] for name in ("uuid", "difference", "choice", "reason_code", "note", "clause")},
        **{name: plain[name] for name in ("confidence", "decided_by", "decided_at", "seconds", "findings")},
    }

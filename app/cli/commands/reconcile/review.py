"""`casespan review`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from app.cli.arguments import echo, echo_json
from app.operations.review.items import (
    ReportReview,
    ReviewRow,
    find_items,
    in_place_of,
    look_at_reviews,
    word_differences,
)
from app.operations.review.verdicts import Judged, SpanEdit, accept_all_same, edit_judged_span, judge_spans
from app.text import shortened
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation
    from app.store.project import Project
from app.cli.arguments import Command, add_json
from extractors.model.finding import POLARITIES

_ID = 8
_WIDTH = 160


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--run",
        dest="reviewed",
        required=True,
        metavar="NAME",
        help="the run, or other set, that is reviewed",
    )
    command.add_argument(
        "--annotator", required=True, metavar="NAME", help="who reviews; seeing the run is recorded"
    )
    command.add_argument(
        "--document", metavar="ID", help="one report (default: all with something of the run)"
    )
    add_json(command)
    verdict = command.add_mutually_exclusive_group()
    spans = "by their IDs as listed, or at least 8 signs of them"
    verdict.add_argument("--accept", nargs="+", metavar="ID", help=f"accept spans, {spans}")
    command.add_argument(
        "--beside",
        action="store_true",
        help="with --accept: keep one's own overlapping spans as well, which the accepted ones replace else",
    )
    verdict.add_argument("--reject", nargs="+", metavar="ID", help="reject spans")
    verdict.add_argument("--edit", metavar="ID", help="accept one span, edited as --place and the others say")
    verdict.add_argument(
        "--accept-same", action="store_true", help="accept all of --document that is the same in both sets"
    )
    command.add_argument(
        "--place", type=_span_place, metavar="START-END", help="where the edited span is, in characters"
    )
    command.add_argument(
        "--category", metavar="C", help="the category of the edited span, or of what --accept-same accepts"
    )
    command.add_argument("--polarity", choices=POLARITIES, help="the polarity of the edited span")
    command.add_argument("--field", metavar="FIELD", help="the field of the edited span")


def review(options: argparse.Namespace) -> int:
    _check(options)
    project = options.project
    judged = _judge(project, options)
    if judged is not None and not options.json:
        _echo_judged(judged)
        return 0
    report_reviews = look_at_reviews(project, options.annotator, options.reviewed, options.document or "")
    if options.json:
        echo_json([_plain(report_review) for report_review in report_reviews])
    else:
        for report_review in report_reviews:
            _echo_review(report_review)
        if not report_reviews:
            echo(f"There is nothing of {options.reviewed} to review.")
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.edit and not options.place:
        raise CallError("--edit needs --place START-END, where the span is to be.")
    own = (
        ("place", "polarity", "field") if options.accept_same else ("place", "category", "polarity", "field")
    )
    for name in own:
        if getattr(options, name) is not None and not options.edit:
            raise CallError(f"--{name} goes with --edit.")
    if options.beside and not options.accept:
        raise CallError("--beside goes with --accept.")
    if options.accept_same and not options.document:
        raise CallError("--accept-same needs --document, whose agreed spans are accepted.")


def _judge(project: Project, options: argparse.Namespace) -> Judged | None:
    """Apply the verdicts that were given, in one act; None where there are none."""
    name, run, report = options.annotator, options.reviewed, options.document or ""
    if options.accept_same:
        return accept_all_same(project, name, run, report, options.category or "")
    if options.edit:
        (uuid,) = find_items(project, run, [options.edit], report)
        start, end = options.place
        edit = SpanEdit(start, end, options.category, options.polarity, options.field)
        return edit_judged_span(project, name, uuid, edit)
    if options.accept:
        accepted = find_items(project, run, options.accept, report)
        return judge_spans(project, name, accepted, "accepted", beside=options.beside)
    if options.reject:
        return judge_spans(project, name, find_items(project, run, options.reject, report), "rejected")
    return None


def _echo_judged(judged: Judged) -> None:
    for one in judged.verdicts:
        echo(f"{one.annotation[:_ID]}  {one.verdict} ({one.relation})")
    if not judged.verdicts:
        echo("Nothing is left to accept.")


def _echo_review(report_review: ReportReview) -> None:
    echo(f"{report_review.report}  {report_review.judged} of {len(report_review.items)} judged")
    category = ""
    for row in report_review.rows:
        if row.category != category:
            category = row.category
            echo(f"  {category}")
        echo(f"    {row.relation}")
        for one in row.left:
            echo(f"      {report_review.reviewer}: {_shown(one)}")
        for one in row.right:
            verdict = report_review.verdicts.get(one.uuid)
            words = f"  [{verdict.verdict}]" if verdict is not None else ""
            echo(f"      {one.uuid[:_ID]}  {_shown(one)}{words}")
            mine = in_place_of(row, one)
            if mine and verdict is None:
                echo(f"                accepting replaces yours: {', '.join(map(_shown, mine))}")
            if one.finding.reason:
                echo(f"                {one.finding.reason}")


def _shown(one: Annotation) -> str:
    finding = one.finding
    where = "no place" if finding.start is None else f"{finding.start}-{finding.end}"
    polarity = "" if finding.polarity == "present" else f", {finding.polarity}"
    return f"{shortened(finding.quote, _WIDTH)!r} ({where}{polarity})"


def _plain(report_review: ReportReview) -> dict[str, object]:
    return {
        "report": report_review.report,
        "annotator": report_review.reviewer,
        "run": report_review.run,
        "judged": report_review.judged,
        "items": len(report_review.items),
        "rows": [_plain_row(report_review, row) for row in report_review.rows],
    }


def _plain_row(report_review: ReportReview, row: ReviewRow) -> dict[str, object]:
    words = None
    if row.left and row.right:
        runs = word_differences(row.left[0].finding.quote, row.right[0].finding.quote)
        words = [{"in": run.presence, "text": run.text} for run in runs]
    return {
        "category": row.category,
        "relation": row.relation,
        "left": [_plain_span(one) for one in row.left],
        "right": [
            {
                **_plain_span(one),
                "verdict": _plain_verdict(report_review, one),
                "replaces": [mine.uuid for mine in in_place_of(row, one)],
            }
            for one in row.right
        ],
        "words": words,
    }


def _plain_verdict(report_review: ReportReview, one: Annotation) -> dict[str, object] | None:
    verdict = report_review.verdicts.get(one.uuid)
    if verdict is None:
        return None
    return {
        "verdict": verdict.verdict,
        "relation": verdict.relation,
        "result": verdict.result or None,
        "seconds": verdict.seconds,
        "at": verdict.judged_at,
    }


def _plain_span(one: Annotation) -> dict[str, object]:
    return {
        "id": one.uuid,
        **asdict(one.finding),
        "candidate": list(one.candidate) if one.candidate else None,
        "origin": one.origin,
    }


def _span_place(text: str) -> tuple[int, int]:
    """START-END as two numbers."""
    start, _, end = text.partition("-")
    if not (start.isdecimal() and end.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not START-END, in characters of the text")
    return int(start), int(end)


COMMAND = Command(
    "study.casespan --run rules --annotator 'Dr Ana Ruiz' --document PMC123 --accept 1b9f03ac",
    _arguments,
    review,
    writes=True,
)

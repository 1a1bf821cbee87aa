"""`casespan search`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.arguments import Command, add_annotator, add_json, echo, echo_json
from app.operations.find.search import Found, FoundReport, search_project, whose
from app.operations.project.opening import opened
from app.text import counted


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "words",
        nargs="+",
        metavar="WORDS",
        help="found together, with up to ten others between them, in any of their forms; one argument of "
        "several words is a phrase; "
        "word* finds all that begins so",
    )
    add_annotator(command)
    add_json(command)


def search(options: argparse.Namespace) -> int:
    """Show every place in its context, by report."""
    words = " ".join(f'"{word}"' if len(word.split()) > 1 else word for word in options.words)
    with opened(options.project) as project:
        name, viewer = whose(project, options.annotator)
    with opened(options.project, write=bool(viewer)) as project:
        found = search_project(project, words, name, most=None, viewer=viewer)
    if options.json:
        echo_json({**asdict(found), "places": found.places})
    else:
        _show(found)
    return 0


def _show(found: Found) -> None:
    for one in found.categories:
        spans_there = f"{counted(one.spans, 'span')} in {counted(one.reports, 'report')}"
        echo(f"Category {one.code} {one.name}: {spans_there}")
    for report in found.reports:
        _show_report(report)
    if not found.asks:
        echo("Type words or numbers to search for.")
    elif not found.total:
        echo("No report has these words together. For the beginnings of words, write an asterisk: hypert*")
    else:
        echo(f"{counted(found.places, 'place')} in {counted(found.total, 'report')}")


def _show_report(report: FoundReport) -> None:
    echo(f"{report.key}  {report.title}")
    for place in report.places:
        labels = f"  ({', '.join(place.categories)})" if place.categories else ""
        echo(f"  {place.start:>6}  …{place.left} [{place.text}] {place.right}…{labels}")
    for span in report.spans:
        note = f"  note: {span.note}" if span.note else ""
        echo(f"    span  {span.category}: {span.quote}{note}")


# Opened to be changed only where it goes on record that others' spans were shown.
COMMAND = Command("study.casespan ventricular 'hypert*'", _arguments, search, writes=None)

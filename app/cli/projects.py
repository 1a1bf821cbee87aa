"""`casespan new`, `list` and `check`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.console import say, say_json, say_table
from app.operations.projects import ProjectOverview, check_project, create_project, list_project


def new(options: argparse.Namespace) -> int:
    """Make an empty project."""
    path = create_project(options.project, options.annotator, options.scheme)
    say(f"Made {path}. Next: casespan import {path} REPORTS")
    return 0


def list_(options: argparse.Namespace) -> int:
    """Show what a project holds."""
    overview = list_project(options.project)
    if options.json:
        say_json(_as_json(overview))
    else:
        _show(overview)
    return 0


def check(options: argparse.Namespace) -> int:
    """Show everything that is not as it was written."""
    problems = check_project(options.project)
    if options.json:
        say_json([asdict(problem) for problem in problems])
    elif not problems:
        say("Nothing is wrong: hashes, offsets and history agree.")
    for problem in [] if options.json else problems:
        say(f"{problem.kind}  {problem.where}: {problem.message}")
    return 1 if problems else 0


def _show(overview: ProjectOverview) -> None:
    documents = len(overview.documents)
    say(f"{overview.path}  ({overview.scheme})")
    if not documents:
        say("No reports yet. Next: casespan import PROJECT REPORTS")
        return
    names = [annotator.name for annotator in overview.annotators]
    rows = [
        (
            report.key,
            report.title[:60],
            str(report.sections),
            *(str(overview.annotations[report.uuid, annotator.uuid]) for annotator in overview.annotators),
        )
        for report in overview.documents
    ]
    say_table(("report", "title", "sections", *names), rows)
    say()
    say(f"{documents} reports, {len(names)} annotators, {len(overview.runs)} runs")


def _as_json(overview: ProjectOverview) -> dict[str, object]:
    """The overview with names in the place of UUIDs, as scripts want it."""
    annotator_of = {annotator.uuid: annotator for annotator in overview.annotators}
    key_of = {report.uuid: report.key for report in overview.documents}
    return {
        "project": str(overview.path),
        "scheme": overview.scheme,
        "documents": [
            {
                "id": report.key,
                "title": report.title,
                "source": report.source,
                "characters": report.characters,
                "sections": report.sections,
                "identifiers": dict(report.identifiers),
                "metadata": dict(report.metadata),
                "annotations": {
                    annotator.name: overview.annotations[report.uuid, annotator.uuid]
                    for annotator in overview.annotators
                },
            }
            for report in overview.documents
        ],
        "annotators": [{"name": annotator.name, "kind": annotator.kind} for annotator in overview.annotators],
        "runs": [
            {
                "annotator": annotator_of[run.annotator].name,
                "kind": run.kind,
                "settings": dict(run.settings),
                "started_at": run.started_at,
                "finished_at": run.finished_at,
                "state": run.state,
            }
            for run in overview.runs
        ],
        "reviews": [
            {
                "document": key_of[review.document],
                "annotator": annotator_of[review.annotator].name,
                "state": review.state,
                "nothing_found": list(review.nothing_found),
            }
            for review in overview.reviews
        ],
    }

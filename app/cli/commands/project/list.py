"""`casespan list`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json, echo, echo_json, echo_table, echo_whole
from app.operations.extract.calling.asked import AskedPrompt, RunPrompts, about_unknown, list_prompts
from app.operations.extract.runs import calls_of, remotes_of
from app.operations.project.caveats import about_of
from app.operations.project.files import ProjectOverview, list_project
from app.operations.project.reports import Given, list_assignments
from app.text import counted, shortened

if TYPE_CHECKING:
    from app.store.extract.runs import Run


def show_prompts(asked: Sequence[RunPrompts]) -> None:
    """The prompts of each run in full; the system's turn and the form are repeated only where they change."""
    if not asked:
        echo("No model was asked anything yet.")
    for run in asked:
        echo(f"run {run.run}")
        before: AskedPrompt | None = None
        for prompt in run.prompts:
            echo()
            echo(f"prompt {prompt.sha256}  {prompt.title}")
            _turn("system", prompt.system, before.system if before else None)
            _turn("user", prompt.user, None)
            form = json.dumps(prompt.form, ensure_ascii=False)
            _turn("form", form, json.dumps(before.form, ensure_ascii=False) if before else None)
            before = prompt
        if run.unknown:
            echo()
            echo(about_unknown(run))
        echo()


def _turn(name: str, text: str, before: str | None) -> None:
    if text == before:
        echo(f"{name}: as before")
    else:
        echo(f"{name}:")
        echo_whole(text)


_TITLE_WIDTH = 60
_MOST_COLUMNS = 5


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--prompts", action="store_true", help="show what each run of a model asked, word for word"
    )
    add_json(command)


def list_(options: argparse.Namespace) -> int:
    asked = list_prompts(options.project) if options.prompts else ()
    if options.prompts and not options.json:
        show_prompts(asked)
        return 0
    overview, given = list_project(options.project), list_assignments(options.project)
    if options.json:
        values = {**_as_json(overview), "assignments": [asdict(one) for one in given]}
        echo_json({**values, "prompts": [asdict(run) for run in asked]} if options.prompts else values)
    else:
        _show(overview, given)
    return 0


def _show(overview: ProjectOverview, given: Sequence[Given]) -> None:
    echo(f"{overview.path}  ({overview.scheme})")
    for study, items in overview.studies.items():
        echo(f"study {study}: {counted(items, 'item')}")
    if not overview.documents:
        for run in overview.runs:
            _show_run(overview, run)
        echo(f"No reports yet. Next: casespan import {overview.path} REPORTS")
        return
    echo()
    _show_reports(overview)
    echo()
    for annotator in overview.annotators:
        states = Counter(review.state for review in overview.reviews if review.annotator == annotator.uuid)
        reviewed = ", ".join(f"{number} {state}" for state, number in states.items()) or "nothing annotated"
        total = sum(n for (_, holder), n in overview.annotations.items() if holder == annotator.uuid)
        echo(f"{annotator.name} ({annotator.kind}): {counted(total, 'annotation')}; reports: {reviewed}")
    for one in given:
        echo(one.sentence)
    for run in overview.runs:
        _show_run(overview, run)
    echo()
    echo(f"{counted(len(overview.documents), 'report')}, {counted(len(overview.annotators), 'annotator')}")


def _show_run(overview: ProjectOverview, run: Run) -> None:
    calls = ", ".join(f"{number} {state}" for state, number in calls_of(run, overview.calls).items())
    words = f"; calls: {calls}" if calls else ""
    state = "running, or broken off" if run.state == "running" else run.state
    echo(f"run {run.name}: {state}, started {run.started_at}{words}")
    remotes = remotes_of(run, overview.remotes)
    if remotes:
        echo(f"  the reports' text went to {', '.join(remotes)}")
    if about_of(run.settings):
        echo(f"  {about_of(run.settings)}")


def _show_reports(overview: ProjectOverview) -> None:
    """A row per report with the number of everybody's annotations; many runs are only told of below."""
    shown = overview.annotators
    if len(shown) > _MOST_COLUMNS:
        shown = tuple(annotator for annotator in shown if annotator.kind != "run")
    rows = [
        (
            report.key,
            shortened(report.title, _TITLE_WIDTH),
            str(report.sections),
            *(str(overview.annotations[report.uuid, annotator.uuid]) for annotator in shown),
        )
        for report in overview.documents
    ]
    names = [annotator.name for annotator in shown]
    echo_table(("report", "title", "sections", *names), rows)


def _as_json(overview: ProjectOverview) -> dict[str, object]:
    """The overview with names in the place of UUIDs, as scripts want it."""
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
                "annotator": overview.names[run.annotator],
                "kind": run.kind,
                "about": about_of(run.settings),
                "calls": calls_of(run, overview.calls),
                "remotes": list(remotes_of(run, overview.remotes)),
                "settings": dict(run.settings),
                "started_at": run.started_at,
                "finished_at": run.finished_at,
                "state": run.state,
            }
            for run in overview.runs
        ],
        "studies": dict(overview.studies),
        "reviews": [
            {
                "document": key_of[review.document],
                "annotator": overview.names[review.annotator],
                "state": review.state,
                "nothing_found": list(review.nothing_found),
            }
            for review in overview.reviews
        ],
    }


COMMAND = Command("study.casespan --json", _arguments, list_)

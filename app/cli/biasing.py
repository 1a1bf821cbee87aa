"""`casespan bias` and `plant`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from app.cli.console import say, say_json, say_lines
from app.operations.bias.measures import measure_bias
from app.operations.bias.report import bias_json, bias_text, report_bias, tabulate_bias
from app.operations.bias.seeding import plant_errors, remove_planted
from app.operations.bias.seeding_rules import MISTAKES
from app.operations.bias.sets import annotator_to_measure
from app.operations.bias.tables import describe_planting, describe_removal
from app.operations.project.opening import opened
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.store.project import Project


def bias(options: argparse.Namespace) -> int:
    """Measure, or take out what came of planted errors."""
    if options.remove_planted:
        return _remove(options)
    with opened(options.project) as project:
        found = measure_bias(project, _annotator(project, options), options.of_run, options.against)
    if options.html:
        report_bias(found, options.html)
        say(f"The section on {found.annotator} was written to {options.html}.")
    elif options.csv:
        tabulate_bias(found, options.csv)
        say(f"The numbers on {found.annotator} were written to {options.csv}.")
    elif options.json:
        say_json(bias_json(found))
    else:
        say_lines(bias_text(found))
    return 0


def plant(options: argparse.Namespace) -> int:
    """Copy a run with errors."""
    with opened(options.project, write=True) as project:
        summary = plant_errors(
            project,
            options.of_run,
            options.name,
            share=options.share,
            count=options.count,
            seed=options.seed,
            kinds=options.kind or MISTAKES,
        )
    if options.json:
        say_json(asdict(summary))
    else:
        for line in describe_planting(summary):
            say(line)
    return 0


def _remove(options: argparse.Namespace) -> int:
    if options.of_run or options.against or options.html or options.csv:
        raise CallError("--remove-planted goes with --annotator and --json only.")
    with opened(options.project, write=True) as project:
        annotator = _annotator(project, options)
        removed = remove_planted(project, annotator)
    if options.json:
        say_json([asdict(one) for one in removed])
    else:
        for line in describe_removal(annotator, removed):
            say(line)
    return 0


def _annotator(project: Project, options: argparse.Namespace) -> str:
    name: str | None = options.annotator
    return name if name is not None else annotator_to_measure(project)

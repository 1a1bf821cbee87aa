"""`casespan demo`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, complain, echo, finish, show
from app.operations.demo.job import run_demo
from app.operations.demo.sample import FIRST, SECOND
from app.text import counted
from extractors.model.errors import CasespanError


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "folder", nargs="?", type=Path, default=Path("demo"), metavar="DIR", help="where to write"
    )
    command.add_argument(
        "--no-window", action="store_true", help="stay on the command line; else the window opens at the end"
    )


def demo(options: argparse.Namespace) -> int:
    summary = finish(run_demo(options.folder))
    between = summary.between_annotators.average.scores
    against_gold = summary.rules_against_gold.average.scores
    echo(f"{summary.documents} invented sample reports, two annotators and a gold set were imported.")
    echo(f"The built-in rules found {summary.rules_findings} quotes.")
    replayed = summary.replayed
    quotes = sum(replayed.findings.values())
    echo(f"A model run, {replayed.annotator}, gave {quotes} quotes. {replayed.about}")
    for left, right, scores in ((FIRST, SECOND, between), ("rules", "gold", against_gold)):
        echo(
            f"{left} with {right}: token set ratio {scores['tsr']:.1f}, "
            f"Levenshtein {scores['levenshtein']:.3f}, exact match {scores['exact_match']:.3f}."
        )
    echo(
        f"The two annotators differ {summary.differences} times; {summary.far_apart} report-category pairs "
        "are far apart."
    )
    echo(f"{summary.exported.annotations} gold annotations of {summary.exported.reports} reports exported.")
    echo(
        f"An invented case with drawn pictures makes {counted(summary.case.items, 'item')} of the study "
        f"mmrarebench; {' and '.join(summary.case.runs)} were written by hand, as was what judges them."
    )
    echo(
        "The project's hashes, offsets and history agree."
        if not summary.problems
        else "The check found problems."
    )
    echo()
    echo(f"Project:           {summary.project}")
    echo(f"Agreement report:  {summary.report}")
    echo(f"Gold file:         {summary.gold}")
    echo()
    echo(f"Next: casespan queue {summary.project} --left {FIRST} --right {SECOND}")
    if summary.problems:
        return 1
    if not options.no_window and options.window is not None:
        try:
            return show(options, summary.project)
        except CasespanError as error:
            # The job is done, whether it can be looked at here or not.
            complain(str(error))
    return 0


COMMAND = Command("my-demo", _arguments, demo, project=False)

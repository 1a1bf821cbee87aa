"""`casespan study score`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from app.cli.arguments import Command, Parser, add_json, echo, echo_json, echo_lines, finish
from app.cli.study_arguments import add_own, add_study, settings_of, study_of, tasks_of
from app.operations.study.scoring import (
    notes_of,
    page_labels,
    scores_json,
    scoring_study,
    tables_of,
    write_scores,
)
from app.studies.pages import pairs_table, scores_table
from app.tables import text_lines


def _arguments(parser: Parser) -> None:
    study = add_study(parser)
    parser.add_argument(
        "--run", dest="runs", action="append", metavar="NAME", help="only this run (may be repeated)"
    )
    parser.add_argument(
        "--by",
        action="append",
        metavar="LABEL",
        help="also by the values of a label, task among them (may be repeated)",
    )
    parser.add_argument(
        "--profile",
        choices=("strict", "paper"),
        default="strict",
        help="as it ought to be measured, or as published (default: strict)",
    )
    parser.add_argument("--published", action="store_true", help="show the paper's own rows in its tables")
    add_json(parser)
    parser.add_argument("--csv", type=Path, metavar="DIR", help="write every table as CSV into a folder")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained page")
    parser.add_argument("--svg", type=Path, metavar="DIR", help="draw a chart for each measure into a folder")
    add_own(parser, study, "score")


def score(options: argparse.Namespace) -> int:
    study = study_of(options)
    labels = list(options.by or ())
    if options.csv or options.html or options.svg:
        more = page_labels(options.project, study)
        labels += [label for label in more if label not in labels]
    job = scoring_study(
        options.project,
        study,
        options.runs or (),
        labels,
        options.profile,
        settings_of(options, study, "score"),
        tasks=tasks_of(options),
        published=options.published,
    )
    scores = finish(job)
    written = write_scores(study, scores, options.csv, options.html, options.svg)
    if options.json:
        echo_json(scores_json(study, scores))
        return 0
    for path in written:
        echo(f"Written: {path}")
    if written:
        return 0
    shown = [(study.title, scores_table(scores))]
    shown += [(f"By {label}", scores_table(scores, label)) for label in scores.by]
    differences = pairs_table(scores)
    shown += [("Differences", differences)] if differences else []
    shown += [(f"Table {number}. {one.title}", one) for number, one in tables_of(study, scores).items()]
    for title, table in shown:
        echo(title)
        echo_lines(text_lines(replace(table, title=title)))
        echo()
    echo_lines(notes_of(study, scores))
    return 0


COMMAND = Command("study.casespan STUDY --by task --json", _arguments, score)

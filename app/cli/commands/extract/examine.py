"""`casespan examine`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from app.cli.arguments import Command, add_json, complain, echo, echo_json, echo_lines, finish
from app.cli.servers import (
    add_model_options,
    add_resume,
    asked_client,
    complain_of_stop,
    finish_run,
    positive,
    run_options,
    same_command,
)
from app.operations.project.output import require_writable_name
from app.operations.study.building import build_items
from app.operations.study.items import kept_items
from app.operations.study.running import StudyOptions, run_with_model
from app.operations.study.scoring import notes_of, page_labels, scores_json, scoring_study, write_scores
from app.studies import study_named
from app.studies.pages import scores_table
from app.studies.study import Action, Study
from app.tables import text_lines

STUDY = "ebmqa"
_MINUTES = 60.0


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--model", required=True, metavar="NAME", help="a model of the server")
    command.add_argument(
        "--minutes",
        type=positive(float),
        default=_MINUTES,
        metavar="N",
        help="ask nothing more after N minutes (default: 60)",
    )
    command.add_argument("--html", type=Path, metavar="FILE", help="write the score page")
    add_resume(command)
    command.add_argument("--new-run", action="store_true", help="begin another run with the same settings")
    add_model_options(command, sections=False)
    add_json(command)


def examine(options: argparse.Namespace) -> int:
    """Build what is lacking, ask, and show what the model knows; 1 where answers failed or it was stopped."""
    if options.html:
        require_writable_name(options.html)
    study = study_named(STUDY)
    if not kept_items(options.project, study):
        finish(build_items(options.project, study, (), _usual(study, "build"), 1))
    client = asked_client(options, options.model)
    wanted = StudyOptions(
        _usual(study, "run"), model=run_options(options, options.model), minutes=options.minutes
    )
    summary = finish_run(options, run_with_model(options.project, study, client, wanted, complain))
    labels = page_labels(options.project, study) if options.html else ()
    scores = finish(
        scoring_study(options.project, study, [summary.run], labels, settings=_usual(study, "score"))
    )
    written = write_scores(study, scores, None, options.html, None)
    if options.json:
        echo_json(scores_json(study, scores))
    else:
        echo_lines(study.lead(scores))
        echo_lines(text_lines(scores_table(scores, "task")))
        echo_lines(notes_of(study, scores))
        for path in written:
            echo(f"Written: {path}")
    complain_of_stop(options, summary.stopped)
    if summary.unasked and not summary.stopped:
        left = f"{summary.unasked:,} questions were not asked yet"
        complain(f"{left}; {same_command(options)} goes on from there.")
    return 1 if summary.failed or summary.stopped else 0


def _usual(study: Study, action: Action) -> dict[str, Any]:
    return {
        one.key: tuple(one.default or ()) if one.several else one.default for one in study.options_of(action)
    }


COMMAND = Command(
    "study.casespan --model qwen2.5:7b --html examination.html", _arguments, examine, writes=True
)

"""What having items answered and having answers judged share: how much is asked, of what, and how."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.cli.arguments import Parser, add_json
from app.cli.servers import add_model_options, add_resume, positive, run_options
from app.cli.study_arguments import add_labels, add_own, arm_of, labels_of, settings_of, tasks_of
from app.operations.study.running import StudyOptions

if TYPE_CHECKING:
    import argparse

    from app.studies.study import Action, Study


def add_asking(parser: Parser, study: Study | None, action: Action, new_run: str) -> None:
    """Add the arguments of both; after the command's own, since the study's take the place of all else.

    `new_run` says what beginning anew means.
    """
    add_labels(parser)
    parser.add_argument("--count", type=positive(int), metavar="N", help="ask no more than N times now")
    parser.add_argument(
        "--minutes", type=positive(float), metavar="N", help="ask nothing more after N minutes"
    )
    add_resume(parser)
    parser.add_argument("--new-run", action="store_true", help=new_run)
    add_model_options(parser, sections=False)
    add_json(parser)
    add_own(parser, study, action)


def asking_of(options: argparse.Namespace, study: Study, action: Action, model: str | None) -> StudyOptions:
    """What the call says of them; raises CallError."""
    return StudyOptions(
        settings_of(options, study, action),
        arm_of(options, study) if action == "run" else "",
        tasks_of(options),
        labels_of(options),
        getattr(options, "name", ""),
        replace(run_options(options, model or ""), new_run=options.new_run),
        options.count,
        options.minutes,
    )

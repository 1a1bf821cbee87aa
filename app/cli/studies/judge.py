"""`casespan study judge`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser
from app.cli.console import complain, finish, tell
from app.cli.servers import client_of, stopped, warn_of_remote
from app.cli.studies.asking import add_asking, asking_of
from app.cli.study_arguments import add_study, study_of
from app.operations.study.judging import judge_answers, rate_answers, write_sheet
from app.text import counted
from extractors.model.errors import CallError

if TYPE_CHECKING:
    import argparse

    from app.operations.study.running import StudyOptions


def _arguments(parser: Parser) -> None:
    study = add_study(parser)
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--judge", metavar="MODEL", help="a model of the server")
    who.add_argument("--rater", metavar="NAME", help="a person")
    parser.add_argument(
        "--per",
        choices=("answer", "criterion"),
        default="answer",
        help="one call for each answer, or for each criterion (default: answer)",
    )
    parser.add_argument("--replay", type=Path, metavar="FILE", help="play the judge's replies from a file")
    parser.add_argument("--from", dest="sheet", type=Path, metavar="FILE", help="record a rater's sheet")
    parser.add_argument("--template", type=Path, metavar="FILE", help="write a sheet for a rater")
    parser.add_argument("--blind", action="store_true", help="the rater is not told whose answers they are")
    parser.add_argument("--run", dest="runs", action="append", metavar="NAME", help="only this run's answers")
    add_asking(parser, study, "judge", "have everything judged once more")


def judge(options: argparse.Namespace) -> int:
    """Have answers judged, or record what a person says of them."""
    study = study_of(options)
    wanted = asking_of(options, study, "judge", options.judge)
    if options.rater:
        return _rate(options, wanted)
    if options.sheet or options.template or options.blind:
        raise CallError("--from, --template and --blind are for a --rater.")
    client = None
    if not options.replay:
        client = client_of(options)
        warn_of_remote(options, client, options.judge)
    runs = options.runs or ()
    job = judge_answers(options.project, study, client, runs, wanted, per=options.per, replay=options.replay)
    try:
        summary = finish(job)
    except KeyboardInterrupt:
        raise stopped() from None
    words = f"{summary.rater} judged {counted(summary.rated, 'answer')} in full, {summary.unscored} unscored."
    tell(options, asdict(summary), [words, *summary.notes])
    if summary.stopped:
        complain(f"{summary.stopped} The same command with --resume goes on from there.")
    return 1 if summary.unscored or summary.stopped else 0


def _rate(options: argparse.Namespace, wanted: StudyOptions) -> int:
    study = study_of(options)
    if bool(options.sheet) == bool(options.template):
        raise CallError("A rater needs a sheet: write one with --template, read it back with --from.")
    if options.template:
        runs = options.runs or ()
        number = write_sheet(options.project, study, runs, options.template, wanted, blind=options.blind)
        words = (
            f"{counted(number, 'answer')} to rate written to {options.template}; read it back with --from."
        )
        return tell(options, {"answers": number}, [words])
    summary = rate_answers(options.project, study, options.rater, options.sheet, wanted, blind=options.blind)
    words = f"{summary.rater} rated {counted(summary.rated, 'answer')} in full, {summary.unscored} in part."
    return tell(options, asdict(summary), [words])


COMMAND = Command(
    "study.casespan STUDY --judge qwen2.5:7b",
    _arguments,
    judge,
    writes=lambda options: not options.template,
)

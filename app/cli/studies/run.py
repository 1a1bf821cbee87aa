"""`casespan study run`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser
from app.cli.console import complain, echo, echo_json, finish
from app.cli.servers import client_of, stopped, warn_of_remote
from app.cli.studies.asking import add_asking, asking_of
from app.cli.study_arguments import add_study, study_of
from app.operations.study.methods import run_with_method
from app.operations.study.running import RunSummary, StudyOptions, run_with_model, run_with_replies
from app.text import counted

if TYPE_CHECKING:
    import argparse


def _arguments(parser: Parser) -> None:
    study = add_study(parser)
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--model", metavar="NAME", help="a model of the server")
    names = f"one of {', '.join(one.id for one in study.methods)}" if study else "as the study names it"
    who.add_argument("--with", dest="method", metavar="METHOD", help=f"a built-in method, {names}")
    who.add_argument(
        "--replay", type=Path, metavar="FILE", help='replies from a file, {"item","reply"} a line'
    )
    if study is not None and study.arms:
        parser.add_argument("--arm", metavar="NAME", help=f"how it is asked: {', '.join(study.arms)}")
    parser.add_argument("--name", default="", metavar="RUN", help="the run's name (default: by its settings)")
    add_asking(parser, study, "run", "begin another run with the same settings")


def run(options: argparse.Namespace) -> int:
    """Have the items answered; exit 1 where an answer failed."""
    study = study_of(options)
    wanted = asking_of(options, study, "run", options.model)
    try:
        summary = _run(options, wanted)
    except KeyboardInterrupt:
        raise stopped(
            "the same command without --new-run" if options.new_run else "the same command"
        ) from None
    if options.json:
        values = asdict(summary)
        del values["stopped"], values["unasked"]
        echo_json(values)
    else:
        _show(summary)
    if summary.stopped:
        complain(f"{summary.stopped} The same command with --resume goes on from there.")
    return 1 if summary.failed or summary.stopped else 0


def _run(options: argparse.Namespace, wanted: StudyOptions) -> RunSummary:
    study = study_of(options)
    if options.method:
        return finish(run_with_method(options.project, study, options.method, wanted))
    if options.replay:
        return finish(run_with_replies(options.project, study, options.replay, wanted))
    client = client_of(options)
    warn_of_remote(options, client, options.model)
    return finish(run_with_model(options.project, study, client, wanted, complain))


def _show(summary: RunSummary) -> None:
    echo(f"{summary.run}: {counted(summary.answered, 'answer')} to {counted(summary.items, 'item')}.")
    given = counted(summary.calls, "answer")
    echo(f"  {given} given now, {summary.reused:,} taken over, {summary.seconds:.1f} s")
    for reason, number in summary.failed.items():
        echo(f"  failed: {number:,}  {reason}")
    if summary.unasked:
        echo(f"  not asked yet: {summary.unasked:,}")
    for note in summary.notes:
        echo(f"  {note}")


COMMAND = Command("study.casespan STUDY --model qwen2.5:7b --count 100", _arguments, run, writes=True)

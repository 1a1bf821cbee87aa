"""`casespan study run`, `judge` and `answer`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Generator
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, Parser, add_json, complain, echo, echo_json, tell
from app.cli.servers import (
    FOR_SERVERS,
    FOR_SERVERS_OF_STUDIES,
    RECORDED,
    add_model_options,
    add_resume,
    asked_client,
    complain_of_stop,
    finish_run,
    positive,
    refuse,
    run_options,
)
from app.cli.study_arguments import (
    add_labels,
    add_own,
    add_study,
    arm_of,
    labels_of,
    settings_of,
    study_of,
    tasks_of,
)
from app.operations.study.judging import judge_answers, rate_answers, write_sheet
from app.operations.study.methods import run_with_method
from app.operations.study.people import Given, answers_in, close_answers, next_question, record_answer
from app.operations.study.running import RunSummary, StudyOptions, run_with_model, run_with_replies
from app.studies.study import Action, Study
from app.text import counted
from extractors.model.errors import CallError
from extractors.model.progress import Progress

_JUDGE_ONLY = ("replay", "count", "minutes", "resume", "new_run", *FOR_SERVERS)


def _answer_arguments(parser: Parser) -> None:
    study = add_study(parser)
    parser.add_argument("--person", required=True, metavar="NAME", help="who answers")
    parser.add_argument("--count", type=positive(int), metavar="N", help="be asked the first N items only")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--next", action="store_true", help="show the next item to be answered")
    what.add_argument("--item", metavar="ID", help="the item that --value answers")
    what.add_argument(
        "--from", dest="sheet", type=Path, metavar="FILE", help="a CSV: item, value, seconds, guess"
    )
    what.add_argument("--close", action="store_true", help="end these answers; closed is final")
    parser.add_argument("--value", metavar="JSON", help="the answer to --item")
    parser.add_argument("--seconds", type=positive(float), metavar="N", help="how long that answer took")
    add_labels(parser)
    add_json(parser)
    add_own(parser, study, "answer")


def answer(options: argparse.Namespace) -> int:
    """Show what is next, record answers or close them."""
    study = study_of(options)
    tasks = tasks_of(options)
    settings, labels = settings_of(options, study, "answer"), labels_of(options)
    wanted = StudyOptions(settings, tasks=tasks, labels=labels, count=options.count)
    if (options.item is None) != (options.value is None):
        raise CallError("--item and --value go together.")
    if options.next:
        return _show_next(options, wanted)
    if options.close:
        number = close_answers(options.project, study, options.person)
        words = f"Closed with {counted(number, 'answer')}."
        return tell(options, {"closed": True, "answers": number}, [words])
    if options.sheet:
        answers = answers_in(options.sheet)
    else:
        try:
            value = json.loads(options.value)
        except ValueError:
            raise CallError(
                f"{options.value!r} is not JSON; a text stands between quotation marks."
            ) from None
        answers = [Given(options.item, tasks[0] if tasks else "", value, seconds=options.seconds)]
    number = record_answer(options.project, study, options.person, answers, wanted)
    return tell(options, {"answers": number}, [f"{counted(number, 'answer')} recorded."])


def _show_next(options: argparse.Namespace, wanted: StudyOptions) -> int:
    found = next_question(options.project, study_of(options), options.person, wanted)
    if found is None:
        nothing = {"item": None, "round": None, "left": 0, "input": None}
        return tell(options, nothing, ["Everything is answered."])
    item = found.kept.item
    value = {"item": item.id, "task": item.task, "round": found.round, "left": found.left}
    value |= {"input": item.input, **({"again": found.again} if found.again else {})}
    value |= {"allowed": dict(found.allowed)} if found.allowed else {}
    shown = (
        f"  {name}: {told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)}"
        for name, told in (*item.input.items(), *found.allowed)
    )
    return tell(options, value, [f"{item.id}  (round {found.round}, {found.left} left)", *shown])


ANSWER = Command(
    "study.casespan STUDY --person 'Dr Ana Ruiz' --next",
    _answer_arguments,
    answer,
    writes=lambda options: not options.next,
)


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
        run_options(options, model or ""),
        options.count,
        options.minutes,
    )


def _run_arguments(parser: Parser) -> None:
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
    summary = finish_run(options, _run(options, wanted))
    if options.json:
        values = asdict(summary)
        del values["stopped"], values["unasked"]
        echo_json(values)
    else:
        _show(summary)
    complain_of_stop(options, summary.stopped)
    return 1 if summary.failed or summary.stopped else 0


def _run(options: argparse.Namespace, wanted: StudyOptions) -> Generator[Progress, None, RunSummary]:
    study = study_of(options)
    if options.method:
        refuse(options, FOR_SERVERS_OF_STUDIES, "is for models; the built-in methods do without it.")
        return run_with_method(options.project, study, options.method, wanted)
    if options.replay:
        refuse(options, FOR_SERVERS_OF_STUDIES, RECORDED)
        return run_with_replies(options.project, study, options.replay, wanted)
    client = asked_client(options, options.model)
    return run_with_model(options.project, study, client, wanted, complain)


def _show(summary: RunSummary) -> None:
    echo(f"{summary.run}: {counted(summary.answered, 'answer')} to {counted(summary.items, 'item')}.")
    answers = counted(summary.calls, "answer")
    echo(f"  {answers} given now, {summary.reused:,} taken over, {summary.seconds:.1f} s")
    for reason, number in summary.failed.items():
        echo(f"  failed: {number:,}  {reason}")
    if summary.unasked:
        echo(f"  not asked yet: {summary.unasked:,}")
    for note in summary.notes:
        echo(f"  {note}")


RUN = Command("study.casespan STUDY --model qwen2.5:7b --count 100", _run_arguments, run, writes=True)


def _judge_arguments(parser: Parser) -> None:
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
    if options.replay:
        refuse(options, FOR_SERVERS_OF_STUDIES, RECORDED)
    else:
        client = asked_client(options, options.judge)
    runs = options.runs or ()
    job = judge_answers(options.project, study, client, runs, wanted, per=options.per, replay=options.replay)
    summary = finish_run(options, job)
    words = f"{summary.rater} judged {counted(summary.rated, 'answer')} in full, {summary.unscored} unscored."
    tell(options, asdict(summary), [words, *summary.notes])
    complain_of_stop(options, summary.stopped)
    return 1 if summary.unscored or summary.stopped else 0


def _rate(options: argparse.Namespace, wanted: StudyOptions) -> int:
    study = study_of(options)
    if bool(options.sheet) == bool(options.template):
        raise CallError("A rater needs a sheet: write one with --template, read it back with --from.")
    refuse(options, _JUDGE_ONLY, "is for a --judge; --task, --label and --run narrow a rater's sheet.")
    if options.sheet and options.runs:
        raise CallError("--run is for --template: each row of a sheet says whose answer it is.")
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


JUDGE = Command(
    "study.casespan STUDY --judge qwen2.5:7b",
    _judge_arguments,
    judge,
    writes=lambda options: not options.template,
)

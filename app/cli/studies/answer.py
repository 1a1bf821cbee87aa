"""`casespan study answer`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser, add_json
from app.cli.console import echo, echo_json, tell
from app.cli.servers import positive
from app.cli.study_arguments import add_labels, add_own, add_study, labels_of, settings_of, study_of, tasks_of
from app.operations.study.people import Given, answers_in, close_answers, next_question, record_answer
from app.operations.study.running import StudyOptions
from app.text import counted
from extractors.model.errors import CallError

if TYPE_CHECKING:
    import argparse


def _arguments(parser: Parser) -> None:
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
        given = answers_in(options.sheet)
    else:
        try:
            value = json.loads(options.value)
        except ValueError:
            raise CallError(
                f"{options.value!r} is not JSON; a text stands between quotation marks."
            ) from None
        given = [Given(options.item, tasks[0] if tasks else "", value, seconds=options.seconds)]
    number = record_answer(options.project, study, options.person, given, wanted)
    return tell(options, {"answers": number}, [f"{counted(number, 'answer')} recorded."])


def _show_next(options: argparse.Namespace, wanted: StudyOptions) -> int:
    found = next_question(options.project, study_of(options), options.person, wanted)
    if found is None:
        nothing = {"item": None, "round": None, "left": 0, "input": None}
        return tell(options, nothing, ["Everything is answered."])
    item = found.kept.item
    value = {"item": item.id, "task": item.task, "round": found.round, "left": found.left}
    value |= {"input": item.input, **({"again": found.again} if found.again else {})}
    if options.json:
        echo_json(value)
    else:
        echo(f"{item.id}  (round {found.round}, {found.left} left)")
        for name, told in item.input.items():
            echo(f"  {name}: {told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)}")
    return 0


COMMAND = Command(
    "study.casespan STUDY --person 'Dr Ana Ruiz' --next",
    _arguments,
    answer,
    writes=lambda options: not options.next,
)

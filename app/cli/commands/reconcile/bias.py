"""`casespan bias` and `plant`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, add_json, echo, tell
from app.operations.bias.measures import measure_bias
from app.operations.bias.report import annotator_to_measure, bias_json, bias_text, report_bias, tabulate_bias
from app.operations.bias.seeding import plant_errors, remove_planted
from app.operations.bias.seeding_rules import MISTAKES
from app.operations.bias.tables import describe_planting, describe_removal
from extractors.model.errors import CallError


def _bias_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--annotator", metavar="A", help="the annotator (default: the project's owner)")
    command.add_argument(
        "--run",
        dest="of_run",
        metavar="R",
        help="the run that made suggestions (default: the one that was shown)",
    )
    command.add_argument("--against", metavar="GOLD", help="a reference, to see agreement with the truth")
    command.add_argument(
        "--remove-planted",
        action="store_true",
        help="remove the spans with planted errors that were accepted from the annotator's set instead",
    )
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write the section as a page")
    output.add_argument("--csv", type=Path, metavar="FILE", help="write every number as CSV, one a row")


def bias(options: argparse.Namespace) -> int:
    if options.remove_planted:
        return _remove(options)
    found = measure_bias(options.project, _annotator(options), options.of_run, options.against)
    if options.html:
        report_bias(found, options.html)
        echo(f"The section on {found.annotator} was written to {options.html}.")
    elif options.csv:
        tabulate_bias(found, options.csv)
        echo(f"The numbers on {found.annotator} were written to {options.csv}.")
    else:
        return tell(options, bias_json(found), bias_text(found))
    return 0


def _remove(options: argparse.Namespace) -> int:
    if options.of_run or options.against or options.html or options.csv:
        raise CallError("--remove-planted goes with --annotator and --json only.")
    annotator = _annotator(options)
    removed = remove_planted(options.project, annotator)
    return tell(options, [asdict(one) for one in removed], describe_removal(annotator, removed))


def _annotator(options: argparse.Namespace) -> str:
    name: str | None = options.annotator
    return name if name is not None else annotator_to_measure(options.project)


BIAS = Command(
    "study.casespan --annotator 'Dr Ana Ruiz' --run rules --against gold",
    _bias_arguments,
    bias,
    writes=lambda options: bool(options.remove_planted),
)


def _plant_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--run", dest="of_run", required=True, metavar="R", help="the run to copy; it stays as it is"
    )
    command.add_argument(
        "--as", dest="name", default="", metavar="NAME", help="the copy's name (default: R for review)"
    )
    number = command.add_mutually_exclusive_group()
    number.add_argument(
        "--share", type=_share, default=0.1, metavar="S", help="errors per span, above 0 to 1 (default: 0.1)"
    )
    number.add_argument("--count", type=_count, metavar="N", help="how many errors")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="another one, other errors")
    command.add_argument(
        "--kind", action="append", choices=MISTAKES, help="only errors of this kind (may be repeated)"
    )
    add_json(command)


def plant(options: argparse.Namespace) -> int:
    summary = plant_errors(
        options.project,
        options.of_run,
        options.name,
        share=options.share,
        count=options.count,
        seed=options.seed,
        kinds=options.kind or MISTAKES,
    )
    return tell(options, asdict(summary), describe_planting(summary))


def _share(text: str) -> float:
    """A number above 0 and at most 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and at most 1")
    return value


def _count(text: str) -> int:
    """A number from 1 on."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


PLANT = Command("study.casespan --run rules --as 'rules, second look'", _plant_arguments, plant, writes=True)

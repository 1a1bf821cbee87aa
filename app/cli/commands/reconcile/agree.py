"""`casespan agree`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.agreement.output.pair_tables import pairs_json, pairs_table
from app.agreement.output.tables import to_json, to_table
from app.cli.arguments import Command, add_json, add_sides, echo, echo_json, echo_lines, finish, tell
from app.operations.compare.agreement import (
    compare_every_pair,
    drawing_agreement,
    measure_agreement,
    read_sets,
    report_pairs,
    reporting_agreement,
    tabulate_pairs,
    tabulating_agreement,
    writing_drawing,
)
from app.operations.compare.concepts import measure_concepts
from app.operations.project.output import require_writable_name
from extractors.model.errors import CallError


def _arguments(command: argparse.ArgumentParser) -> None:
    add_sides(command, required=False)
    command.add_argument(
        "--annotator",
        dest="annotators",
        action="append",
        metavar="NAME",
        help="measure every pair of these (may be repeated); without any name, every pair there is",
    )
    command.add_argument(
        "--profile",
        choices=("paper", "strict"),
        default="paper",
        help="the published formulas, or one-to-one matching with intervals (default: paper)",
    )
    command.add_argument(
        "--tokens",
        action="store_true",
        help="show chance-corrected agreement on the tokens of the reports as well",
    )
    command.add_argument(
        "--concepts",
        metavar="NAME",
        help="measure what the quotes of a pair stand for in this terminology (HPO), whatever category; what "
        "runs suggest as well",
    )
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained report")
    output.add_argument(
        "--csv",
        type=Path,
        metavar="FILE",
        help="write the table as CSV, and FILE-reports and FILE-confusion beside it",
    )
    output.add_argument("--svg", type=Path, metavar="FILE", help="draw the charts of a pair as SVG")
    output.add_argument("--png", type=Path, metavar="FILE", help="draw the charts of a pair as PNG; needs Qt")


def agree(options: argparse.Namespace) -> int:
    """Measure one pair, or every pair where no two sides are named: a table, JSON, or files."""
    named = (options.left is not None) + (options.right is not None)
    if named == 1:
        raise CallError("Give both --left and --right, or neither for every pair.")
    if options.tokens and not named:
        raise CallError("The measures on tokens are of one pair: give --left and --right.")
    if named and options.annotators:
        raise CallError("Give either --left and --right, or --annotator for every pair of several.")
    if options.concepts:
        return _concepts(options)
    with options.project.snapshot():
        return _one_pair(options) if named else _every_pair(options)


def _concepts(options: argparse.Namespace) -> int:
    if options.left is None or options.html or options.csv or options.svg or options.png:
        raise CallError("--concepts is of one pair, as a table or --json: give --left and --right.")
    sides = (options.project, options.left, options.right)
    agreement = measure_concepts(*sides, options.concepts, options.profile)
    return tell(options, to_json(agreement), to_table(agreement))


def _one_pair(options: argparse.Namespace) -> int:
    sides = (options.project, options.left, options.right)
    about = f"Agreement of {options.left} with {options.right}"
    if options.html:
        finish(reporting_agreement(*sides, options.html))
        echo(f"{about} written to {options.html}.")
    elif options.csv:
        files = finish(tabulating_agreement(*sides, options.profile, options.csv))
        echo(f"{about} written to {', '.join(map(str, files))}.")
    elif options.svg:
        finish(writing_drawing(*sides, options.profile, options.svg))
        echo(f"Charts of the {about[0].lower()}{about[1:]} written to {options.svg}.")
    elif options.png:
        _paint(options)
        echo(f"Charts of the {about[0].lower()}{about[1:]} written to {options.png}.")
    else:
        tokens = options.json or options.tokens
        agreement = measure_agreement(*sides, options.profile, tokens=tokens)
        return tell(options, to_json(agreement), to_table(agreement, tokens=options.tokens))
    return 0


def _paint(options: argparse.Namespace) -> None:
    """Draw the charts by what the program was started with: only the window's half can paint."""
    if options.paint is None:
        raise CallError("This was started without Qt, which paints PNG; use the command casespan, or --svg.")
    require_writable_name(options.png)
    sides = (options.project, options.left, options.right)
    options.paint(finish(drawing_agreement(*sides, options.profile)), options.png)


def _every_pair(options: argparse.Namespace) -> int:
    if options.svg or options.png:
        raise CallError("The charts are of one pair: give --left and --right.")
    names = options.annotators
    if options.html:
        report_pairs(options.project, names, options.html)
        echo(f"Agreement of every pair written to {options.html}.")
    elif options.csv:
        files = tabulate_pairs(options.project, names, options.profile, options.csv)
        echo(f"Agreement of every pair written to {', '.join(map(str, files))}.")
    else:
        sides = read_sets(options.project, names)
        pairs = compare_every_pair(sides, options.profile)
        shares = [sides.shares(name) for name in sides.names]
        caveats = sides.caveats_on(*sides.names)
        if options.json:
            echo_json(pairs_json(pairs, shares, caveats))
        else:
            echo_lines(pairs_table(pairs, shares, caveats))
    return 0


COMMAND = Command("study.casespan --left rules --right gold", _arguments, agree)

"""The commands that set two sets of annotations side by side, and their arguments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import add_command, add_json, add_sides, item_score, span_place
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from app.cli.arguments import Commands


def add_side_commands(commands: Commands) -> None:
    """Add them in the order of the work: compare, list, decide."""
    _add_agree(commands)
    _add_review(commands)
    _add_rate(commands)
    _add_amend(commands)


def _add_agree(commands: Commands) -> None:
    about = "Measure how far two annotators, or every two of several, agree"
    command = add_command(
        commands, "agree", "comparison", "agree", about, "study.casespan --left rules --right gold"
    )
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


def _add_rate(commands: Commands) -> None:
    about = "Rate what a run has in a report, on twelve items from 1 to 5, or show the means of such ratings"
    example = "study.casespan --run rules --document PMC123 --rater 'Dr Ana Ruiz' --score accuracy=4"
    command = add_command(commands, "rate", "rating", "rate", about, example)
    command.add_argument(
        "--run", dest="runs", action="append", metavar="NAME", help="the run, or other set, rated"
    )
    command.add_argument("--document", metavar="ID", help="the report")
    command.add_argument("--rater", action="append", metavar="NAME", help="who rates")
    command.add_argument(
        "--score",
        action="append",
        type=item_score,
        metavar="ITEM=N",
        help="one item's score, 5 always the better end (may be repeated; items left out make it partial); "
        "takes the place of an earlier rating",
    )
    command.add_argument("--note", metavar="TEXT", help="a remark on the output")
    command.add_argument("--remove", action="store_true", help="remove a rating")
    command.add_argument(
        "--blind", action="store_true", help="the rater is not told the names of the runs (Output A, ...)"
    )
    command.add_argument(
        "--from", dest="sheet", type=Path, metavar="FILE", help="record the ratings of a CSV sheet"
    )
    command.add_argument(
        "--template", type=Path, metavar="FILE", help="write a CSV sheet with the outputs to be rated"
    )
    add_json(command)
    command.add_argument("--csv", type=Path, metavar="FILE", help="write every score as CSV, one a row")
    command.add_argument("--html", type=Path, metavar="FILE", help="write the means as a page")


def _add_amend(commands: Commands) -> None:
    about = (
        "Add a clause or an example to a category's guideline, or list what was added and whom it concerns"
    )
    example = "study.casespan --category GI --section exclude --clause 'Hiccups after anaesthesia: `RESP`.'"
    command = add_command(commands, "amend", "amending", "amend", about, example)
    command.add_argument("--category", metavar="C", help="the category of the guideline")
    command.add_argument(
        "--section", choices=("include", "exclude", "boundaries"), help="where the clause goes"
    )
    command.add_argument("--clause", metavar="TEXT", help="the clause, on one line")
    command.add_argument("--example", metavar="TEXT", help="the text of a worked example")
    command.add_argument(
        "--quote", action="append", metavar="Q", help="what is to be marked in the example (may be repeated)"
    )
    command.add_argument("--field", metavar="F", help="the field of these quotes")
    command.add_argument("--polarity", choices=POLARITIES, help="the polarity of these quotes")
    command.add_argument("--nothing", metavar="REASON", help="why nothing is to be marked in the example")
    command.add_argument(
        "--from-decision", metavar="ID", help="adopt what a decision, or that on a difference, proposes"
    )
    command.add_argument("--dry-run", action="store_true", help="show what would be added, and add nothing")
    command.add_argument("--by", metavar="NAME", help="who amends it (default: the project's annotator)")
    command.add_argument("--list", action="store_true", help="list the amendments")
    command.add_argument(
        "--outdated", action="store_true", help="list the reports worked on before the guideline was amended"
    )
    add_json(command)


def _add_review(commands: Commands) -> None:
    about = (
        "Go through what a run found in a report: list it beside one's own spans, or judge it span by span"
    )
    example = "study.casespan --run rules --annotator 'Dr Ana Ruiz' --document PMC123 --accept 1b9f03ac"
    command = add_command(commands, "review", "reviewing", "review", about, example)
    command.add_argument(
        "--run",
        dest="reviewed",
        required=True,
        metavar="NAME",
        help="the run, or other set, that is reviewed",
    )
    command.add_argument(
        "--annotator", required=True, metavar="NAME", help="who reviews; seeing the run is recorded"
    )
    command.add_argument(
        "--document", metavar="ID", help="one report (default: all with something of the run)"
    )
    add_json(command)
    verdict = command.add_mutually_exclusive_group()
    spans = "by their IDs as listed, or at least 8 signs of them"
    verdict.add_argument("--accept", nargs="+", metavar="ID", help=f"accept spans, {spans}")
    command.add_argument(
        "--beside",
        action="store_true",
        help="with --accept: keep one's own overlapping spans as well, which the accepted ones replace else",
    )
    verdict.add_argument("--reject", nargs="+", metavar="ID", help="reject spans")
    verdict.add_argument("--edit", metavar="ID", help="accept one span, edited as --place and the others say")
    verdict.add_argument(
        "--accept-same", action="store_true", help="accept all of --document that is the same in both sets"
    )
    command.add_argument(
        "--place", type=span_place, metavar="START-END", help="where the edited span is, in characters"
    )
    command.add_argument("--category", metavar="C", help="the category of the edited span")
    command.add_argument("--polarity", choices=POLARITIES, help="the polarity of the edited span")
    command.add_argument("--field", metavar="FIELD", help="the field of the edited span")

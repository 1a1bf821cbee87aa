"""`casespan rate`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.agreement.ratings.tables import ratings_json, ratings_table
from app.cli.arguments import Command, add_json, complain, echo, echo_json, tell
from app.operations.rate.ratings import rate_output, remove_rating, summarise_ratings
from app.operations.rate.sheets import export_ratings, read_rating_sheet, report_ratings, write_rating_sheet
from app.text import counted
from extractors.model.errors import CallError


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--run", dest="runs", action="append", metavar="NAME", help="the run, or other set, rated"
    )
    command.add_argument("--document", metavar="ID", help="the report")
    command.add_argument("--rater", action="append", metavar="NAME", help="who rates")
    command.add_argument(
        "--score",
        action="append",
        type=_item_score,
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


def rate(options: argparse.Namespace) -> int:
    _require_one_purpose(options)
    if options.score or options.note or options.remove:
        return _rate_one(options)
    if options.sheet:
        return _read(options)
    if options.template:
        return _write(options)
    return _show(options)


def _require_one_purpose(options: argparse.Namespace) -> None:
    """Raise CallError for options that belong to different purposes."""
    rates = bool(options.score or options.note)
    purposes = {
        "--score": rates,
        "--remove": options.remove,
        "--from": bool(options.sheet),
        "--template": bool(options.template),
        "--csv": bool(options.csv),
        "--html": bool(options.html),
    }
    asked = [name for name, given in purposes.items() if given]
    if len(asked) > 1:
        raise CallError(f"{asked[0]} and {asked[1]} do not go together; give one of them.")
    if options.document and not (rates or options.remove):
        raise CallError("--document is for rating one output; add --score ITEM=1-5.")
    if options.json and asked and asked[0] in ("--csv", "--html"):
        raise CallError(f"--json and {asked[0]} do not go together; give one of them.")
    if options.blind and (not asked or asked[0] in ("--csv", "--html")):
        raise CallError("The means name the runs; leave --blind out.")


def _rate_one(options: argparse.Namespace) -> int:
    rater, report = _rater(options), options.document
    runs: list[str] = options.runs or []
    if not (rater and report and len(runs) == 1):
        raise CallError("To speak of one output, give --run, --document and --rater, each once.")
    if options.remove:
        remove_rating(options.project, rater, runs[0], report, blind=options.blind)
        words = f"The rating of {runs[0]} in {report} by {rater} was removed."
        return tell(options, {"removed": 1}, [words])
    found = rate_output(
        options.project, rater, runs[0], report, _scores(options), options.note or "", blind=options.blind
    )
    whole = "" if found.whole else ", the others are left out: it counts as partial"
    words = f"{rater} rated {runs[0]} in {found.report}: {counted(len(found.scores), 'item')}{whole}."
    return tell(options, {**asdict(found), "run": runs[0], "whole": found.whole}, [words])


def _scores(options: argparse.Namespace) -> dict[str, int]:
    """The scores by item; raises CallError where one is given twice."""
    items = [item for item, _ in options.score or ()]
    twice = next((item for item in items if items.count(item) > 1), None)
    if twice:
        raise CallError(f"--score gives {twice!r} twice; give each item once.")
    return dict(options.score or ())


def _read(options: argparse.Namespace) -> int:
    sheet = read_rating_sheet(options.project, options.sheet, _rater(options), blind=options.blind)
    for line in sheet.refused:
        complain(line)
    if sheet.refused:
        wrong = counted(len(sheet.refused), "line")
        complain(f"Nothing was recorded; mend {wrong} of {options.sheet} and read it again.")
        if options.json:
            echo_json(asdict(sheet))
        return 1
    words = f"{counted(sheet.rated, 'output')} rated"
    words += f", {sheet.partial} of them in part" if sheet.partial else ""
    words += f"; {counted(sheet.empty, 'row')} left empty." if sheet.empty else "."
    return tell(options, asdict(sheet), [words])


def _write(options: argparse.Namespace) -> int:
    rater, out = _rater(options), options.template
    if not rater:
        raise CallError("A sheet is for one rater; give --rater NAME.")
    number = write_rating_sheet(options.project, rater, out, options.runs or (), blind=options.blind)
    words = f"{counted(number, 'output')} to rate written to {out}; read it back with --from."
    return tell(options, {"outputs": number}, [words])


def _show(options: argparse.Namespace) -> int:
    runs, raters = options.runs or (), options.rater or ()
    if options.csv:
        number = export_ratings(options.project, options.csv, runs, raters)
        echo(f"{counted(number, 'rating')} written to {options.csv}.")
    elif options.html:
        report_ratings(options.project, options.html, runs, raters)
        echo(f"Ratings written to {options.html}.")
    else:
        summary = summarise_ratings(options.project, runs, raters)
        return tell(options, ratings_json(summary), ratings_table(summary))
    return 0


def _rater(options: argparse.Namespace) -> str:
    given = options.rater or ()
    if len(given) > 1:
        raise CallError("One person rates at a time; give --rater once.")
    return given[0] if given else ""


def _item_score(text: str) -> tuple[str, int]:
    """An item's id and its score, of the form ITEM=N."""
    item, _, value = text.partition("=")
    if not item or not value.isascii() or not value.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form ITEM=N, such as accuracy=4")
    return item, int(value)


COMMAND = Command(
    "study.casespan --run rules --document PMC123 --rater 'Dr Ana Ruiz' --score accuracy=4",
    _arguments,
    rate,
    writes=lambda options: bool(
        options.score or options.note or options.remove or options.sheet or options.template
    ),
)

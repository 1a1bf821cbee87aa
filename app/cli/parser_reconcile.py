"""The commands that work disagreements off to a gold set, and their arguments."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.arguments import add_command, add_json, add_sides, score

if TYPE_CHECKING:
    from app.cli.arguments import Commands

_TAKE = ("left", "right", "both", "merged", "edited", "neither", "ask")
_REASONS = ("guideline-gap", "slip", "ambiguous-text", "model-error", "preference")
_ALIKE = ("words", "cue", "head", "habit", "labels", "scope")
_KINDS = ("missing", "boundary", "label", "polarity")


def add_reconcile_commands(commands: Commands) -> None:
    """Add them in the order of the work: list, decide, build."""
    _add_queue(commands)
    _add_resolve(commands)
    _add_gold(commands)


def _add_queue(commands: Commands) -> None:
    about = (
        "List everything on which two annotators differ: report-category pairs far apart, then single spans"
    )
    example = "study.casespan --left ana --right ben --below 30 --state open"
    command = add_command(commands, "queue", "reconciling", "queue", about, example)
    add_sides(command)
    _add_below(command)
    command.add_argument(
        "--order",
        choices=("worst", "frequent"),
        default="worst",
        help="the lowest token set ratio first, or the most frequent kind of difference first "
        "(default: worst)",
    )
    command.add_argument(
        "--kind", action="append", choices=_KINDS, help="only differences of this kind (may be repeated)"
    )
    command.add_argument(
        "--category", action="append", metavar="C", help="only this category (may be repeated)"
    )
    command.add_argument(
        "--document", action="append", metavar="ID", help="only this report (may be repeated)"
    )
    command.add_argument(
        "--state",
        choices=("undecided", "open", "asked", "decided", "all"),
        default="undecided",
        help="open and asked again (undecided, the default), one of them, decided, or all",
    )
    add_json(command)


def _add_resolve(commands: Commands) -> None:
    about = "Decide on differences of the queue"
    example = "study.casespan --left ana --right ben --id 3f9a12bc77d0 --take left --reason slip"
    command = add_command(commands, "resolve", "reconciling", "resolve", about, example)
    command.add_argument(
        "--id",
        dest="ids",
        action="extend",
        nargs="+",
        default=[],
        metavar="ID",
        help="a difference, or REPORT/CATEGORY for all that is undecided there (may be several)",
    )
    add_sides(command)
    _add_below(command)
    command.add_argument("--take", choices=_TAKE, help="the decision; ask leaves the question open")
    command.add_argument(
        "--span",
        action="append",
        type=_span,
        default=[],
        metavar="START:END:C[:POLARITY[:FIELD]]",
        help="with --take edited: the right span, in code points of the text (may be repeated)",
    )
    command.add_argument("--reason", choices=_REASONS, default="", help="why the sides differ")
    command.add_argument("--note", default="", metavar="TEXT", help="a remark for the record")
    command.add_argument(
        "--clause", default="", metavar="TEXT", help="the clause of the guideline it touches"
    )
    command.add_argument("--confidence", type=float, metavar="0-1", help="how sure the decision is")
    command.add_argument(
        "--alike",
        action="append",
        choices=_ALIKE,
        default=[],
        help="also decide what is alike, from narrow to wide: the same words; the same few words at an edge, "
        "or negation (cue); the same last word (head); the same habit at the edges or of a side alone "
        "(an article, a number, a whole sentence); the same pair of labels; all of this kind in the category "
        "(scope); may be repeated, --dry-run lists them",
    )
    command.add_argument(
        "--from",
        dest="orders",
        metavar="FILE",
        help="decisions as JSON, a list or one a line (- reads the standard input): "
        '{"id", "take", "reason", "note", "clause", "confidence", "spans": [{"start", "end", "category", '
        '"polarity", "field"}]}; all of them or none',
    )
    command.add_argument("--by", metavar="NAME", help="who decides (default: whoever made the project)")
    command.add_argument("--dry-run", action="store_true", help="say what would be decided, decide nothing")
    add_json(command)


def _add_gold(commands: Commands) -> None:
    about = "Build the gold set from agreement and decisions, or show how somebody's work was corrected"
    command = add_command(
        commands, "gold", "reconciling", "gold", about, "study.casespan --left ana --right ben"
    )
    add_sides(command, required=False)
    command.add_argument(
        "--as",
        dest="name",
        default="",
        metavar="NAME",
        help='its name (default: gold, or "gold of A and B" where gold holds something else)',
    )
    command.add_argument("--by", metavar="NAME", help="who builds it (default: whoever made the project)")
    command.add_argument("--dry-run", action="store_true", help="say what would be built, build nothing")
    command.add_argument(
        "--corrections", metavar="ANNOTATOR", help="how this annotator's work was corrected; builds nothing"
    )
    add_json(command)


def _add_below(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--below",
        type=score,
        metavar="TSR",
        help="report-category pairs with a lower token set ratio come as a whole, 0-100 (default: 30)",
    )


def _span(text: str) -> tuple[int, int, str, str, str]:
    """START:END:CATEGORY[:POLARITY[:FIELD]]."""
    start, end, category, polarity, field = (*text.split(":", 4), "", "", "", "")[:5]
    if not (start.isdecimal() and end.isdecimal() and category):
        raise argparse.ArgumentTypeError(f"{text!r} is not START:END:CATEGORY, such as 120:134:DERM")
    return int(start), int(end), category, polarity or "present", field

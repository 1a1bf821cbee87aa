"""`casespan study export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser, add_json
from app.cli.console import echo, echo_json
from app.cli.study_arguments import add_study, study_of
from app.messages import under_licence
from app.operations.study.exchange import export_study
from app.text import counted

if TYPE_CHECKING:
    import argparse


def _arguments(parser: Parser) -> None:
    add_study(parser)
    parser.add_argument("out", type=Path, metavar="DIR", help="a new folder")
    parser.add_argument(
        "--any-licence", action="store_true", help="pass pictures on whatever their licence says"
    )
    add_json(parser)


def export(options: argparse.Namespace) -> int:
    """Write the items and their card."""
    study, out = study_of(options), options.out
    card = export_study(options.project, study, out, any_licence=options.any_licence)
    if options.json:
        echo_json(card)
    else:
        echo(f"{counted(card['items'], 'item')} of {card['study']} written to {options.out}.")
        for guard in card["guards"]:
            echo(f"  {under_licence(guard)}")
    return 0


COMMAND = Command("study.casespan STUDY shared-items", _arguments, export)

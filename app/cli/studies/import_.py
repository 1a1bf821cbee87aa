"""`casespan study import`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser, add_json
from app.cli.studies.build import show_build
from app.cli.study_arguments import add_study, study_of
from app.operations.study.exchange import import_study

if TYPE_CHECKING:
    import argparse


def _arguments(parser: Parser) -> None:
    add_study(parser)
    parser.add_argument("source", type=Path, metavar="PATH", help="a folder as exported, or an items.jsonl")
    add_json(parser)


def import_(options: argparse.Namespace) -> int:
    """Take the items over."""
    return show_build(import_study(options.project, study_of(options), options.source), as_json=options.json)


COMMAND = Command("study.casespan STUDY shared-items", _arguments, import_, writes=True)

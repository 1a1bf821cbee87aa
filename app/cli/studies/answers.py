"""`casespan study answers`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser
from app.cli.console import echo
from app.cli.study_arguments import add_own, add_study, study_of, tasks_of
from app.operations.study.exchange import answers_json, write_lines
from app.text import counted

if TYPE_CHECKING:
    import argparse


def _arguments(parser: Parser) -> None:
    study = add_study(parser)
    parser.add_argument("--run", required=True, metavar="NAME", help="the run")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="one JSON object a line")
    add_own(parser, study)


def answers(options: argparse.Namespace) -> int:
    """Write what a run was answered."""
    found = answers_json(options.project, study_of(options), options.run, tasks_of(options))
    write_lines(options.out, found)
    echo(f"{counted(len(found), 'answer')} written to {options.out}.")
    return 0


COMMAND = Command("study.casespan STUDY --run ranker/STUDY --out answers.jsonl", _arguments, answers)

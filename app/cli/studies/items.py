"""`casespan study items`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser, add_json
from app.cli.console import echo, echo_json
from app.cli.servers import add_seed
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
from app.operations.extract.options import RunOptions
from app.operations.study.exchange import write_lines
from app.operations.study.running import StudyOptions, list_items_of, list_prompts_of
from app.text import counted
from extractors.model.errors import CallError

if TYPE_CHECKING:
    import argparse


def _arguments(parser: Parser) -> None:
    study = add_study(parser)
    if study is not None and study.arms:
        parser.add_argument("--arm", metavar="NAME", help="with --prompts: the way in which a model is asked")
    parser.add_argument("--prompts", action="store_true", help="with what a model would be asked of each")
    add_seed(parser)
    add_labels(parser)
    output = parser.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--out", type=Path, metavar="FILE", help="write one JSON object a line")
    add_own(parser, study, "items", "run")


def items(options: argparse.Namespace) -> int:
    """List the items."""
    study = study_of(options)
    tasks, labels = tasks_of(options), labels_of(options)
    settings = settings_of(options, study, "items", "run")
    model = RunOptions(model="", seed=1 if options.seed is None else options.seed)
    arm = arm_of(options, study) if options.prompts else ""
    wanted = StudyOptions(settings, arm, tasks, labels, model=model)
    list_of = list_prompts_of if options.prompts else list_items_of
    found = list_of(options.project, study, wanted)
    if options.out:
        write_lines(options.out, found)
        echo(f"{counted(len(found), 'item')} written to {options.out}.")
    elif options.json:
        echo_json(found)
    elif options.prompts:
        raise CallError("Prompts are long; add --json, or --out FILE.")
    else:
        for one in found:
            echo(f"{one['task']}  {one['id']}")
        if not found:
            echo(f"No items yet. Next: casespan study build {options.path} {study.id} {study.example}")
    return 0


COMMAND = Command("study.casespan STUDY --json", _arguments, items)

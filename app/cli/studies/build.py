"""`casespan study build`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser, add_json
from app.cli.console import echo, echo_json, finish
from app.cli.servers import add_model_options, add_resume, add_seed, client_of, run_options, stopped
from app.cli.study_arguments import add_own, add_study, settings_of, study_of, tasks_of
from app.operations.study.building import Writer, build_items
from app.text import counted

if TYPE_CHECKING:
    import argparse

    from app.operations.study.items import BuildSummary


def _arguments(parser: Parser) -> None:
    study = add_study(parser)
    if study is not None and study.builds_with_model:
        parser.add_argument("--replay", type=Path, metavar="FILE", help="a model's replies from a file")
        add_resume(parser)
        parser.add_argument("--new-run", action="store_true", help="have a model write everything anew")
        add_model_options(parser, sections=False)
    else:
        add_seed(parser)
    parser.add_argument(
        "--from",
        dest="sources",
        action="extend",
        nargs="+",
        type=Path,
        default=[],
        metavar="PATH",
        help="files or folders to build from; without any, the project's own reports where the study can",
    )
    add_json(parser)
    add_own(parser, study, "build")


def build(options: argparse.Namespace) -> int:
    """Make the items."""
    study = study_of(options)
    settings = settings_of(options, study, "build")
    writer = None
    if study.builds_with_model:
        writer = Writer(lambda: client_of(options), run_options(options, ""), options.replay)
    seed = 1 if options.seed is None else options.seed
    job = build_items(options.project, study, options.sources, settings, seed, tasks_of(options), writer)
    try:
        return show_build(finish(job), as_json=options.json)
    except KeyboardInterrupt:
        raise stopped() from None


def show_build(summary: BuildSummary, *, as_json: bool) -> int:
    """What a build or an import brought."""
    if as_json:
        fields = asdict(summary)
        del fields["wrong"]
        echo_json({key: value for key, value in fields.items() if key != "notes" or value})
        return 1 if summary.wrong else 0
    echo(f"{counted(summary.items, 'item')} of {summary.study}, {summary.added:,} of them new.")
    for label, values in summary.by.items():
        if values:
            echo(f"  {label}: {', '.join(f'{value} {number:,}' for value, number in values.items())}")
    for reason, number in summary.left_out.items():
        echo(f"  left out: {number:,}  {reason}")
    for note in summary.notes:
        echo(f"  {note}")
    return 1 if summary.wrong else 0


COMMAND = Command("study.casespan STUDY --from cases.jsonl", _arguments, build, writes=True)

"""`casespan grid`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.agreement.grid import Grid
from app.agreement.output.grid_tables import grid_json, grid_table
from app.cli.arguments import Command, add_json, add_only, echo, echo_json, echo_lines
from app.cli.servers import (
    FOR_MODELS,
    add_model_options,
    add_resume,
    client_of,
    finish_run,
    model_options,
    refuse,
    warn_of_remote,
)
from app.operations.extract.grid import GridOptions, report_grid, run_grid, tabulate_grid
from extractors.tasks.prompting.variants import PROMPTINGS, STRATEGIES
from extractors.tasks.quotes import QuotesTask

_FOR_RUNS = ("strategy", "prompting", *FOR_MODELS, "resume")


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--model",
        action="append",
        metavar="NAME",
        help="a model to run (may be repeated; without any, the runs that the project has are shown)",
    )
    command.add_argument(
        "--strategy",
        action="append",
        choices=(*STRATEGIES, "all"),
        help="may be repeated (default: ucp)",
    )
    command.add_argument(
        "--prompting",
        action="append",
        choices=(*PROMPTINGS, "all"),
        help="may be repeated (default: few-shot)",
    )
    command.add_argument("--against", required=True, metavar="ANNOTATOR", help="the reference")
    add_only(command, "document", "ID")
    add_resume(command)
    command.add_argument("--per-category", action="store_true", help="a table for each category, too")
    add_model_options(command)
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained report")
    output.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")


def grid(options: argparse.Namespace) -> int:
    result = _run(options)
    if options.html:
        report_grid(options.project, result, options.html, per_category=options.per_category)
        echo(f"Grid against {options.against} written to {options.html}.")
    elif options.csv:
        tabulate_grid(result, options.csv, per_category=options.per_category)
        echo(f"Grid against {options.against} written to {options.csv}.")
        for sentence in result.left_out:
            echo(f"  left out: {sentence}")
    elif options.json:
        echo_json(grid_json(result, per_category=options.per_category))
    else:
        echo_lines(grid_table(result, per_category=options.per_category))
    unanswered = any(cell.incomplete or cell.failed or cell.missing for cell in result.cells)
    return 1 if result.left_out or unanswered else 0


def _run(options: argparse.Namespace) -> Grid:
    models = tuple(dict.fromkeys(options.model or ()))
    if not models:
        refuse(options, _FOR_RUNS, "is for models that are to be run; name them with --model.")
    client = client_of(options) if models else None
    if client is not None and options.allow_remote:
        for model in models:
            warn_of_remote(options, client, model)
    wanted = GridOptions(
        models=models,
        variants=tuple(one for one in QuotesTask.variants() if _is_wanted(one, options)),
        against=options.against,
        settings=model_options(options),
    )
    return finish_run(options, run_grid(options.project, client, wanted))


def _is_wanted(variant: str, options: argparse.Namespace) -> bool:
    strategy, prompting = variant.split("/")
    strategies, promptings = options.strategy or ["ucp"], options.prompting or ["few-shot"]
    return bool({strategy, "all"} & {*strategies}) and bool({prompting, "all"} & {*promptings})


COMMAND = Command(
    "study.casespan --model qwen2.5:7b --model llama3:8b --strategy all --against gold",
    _arguments,
    grid,
    writes=lambda options: bool(options.model),
)

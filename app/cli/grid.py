"""`casespan grid`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from app.agreement.grid_tables import grid_json, grid_table
from app.cli.arguments import FOR_MODELS
from app.cli.console import finish, say, say_json, say_lines
from app.cli.models import client_of, model_options, refuse, stopped, warn_of_remote
from app.operations.extract.grid import GridOptions, report_grid, run_grid, tabulate_grid
from extractors.tasks.variants import PROMPTINGS, STRATEGIES

if TYPE_CHECKING:
    from app.agreement.grid import Grid

_FOR_RUNS = ("strategy", "prompting", *FOR_MODELS, "resume")
Choice = TypeVar("Choice", bound=str)


def grid(options: argparse.Namespace) -> int:
    """Run or reuse the cells and show the table."""
    result = _run(options)
    if options.html:
        report_grid(options.project, result, options.html, per_category=options.per_category)
        say(f"Grid against {options.against} written to {options.html}.")
    elif options.csv:
        tabulate_grid(result, options.csv, per_category=options.per_category)
        say(f"Grid against {options.against} written to {options.csv}.")
        for sentence in result.left_out:
            say(f"  left out: {sentence}")
    elif options.json:
        say_json(grid_json(result, per_category=options.per_category))
    else:
        say_lines(grid_table(result, per_category=options.per_category))
    unanswered = any(cell.incomplete or cell.failed or cell.missing for cell in result.cells)
    return 1 if result.left_out or unanswered else 0


def _run(options: argparse.Namespace) -> Grid:
    models = tuple(dict.fromkeys(options.model or ()))
    if not models:
        refuse(options, _FOR_RUNS, "is for models that are to be run; name them with --model.")
    client = client_of(options) if models else None
    if client is not None and options.allow_remote:
        for model in models:
            warn_of_remote(client, model)
    wanted = GridOptions(
        models=models,
        strategies=_all(options.strategy, "ucp", STRATEGIES),
        promptings=_all(options.prompting, "few-shot", PROMPTINGS),
        against=options.against,
        settings=model_options(options),
    )
    try:
        return finish(run_grid(options.project, client, wanted))
    except KeyboardInterrupt:
        raise stopped() from None


def _all(given: Sequence[Choice] | None, default: Choice, every: Sequence[Choice]) -> tuple[Choice, ...]:
    """The choices given, in the usual order; "all" is each of them."""
    chosen = given or (default,)
    return tuple(one for one in every if one in chosen or "all" in chosen)

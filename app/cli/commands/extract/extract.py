"""`casespan extract`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from app.cli.arguments import Command, add_json, add_only, echo, echo_json, echo_lines, finish, tell
from app.cli.servers import (
    FOR_MODELS,
    RECORDED,
    add_model_options,
    add_resume,
    add_strategy,
    asked_client,
    complain_of_stop,
    finish_run,
    quotes_options,
    refuse,
)
from app.operations.extract.options import ModelOptions, ModelSummary
from app.operations.extract.rules import describe_rules_run, extract_with_rules
from app.operations.extract.run_task import describe_model_run, list_troubles, list_unplaced_quotes
from extractors.llm.types import Client

_SHOWN = 20
_WIDTH = 160
_NOT_RECORDED = ("strategy", "prompting", *FOR_MODELS)
_MODEL_ONLY = (*_NOT_RECORDED, "resume", "new_run", "dry_run")


def _arguments(command: argparse.ArgumentParser) -> None:
    extractor = command.add_mutually_exclusive_group(required=True)
    extractor.add_argument("--with", dest="extractor", choices=("rules",), help="the built-in rules")
    extractor.add_argument("--model", metavar="NAME", help="a model of the server (see --host)")
    extractor.add_argument("--replay", type=Path, metavar="FILE", help="replies recorded in a file, no model")
    add_strategy(command)
    add_only(command, "document", "ID")
    add_resume(command)
    command.add_argument("--new-run", action="store_true", help="begin another run with the same settings")
    add_model_options(command)
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="ask nothing; say how many calls and tokens it would take, and how long",
    )
    add_json(command)


def extract(options: argparse.Namespace) -> int:
    if options.extractor is None:
        return _with_model(options)
    refuse(options, _MODEL_ONLY, "is for models; the rules do without it.")
    return _with_rules(options)


def _with_rules(options: argparse.Namespace) -> int:
    summary = finish(extract_with_rules(options.project, options.document or (), options.category or ()))
    lines = _under(describe_rules_run(summary)) if summary.findings else [_no_reports(options)]
    return tell(options, asdict(summary), lines)


def _no_reports(options: argparse.Namespace) -> str:
    return f"There are no reports yet. Next: casespan import {options.path} REPORTS"


def _with_model(options: argparse.Namespace) -> int:
    # Imported here: the rules and the help need none of it.
    from app.operations.extract.models import replay
    from app.operations.extract.quotes import extract_with_model

    wanted = quotes_options(options, options.model or "")
    client: Client
    if options.replay:
        refuse(options, _NOT_RECORDED, RECORDED)
        client, recording = replay(options.replay)
        wanted = replace(
            wanted, model=recording.model, strategy=recording.strategy, prompting=recording.prompting
        )
    else:
        client = asked_client(options, options.model)
    if options.dry_run:
        return _forecast(options, client, wanted)
    summary = finish_run(options, extract_with_model(options.project, client, wanted))
    if options.json:
        echo_json(_as_json(summary))
    elif not summary.findings:
        echo(_no_reports(options))
    else:
        _show(summary)
    complain_of_stop(options, summary.stopped)
    return 0 if summary.whole else 1


def _forecast(options: argparse.Namespace, client: Client, wanted: ModelOptions) -> int:
    """Say what the run would take."""
    from app.operations.extract.quotes import describe_forecast, forecast_run

    forecast = finish(forecast_run(options.project, client, wanted))
    return tell(options, asdict(forecast), _under(describe_forecast(forecast)))


def _as_json(summary: ModelSummary) -> dict[str, object]:
    return {
        **asdict(summary),
        "calls": dict([*summary.calls.items(), ("missing", summary.missing)]),
        "groundings": dict(summary.groundings),
        "shared": summary.shared,
    }


def _show(summary: ModelSummary) -> None:
    echo_lines(_under(describe_model_run(summary)))
    if summary.incomplete:
        echo(f"  incomplete: {', '.join(summary.incomplete)}")
    _list(list_troubles(summary))
    if summary.unplaced:
        echo("  kept, although the report does not say so, or says otherwise:")
    _list(list_unplaced_quotes(summary, _WIDTH))


def _under(lines: Sequence[str]) -> list[str]:
    """The first line, and the others under it."""
    return [lines[0], *(f"  {line}" for line in lines[1:])]


def _list(lines: Sequence[str]) -> None:
    """The first lines, each indented, and how many more there are."""
    for line in lines[:_SHOWN]:
        echo(f"    {line}")
    if len(lines) > _SHOWN:
        echo(f"    and {len(lines) - _SHOWN} more (--json lists them all)")


COMMAND = Command(
    "study.casespan --model qwen2.5:7b --strategy ucp --prompting few-shot",
    _arguments,
    extract,
    writes=True,
)

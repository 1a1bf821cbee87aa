"""`casespan models` and `pull`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.arguments import Command, add_json, echo, echo_json, echo_table, finish
from app.cli.servers import add_host, client_of
from app.operations.extract.models import ModelLine, list_models, pull_model
from app.text import size_in_words


def _models_arguments(command: argparse.ArgumentParser) -> None:
    add_host(command)
    add_json(command)


def models(options: argparse.Namespace) -> int:
    client = client_of(options)
    version, lines = list_models(client)
    if options.json:
        echo_json({"host": client.where, "version": version, "models": list(map(asdict, lines))})
        return 0
    echo(f"{f'{client.label} {version}'.strip()} at {client.where}")
    if not lines:
        fetch = " Next: casespan pull qwen2.5:7b" if client.capabilities.fetches else ""
        echo(f"No models yet.{fetch}")
        return 0
    header = ("model", "size", "parameters", "quantisation", "context", "fits", "loaded")
    echo_table(header, [_row(line) for line in lines])
    echo("fits: the longest context, in tokens, that the free memory holds beside the model")
    return 0


def _row(line: ModelLine) -> tuple[str, ...]:
    loaded = f"yes, context {line.allocated:,}" if line.allocated else "yes" if line.loaded else "no"
    return (
        line.name,
        size_in_words(line.size),
        line.parameters,
        line.quantisation,
        f"{line.context:,}" if line.context else "?",
        f"on {line.remote}" if line.remote else f"{line.fits:,}" if line.fits else "no",
        loaded,
    )


MODELS = Command("", _models_arguments, models, project=False)


def _pull_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("model", metavar="NAME", help="the model's name in that library")
    add_host(command)


def pull(options: argparse.Namespace) -> int:
    client = client_of(options)
    finish(pull_model(client, options.model))
    echo(f"{options.model} is there. Next: casespan extract PROJECT --model {options.model}")
    return 0


PULL = Command("qwen2.5:7b", _pull_arguments, pull, project=False)

"""`casespan pull`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command
from app.cli.console import echo, finish
from app.cli.servers import add_host, client_of
from app.operations.extract.models import pull_model


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("model", metavar="NAME", help="the model's name in that library")
    add_host(command)


def pull(options: argparse.Namespace) -> int:
    """Have the server fetch a model."""
    client = client_of(options)
    finish(pull_model(client, options.model))
    echo(f"{options.model} is there. Next: casespan extract PROJECT --model {options.model}")
    return 0


COMMAND = Command("qwen2.5:7b", _arguments, pull, project=False)

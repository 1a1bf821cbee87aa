"""`casespan models` and `pull`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli.console import complain, finish, say, say_json, say_table
from app.operations.extract.models import ModelLine, connect, list_models, pull_model
from app.operations.extract.options import ModelOptions
from app.text import size_in_words
from extractors.llm.types import KEEP_ALIVE
from extractors.model.errors import CallError, InterruptedRunError

if TYPE_CHECKING:
    from extractors.llm.types import Client


def models(options: argparse.Namespace) -> int:
    """Show what the server has."""
    client = client_of(options)
    version, lines = list_models(client)
    if options.json:
        say_json({"host": client.where, "version": version, "models": [_as_json(line) for line in lines]})
        return 0
    say(f"{f'{client.label} {version}'.strip()} at {client.where}")
    if not lines:
        fetch = " Next: casespan pull qwen2.5:7b" if client.capabilities.fetches else ""
        say(f"No models yet.{fetch}")
        return 0
    header = ("model", "size", "parameters", "quantisation", "context", "fits", "loaded")
    say_table(header, [_row(line) for line in lines])
    say("fits: the longest context, in tokens, that the free memory holds beside the model")
    return 0


def pull(options: argparse.Namespace) -> int:
    """Have the server fetch a model."""
    client = client_of(options)
    finish(pull_model(client, options.model))
    say(f"{options.model} is there. Next: casespan extract PROJECT --model {options.model}")
    return 0


def client_of(options: argparse.Namespace) -> Client:
    """The server that the arguments name."""
    return connect(
        options.host,
        allow_remote=options.allow_remote,
        backend=options.backend,
        key_file=options.api_key_file,
    )


def model_options(options: argparse.Namespace, model: str = "") -> ModelOptions:
    """What the arguments of `extract` and `grid` ask of a model."""
    return ModelOptions(
        model=model,
        strategy="ucp",
        prompting="few-shot",
        documents=tuple(options.document or ()),
        seed=1 if options.seed is None else options.seed,
        think=options.think,
        resume=options.resume,
        context=options.context,
        reply_tokens=options.reply_tokens,
        temperature=options.temperature or 0.0,
        parallel=options.parallel or 1,
        keep_alive=options.keep_alive or KEEP_ALIVE,
        gpu_layers=options.gpu_layers,
        threads=options.threads,
        sections=options.sections or "headings",
    )


def refuse(options: argparse.Namespace, names: Sequence[str], why: str) -> None:
    """Raise CallError for the first of these arguments that was given."""
    for name in names:
        if getattr(options, name) not in (None, False):
            raise CallError(f"--{name.replace('_', '-')} {why}")


def stopped(again: str = "the same command") -> InterruptedRunError:
    """What is said where the user stops a run, and how it is taken up again."""
    return InterruptedRunError(f"Stopped; every answer up to here is kept, and {again} goes on from there.")


def warn_of_remote(client: Client, model: str) -> None:
    """Say on stderr where the text goes, if it leaves this machine."""
    card = client.card(model)
    where = " and ".join(dict.fromkeys(name for name in (client.remote, card.remote) if name))
    if where:
        complain(f"The reports' text goes to {where} (--allow-remote).")


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


def _as_json(line: ModelLine) -> dict[str, object]:
    return {name: getattr(line, name) for name in ModelLine.__dataclass_fields__}

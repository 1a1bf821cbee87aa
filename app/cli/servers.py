"""Models and their servers, as several commands name them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from app.cli.arguments import Result, add_only, complain, finish
from app.messages import taking_up
from app.operations.extract.models import connect
from app.operations.extract.notes import require_permission
from app.operations.extract.options import ModelOptions, ModelSummary, RunOptions
from app.text import counted
from extractors.llm.backends import SERVER_IDS, backend
from extractors.llm.types import KEEP_ALIVE, Client
from extractors.model.errors import CallError, InterruptedRunError
from extractors.model.progress import Progress
from extractors.tasks.prompting.variants import PROMPTINGS, SECTIONS_BY, STRATEGIES

# Arguments that only a call to a model's server has a use for, and that of extraction beside.
FOR_SERVERS = (
    "seed",
    "context",
    "reply_tokens",
    "think",
    "temperature",
    "parallel",
    "keep_alive",
    "gpu_layers",
    "threads",
    "host",
    "backend",
    "api_key_file",
    "allow_remote",
    "i_have_permission_for",
)
FOR_MODELS = ("sections", *FOR_SERVERS)
# A study draws by the seed whoever answers.
FOR_SERVERS_OF_STUDIES = tuple(name for name in FOR_SERVERS if name != "seed")
RECORDED = "is not for recorded replies, which are played as they are."
_Options = TypeVar("_Options", bound=RunOptions)


def add_resume(command: argparse.ArgumentParser, *, always: bool = False) -> None:
    """The option that repeats failed calls; where a model is `always` asked so, it may be given."""
    words = (
        "repeat also the calls that failed or read a report in part, and, with a larger --reply-tokens, "
        "those whose reply was cut"
    )
    told, default = (argparse.SUPPRESS, None) if always else (words, False)
    command.add_argument("--resume", action="store_true", default=default, help=told)


def add_seed(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=int, metavar="N", help="for a model that samples (default: 1)")


def add_model_options(
    command: argparse.ArgumentParser, *, sections: bool = True, several: bool = False
) -> None:
    """What a call to a model may be told; by which `sections` a report is shown is for extraction.

    `several` servers may be named.
    """
    add_seed(command)
    command.add_argument(
        "--context", type=_tokens, metavar="TOKENS", help="context of the model (default: what is needed)"
    )
    command.add_argument(
        "--reply-tokens", type=_tokens, metavar="TOKENS", help="the longest reply (default: by strategy)"
    )
    command.add_argument(
        "--think", action="store_true", help="let a model that can think do so before it answers"
    )
    if sections:
        command.add_argument(
            "--sections",
            choices=SECTIONS_BY,
            help="for fcsp: by headings, or inferred for paragraphs from the words that the rules know, "
            "where a heading speaks of everything (default: headings)",
        )
    command.add_argument(
        "--temperature", type=_temperature, metavar="T", help="0 to 2; above 0 replies vary (default: 0)"
    )
    command.add_argument(
        "--parallel",
        type=number(1, 64),
        metavar="N",
        help="calls in flight at once, about different reports, as far as the server can do it (default: 1)",
    )
    command.add_argument(
        "--keep-alive",
        type=_duration,
        metavar="TIME",
        help="how long the server keeps the model in memory, like 30m or 2h (default: 30m)",
    )
    command.add_argument(
        "--gpu-layers",
        type=number(0, 10_000),
        metavar="N",
        help="layers of the model that the graphics card takes (default: as the server decides)",
    )
    command.add_argument(
        "--threads",
        type=number(1, 10_000),
        metavar="N",
        help="processor cores that the server uses (default: as it decides)",
    )
    add_host(command, several=several)
    command.add_argument(
        "--i-have-permission-for",
        action="append",
        metavar="HOST",
        help="data under a licence that guards it may be sent to this machine (with --allow-remote)",
    )


def add_host(command: argparse.ArgumentParser, *, several: bool = False) -> None:
    more: dict[str, Any] = {"nargs": "+", "action": "extend"} if several else {}
    examples = " or ".join(f"{one.example} ({one.label})" for one in map(backend, SERVER_IDS))
    command.add_argument(
        "--host",
        **more,
        metavar="URL",
        help=f"the model server by its address, like {examples} "
        "(default: OLLAMA_HOST, or this computer, port 11434)",
    )
    command.add_argument(
        "--backend", choices=SERVER_IDS, help="what the server speaks, where its address does not tell"
    )
    command.add_argument(
        "--api-key-file",
        type=Path,
        metavar="FILE",
        help="a file that holds the server's key (default: the key that the system's keyring has for it)",
    )
    command.add_argument(
        "--allow-remote",
        action="store_true",
        help="allow a server or a cloud-backed model on another machine: the reports' text is sent there",
    )


def add_strategy(command: argparse.ArgumentParser) -> None:
    """Add how categories are asked for, and which."""
    command.add_argument(
        "--strategy",
        choices=STRATEGIES,
        help="fcsp: each category's prompt on its sections; ucp: on the whole report; ugp: one prompt for "
        "all categories (default: ucp)",
    )
    command.add_argument(
        "--prompting",
        choices=PROMPTINGS,
        help="with examples, without, or with reasoning (default: few-shot)",
    )
    add_only(command, "category", "C")


def _tokens(text: str) -> int:
    """A number of tokens that makes sense."""
    if not text.isdecimal() or not 128 <= int(text) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of tokens from 128 to 10000000")
    return int(text)


def positive(kind: Callable[[str], float]) -> Callable[[str], float]:
    """Reads a number above 0."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = 0
        if not 0 < value < 1e9:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
        return value

    return read


def number(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within these bounds."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")
        return int(text)

    return read


def _temperature(text: str) -> float:
    """A temperature that makes sense."""
    if not re.fullmatch(r"\d+(\.\d+)?", text) or not 0 <= float(text) <= 2:
        raise argparse.ArgumentTypeError(f"{text!r} is not a temperature from 0 to 2")
    return float(text)


def _duration(text: str) -> str:
    """A length of time as servers write it."""
    if not re.fullmatch(r"\d+(s|m|h)", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a length of time like 90s, 30m or 2h")
    return text


def client_of(options: argparse.Namespace, host: str | None = None) -> Client:
    """The server that the arguments name, or the one at `host` with all else that they say."""
    return connect(
        host or options.host,
        allow_remote=options.allow_remote,
        backend=options.backend,
        key_file=options.api_key_file,
    )


def model_options(options: argparse.Namespace, model: str = "") -> ModelOptions:
    """What the arguments of `extract` and `grid` ask of a model."""
    return options_of(
        ModelOptions,
        options,
        model,
        documents=tuple(options.document or ()),
        strategy="ucp",
        prompting="few-shot",
        sections=options.sections or "headings",
    )


def quotes_options(options: argparse.Namespace, model: str) -> ModelOptions:
    """What the arguments ask of a model with those of `add_strategy`."""
    wanted = replace(
        model_options(options, model),
        strategy=options.strategy or "ucp",
        prompting=options.prompting or "few-shot",
        categories=tuple(options.category or ()),
    )
    if wanted.sections != wanted.sections_by:
        raise CallError("--sections is for --strategy fcsp; the other strategies show the whole report.")
    return wanted


def run_options(options: argparse.Namespace, model: str) -> RunOptions:
    """How the arguments have a model asked, whatever it is asked."""
    return options_of(RunOptions, options, model)


def options_of(
    kind: type[_Options],
    options: argparse.Namespace,
    model: str,
    **own: Any,  # noqa: ANN401 (of any kind)
) -> _Options:
    """How the arguments have a model asked, with what that kind of options has of its `own`."""
    return kind(
        model=model,
        seed=1 if options.seed is None else options.seed,
        think=options.think,
        resume=options.resume is not False,
        new_run=_begins_anew(options),
        context=options.context,
        reply_tokens=options.reply_tokens,
        temperature=options.temperature or 0.0,
        parallel=options.parallel or 1,
        keep_alive=options.keep_alive or KEEP_ALIVE,
        gpu_layers=options.gpu_layers,
        threads=options.threads,
        permitted=tuple(options.i_have_permission_for or ()),
        **own,
    )


def refuse(options: argparse.Namespace, names: Sequence[str], reason: str) -> None:
    """Raise CallError for the first of these arguments that was given."""
    for name in names:
        given = getattr(options, name)
        # 0 equals False, and is a number that was given.
        if given is not None and given is not False:
            raise CallError(f"--{name.replace('_', '-')} {reason}")


def same_command(options: argparse.Namespace) -> str:
    """The call that takes up what this one began."""
    return "the same command without --new-run" if _begins_anew(options) else "the same command"


def finish_run(options: argparse.Namespace, job: Generator[Progress, None, Result]) -> Result:
    """`finish` a run; where the user stops it, an InterruptedRunError says how it is taken up again."""
    try:
        return finish(job)
    except KeyboardInterrupt:
        raise InterruptedRunError(
            f"Stopped; every answer up to here is kept, and {same_command(options)} goes on from there."
        ) from None


def complain_of_stop(options: argparse.Namespace, why: str) -> None:
    """Say why a run ended before its time, and how it is taken up again; nothing of one that did not."""
    if why:
        complain(f"{why} The same command {taking_up(_begins_anew(options))} goes on from there.")


def complain_of_calls(summary: ModelSummary) -> int:
    """Say which calls of a run have no whole answer, and why the first has none; the command's exit code."""
    if summary.stopped:
        complain(f"{summary.stopped} The same command goes on from there.")
    elif not summary.whole:
        left = summary.planned - summary.calls["done"]
        first = "".join(f"; {one.report}: {one.sentence}" for one in summary.troubles[:1])
        complain(f"{left} of {counted(summary.planned, 'call')} without a whole answer{first or '.'}")
    return 0 if summary.whole else 1


def _begins_anew(options: argparse.Namespace) -> bool:
    """Whether `--new-run` was given, where the command has it."""
    return getattr(options, "new_run", False)


def asked_client(options: argparse.Namespace, model: str) -> Client:
    """The server that the arguments name, once `warn_of_remote` has said where the text goes."""
    client = client_of(options)
    warn_of_remote(options, client, model)
    return client


def warn_of_remote(options: argparse.Namespace, client: Client, model: str) -> None:
    """Say on stderr where the text goes, if it leaves this machine; RemoteRefusedError where it must not.

    That is found out before the other machine is spoken to.
    """
    require_permission(options.project, client.remote, tuple(options.i_have_permission_for or ()))
    card = client.card(model)
    where = " and ".join(dict.fromkeys(name for name in (client.remote, card.remote) if name))
    if where:
        complain(f"The reports' text goes to {where} (--allow-remote).")

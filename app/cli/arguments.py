"""The pieces that the commands of the command line are made of."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

if TYPE_CHECKING:
    Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001 (argparse names no public type)

# Arguments that only a call to a model's server has a use for.
FOR_MODELS = (
    "sections",
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
)
Handler = Callable[[argparse.Namespace], int]
# Not annotations, but what a model said, word for word, to be played again without it.
REPLIES = "replies"


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in one sentence, without the usage lines."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"casespan: {message}; see {self.prog} --help.\n")


def handler(module: str, function: str) -> Handler:
    """A handler imported only when its command is called, so that `--help` and `list` start at once."""

    def run(options: argparse.Namespace) -> int:
        handle: Handler = getattr(import_module(f"app.cli.{module}"), function)
        return handle(options)

    return run


def add_command(
    commands: Commands,
    name: str,
    module: str,
    function: str,
    about: str,
    example: str,
    *,
    project: bool = True,
) -> argparse.ArgumentParser:
    """Add a command whose handler is `function` of `app.cli.module`."""
    command = commands.add_parser(
        name,
        help=about[0].lower() + about[1:],
        description=f"{about}.",
        epilog=f"Example: casespan {name} {example}".rstrip(),
    )
    command.set_defaults(run=handler(module, function))
    if project:
        command.add_argument("project", type=Path, metavar="PROJECT", help="the project file (NAME.casespan)")
    return command


def add_json(command: argparse._ActionsContainer) -> None:
    """Add the switch `--json`."""
    command.add_argument("--json", action="store_true", help="print one JSON value and nothing else")


def add_sides(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add `--left` and `--right`."""
    command.add_argument(
        "--left", required=required, metavar="ANNOTATOR", help="the annotator or run to be compared"
    )
    command.add_argument(
        "--right", required=required, metavar="ANNOTATOR", help="the reference to compare it with"
    )


def score(text: str) -> float:
    """A number from 0 to 100."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 100")
    return value


def item_score(text: str) -> tuple[str, int]:
    """An item's id and its score, of the form ITEM=N."""
    item, _, value = text.partition("=")
    if not item or not value.isascii() or not value.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form ITEM=N, such as accuracy=4")
    return item, int(value)


def span_place(text: str) -> tuple[int, int]:
    """START-END as two numbers."""
    start, _, end = text.partition("-")
    if not (start.isdecimal() and end.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not START-END, in characters of the text")
    return int(start), int(end)

"""The commands that ask a model, and their arguments."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import add_command, add_json
from extractors.llm.backends import SERVER_IDS
from extractors.tasks.variants import PROMPTINGS, SECTIONS_BY, STRATEGIES

if TYPE_CHECKING:
    from app.cli.arguments import Commands


def add_model_commands(commands: Commands) -> None:
    """Add `extract`, `grid`, `models` and `pull`."""
    _add_extract(commands)
    _add_grid(commands)
    _add_models(commands)


def _add_extract(commands: Commands) -> None:
    about = "Have the categories extracted, by the built-in rules or by a local model"
    example = "study.casespan --model qwen2.5:7b --strategy ucp --prompting few-shot"
    command = add_command(commands, "extract", "extraction", "extract", about, example)
    extractor = command.add_mutually_exclusive_group(required=True)
    extractor.add_argument("--with", dest="extractor", choices=("rules",), help="the built-in rules")
    extractor.add_argument("--model", metavar="NAME", help="a model of the server (see --host)")
    extractor.add_argument("--replay", type=Path, metavar="FILE", help="replies recorded in a file, no model")
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
    command.add_argument(
        "--category", action="append", metavar="C", help="only this category (may be repeated)"
    )
    command.add_argument(
        "--document", action="append", metavar="ID", help="only this report (may be repeated)"
    )
    _add_resume(command)
    command.add_argument("--new-run", action="store_true", help="begin another run with the same settings")
    _add_model_options(command)
    command.add_argument(
        "--dry-run",
        action="store_true",
        help="ask nothing; say how many calls and tokens it would take, and how long",
    )
    add_json(command)


def _add_resume(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--resume",
        action="store_true",
        help="repeat also the calls that failed or read a report in part, and, with a larger --reply-tokens, "
        "those whose reply was cut",
    )


def _add_model_options(command: argparse.ArgumentParser) -> None:
    """What a call to a model may be told."""
    command.add_argument("--seed", type=int, metavar="N", help="for a model that samples (default: 1)")
    command.add_argument(
        "--context", type=_tokens, metavar="TOKENS", help="context of the model (default: what is needed)"
    )
    command.add_argument(
        "--reply-tokens", type=_tokens, metavar="TOKENS", help="the longest reply (default: by strategy)"
    )
    command.add_argument(
        "--think", action="store_true", help="let a model that can think do so before it answers"
    )
    command.add_argument(
        "--sections",
        choices=SECTIONS_BY,
        help="for fcsp: by headings, or inferred for paragraphs from the words that the rules know, where a "
        "heading speaks of everything (default: headings)",
    )
    command.add_argument(
        "--temperature", type=_temperature, metavar="T", help="0 to 2; above 0 replies vary (default: 0)"
    )
    command.add_argument(
        "--parallel",
        type=_number(1, 64),
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
        type=_number(0, 10_000),
        metavar="N",
        help="layers of the model that the graphics card takes (default: as the server decides)",
    )
    command.add_argument(
        "--threads",
        type=_number(1, 10_000),
        metavar="N",
        help="processor cores that the server uses (default: as it decides)",
    )
    _add_host(command)


def _add_host(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--host",
        metavar="URL",
        help="the model server: an Ollama server, or an OpenAI-compatible one by its address with path, like "
        "http://127.0.0.1:8000/v1 (default: OLLAMA_HOST, or this computer, port 11434)",
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


def _tokens(text: str) -> int:
    """A number of tokens that makes sense."""
    if not text.isdecimal() or not 128 <= int(text) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of tokens from 128 to 10000000")
    return int(text)


def _number(least: int, most: int) -> Callable[[str], int]:
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


def _add_grid(commands: Commands) -> None:
    about = "Compare models, strategies and ways of prompting with an annotator, in one table"
    example = "study.casespan --model qwen2.5:7b --model llama3:8b --strategy all --against gold"
    command = add_command(commands, "grid", "grid", "grid", about, example)
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
    command.add_argument(
        "--document", action="append", metavar="ID", help="only this report (may be repeated)"
    )
    _add_resume(command)
    command.add_argument("--per-category", action="store_true", help="a table for each category, too")
    _add_model_options(command)
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained report")
    output.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")


def _add_models(commands: Commands) -> None:
    about = "List the models that a model server has, and what context fits into memory"
    command = add_command(commands, "models", "models", "models", about, "", project=False)
    _add_host(command)
    add_json(command)
    about = "Have a model server fetch a model from its library (Ollama can)"
    command = add_command(commands, "pull", "models", "pull", about, "qwen2.5:7b", project=False)
    command.add_argument("model", metavar="NAME", help="the model's name in that library")
    _add_host(command)

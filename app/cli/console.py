"""How the command line speaks: results on stdout, progress on stderr and only to a terminal."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from app.text import shortened
from extractors.model.errors import CallError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

Result = TypeVar("Result")
# What a terminal would obey rather than show: controls, line breaks, turns of the writing direction.
_OBEYED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_LINE = 4000


def prepare() -> None:
    """Let every character out whatever the terminal's encoding, those it lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def echo(text: str = "") -> None:
    """Write one line of result; what a report or a server put into it stays one line of shown characters."""
    sys.stdout.write(_shown(text) + "\n")


def echo_lines(text: str) -> None:
    """Write a text of several lines."""
    for line in text.rstrip("\n").split("\n"):
        echo(line)


def echo_whole(text: str) -> None:
    """Write a text of several lines, however long these are."""
    for line in text.rstrip("\n").split("\n"):
        sys.stdout.write(_harmless(line) + "\n")


def echo_source(sentence: str, *, json: bool) -> None:
    """Whose titles these are, as their licence asks; beside the value where that is all of the result."""
    if json:
        sys.stdout.flush()
        sys.stderr.write(_shown(sentence) + "\n")
    else:
        echo(sentence)


def complain(sentence: str) -> None:
    """Write one sentence to stderr, in the program's name."""
    sys.stdout.flush()
    sys.stderr.write(f"casespan: {_shown(sentence)}\n")


def _shown(text: str) -> str:
    return _harmless(shortened(text, _LINE))


def _harmless(text: str) -> str:
    return _OBEYED.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def echo_json(value: object) -> None:
    """Write one JSON value and nothing else; what an iterator gives are the items of a list, a line each."""
    plain = (sys.stdout.encoding or "ascii").lower() not in ("utf-8", "utf8")
    write = partial(json.JSONEncoder, ensure_ascii=plain, allow_nan=False)
    if not isinstance(value, Iterator):
        sys.stdout.write(write(indent=2).encode(value) + "\n")
        return
    # Python indents by code of its own, which takes five times as long; these are tens of thousands.
    encode, before = write().encode, "["
    for one in value:
        sys.stdout.write(f"{before}\n  {encode(one)}")
        before = ","
    sys.stdout.write("[]\n" if before == "[" else "\n]\n")


def tell(options: argparse.Namespace, value: object, lines: Iterable[str]) -> int:
    """Write the value as JSON where that is asked for, else its lines; the exit code 0."""
    if options.json:
        echo_json(value)
    else:
        for line in lines:
            echo(line)
    return 0


def echo_table(header: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
    """Write aligned columns of words, two spaces apart."""
    from app.tables import Column, Table, text_lines

    columns = tuple(Column(title, heading=(title,), kind="words") for title in header)
    for line in text_lines(Table(columns, tuple(rows)), rule=False):
        echo(line)


def finish(job: Generator[Progress, None, Result]) -> Result:
    """Run long work to its end, showing its progress, and return what it returns."""
    shown = sys.stderr.isatty()
    width = shutil.get_terminal_size().columns - 1
    try:
        while True:
            step = next(job)
            if shown:
                total = f" of {step.total}" if step.total else ""
                line = _shown(f"{step.done}{total}  {step.note}".removeprefix("0  "))[:width]
                sys.stderr.write(f"\r{line.ljust(width)}")
                sys.stderr.flush()
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        job.close()
        if shown:
            sys.stderr.write("\r" + " " * width + "\r")
            sys.stderr.flush()


def show(options: argparse.Namespace, project: Path | None) -> int:
    """Show the window that the program was started with, until it is closed."""
    if options.window is None:
        raise CallError("This was started without a window; use the command casespan.")
    code: int = options.window(project)
    return code

"""How the command line speaks: results on stdout, progress on stderr and only to a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Sequence
from typing import TypeVar

from extractors.progress import Progress

Result = TypeVar("Result")
WIDTH = 100


def say(text: str = "") -> None:
    """Write one line of result."""
    sys.stdout.write(text + "\n")


def counted(number: int, noun: str) -> str:
    """`1 report`, `2 reports`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def shortened(text: str, width: int) -> str:
    """The text on at most `width` columns, with an ellipsis where it was cut."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def say_json(value: object) -> None:
    """Write one JSON value and nothing else."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def say_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write aligned columns, two spaces apart."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def finish(job: Generator[Progress, None, Result]) -> Result:
    """Run long work to its end, showing its progress, and return what it returns."""
    shown = sys.stderr.isatty()
    try:
        while True:
            step = next(job)
            if shown:
                total = f" of {step.total}" if step.total else ""
                line = f"{step.done}{total}  {step.note}"[:WIDTH]
                sys.stderr.write(f"\r{line.ljust(WIDTH)}")
                sys.stderr.flush()
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        job.close()
        if shown:
            sys.stderr.write("\r" + " " * WIDTH + "\r")
            sys.stderr.flush()

"""What a large project takes: agreement, queue, gold and export as users call them, each in a process.

    python -m tests.bench.check_large [REPORTS]

Two annotators with some 37 quotes each in every report. Prints seconds, seconds of a processor, and the most
memory held; POSIX only.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.bench_agreement_view import PEOPLE, study

_SIDES = ("--left", PEOPLE[0], "--right", PEOPLE[1], "--json")


def measure(*call: str) -> str:
    """One call of the command line, in figures; what it says goes nowhere."""
    began = time.monotonic()
    process = os.fork()
    if not process:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        os.execv(sys.executable, [sys.executable, "-m", "app.cli", *call])
    _, status, used = os.wait4(process, 0)
    # Linux counts in kilobytes, macOS in bytes.
    megabytes = used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    processor = used.ru_utime + used.ru_stime
    return f"{time.monotonic() - began:6.1f} s {processor:6.1f} s {megabytes:6.0f} MB  exit {status >> 8}"


def main() -> None:
    """A line for each call."""
    reports = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with TemporaryDirectory() as folder:
        path = str(study(Path(folder), PEOPLE[:2], reports))
        export = ("export", path, f"{folder}/out.jsonl", "--annotator", PEOPLE[0], "--format", "jsonl")
        for call in (("agree", path, *_SIDES), ("queue", path, *_SIDES), ("gold", path, *_SIDES), export):
            print(f"{call[0]:7} {measure(*call)}")


if __name__ == "__main__":
    main()

"""A disk that fails at any call of the system, is full or read-only, and a clock that jumps.

Run as a program, in a process into which failing.c was loaded, it tries them one after the other.
"""

from __future__ import annotations

import ctypes
import errno
import json
import lzma
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from random import Random
from shutil import copyfile, which
from typing import Any

from app.cli import DEBUG
from app.cli import main as command
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.importing import import_reports, pasted
from app.operations.project.opening import open_project
from app.store.check import check
from app.store.creation import copy_project
from app.store.history import undo
from app.store.keys import offer
from app.store.project import Project
from app.store.reports.documents import document_summaries
from extractors.model.errors import CasespanError
from extractors.model.progress import finished
from tests.older_files import OLDER
from tests.soak.kills import ME, ROOT, Killed, spans_of

_ERRORS = {"full": errno.ENOSPC, "read-only": errno.EROFS, "broken": errno.EIO, "refused": errno.EACCES}
_ACTS, _CALLS = 6, 90
REPORT = "PMC99000001"
_YEAR = 366 * 24 * 3600


def compiler() -> str | None:
    """What makes failing.c a library that Linux loads into a program before all others."""
    return which("cc") if sys.platform == "linux" else None


def failures(
    project: Path, folder: Path, count: int, seed: int = 0, passphrase: str = ""
) -> Iterator[Killed]:
    """Do a few acts on copies of a project while the disk fails, `count` times; where is a `compiler`."""
    library = folder / "failing.so"
    built = [
        compiler() or "cc",
        "-shared",
        "-fPIC",
        "-O1",
        "-o",
        str(library),
        str(Path(__file__).with_suffix(".c")),
    ]
    subprocess.run([*built, "-ldl"], check=True, capture_output=True)
    call = [
        sys.executable,
        "-m",
        "tests.soak.failing",
        str(library),
        str(project),
        str(folder),
        str(count),
        str(seed),
    ]
    done = subprocess.run(
        call,
        input=passphrase,
        env={**os.environ, "LD_PRELOAD": str(library)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        yield Killed("failing", 0, done.stderr[-2000:])
    for line in done.stdout.splitlines():
        yield Killed(**json.loads(line))


class _Trial:
    """Some acts on a copy of a project; what was acknowledged is kept in mind."""

    def __init__(self, shim: ctypes.CDLL, path: Path, rng: Random) -> None:
        self._shim, self.path, self._rng = shim, path, rng
        self.acknowledged = 0
        self._done: list[tuple[str, int, int]] = []
        self.wanted = Counter(spans_of(path))
        self.reports = self._reports()

    def run(self, error: int, calls: int, *, all_: bool) -> str:
        """What was wrong, "" for nothing."""
        self._shim.fail_after(calls, error, int(all_), str(self.path.parent).encode())
        try:
            with open_project(self.path) as project:
                for number in range(_ACTS):
                    with suppress(CasespanError, OSError):
                        self._act(project, number)
                self._shim.fail_after(-1, 0, 0, b"-")
                # Once the disk is sound again, work goes on, at the latest when the project is opened again.
                with suppress(CasespanError):
                    self._add(project, 900)
            with open_project(self.path) as project:
                self._add(project, 901)
        except CasespanError as error_:
            if not self._shim.failures():
                return f"refused without a reason: {error_}"
        finally:
            self._shim.fail_after(-1, 0, 0, b"-")
        return self._fault()

    def _act(self, project: Project, number: int) -> None:
        if number == 2:
            if self._done:
                undo(project, ME)
                self.wanted.subtract([self._done.pop()])
        elif number == 3:
            source = pasted(f"A report of trial {self._rng.random()}. " * 40, "pasted", broken=False)
            finished(import_reports(project, [source]))
            self.reports += 1
        elif number == 4:
            copy_project(project, self.path.with_name("copy.casespan"))
        else:
            self._add(project, number)
        self.acknowledged += 1

    def _add(self, project: Project, number: int) -> None:
        key = document_summaries(project)[0].key
        start = self._rng.randrange(3000)
        place = (key, start, start + 5 + number)
        add_span(project, ME, SpanPlace(*place), "Neuro")
        self._done.append(place)
        self.wanted.update([place])

    def _fault(self) -> str:
        if problems := check(self.path):
            return f"{problems[0].where}: {problems[0].message}"
        here, there = Counter(spans_of(self.path)), +self.wanted
        # What was refused because its being kept was not certain may have been kept.
        lost, more = there - here, here - there
        if lost.total() > 1 or more.total() > 2:
            return f"{lost.total()} spans lost, {more.total()} more than acknowledged"
        if self._reports() < self.reports:
            return "a report is gone"
        left = [one.name for one in self.path.parent.glob(".*.new")]
        return f"{left} was left behind" if left and self._shim.failures() == 0 else ""

    def _reports(self) -> int:
        with open_project(self.path, write=False) as project:
            return len(document_summaries(project))


def _command(shim: ctypes.CDLL, path: Path, rng: Random, error: int, *, all_: bool) -> str:
    """What was wrong with a command of many steps while the disk failed, "" for nothing."""
    folder, old = path.parent, rng.choice(sorted(OLDER.iterdir()))
    other = Path(copyfile(path, folder / "other.casespan"))
    (folder / "old.casespan").write_bytes(lzma.decompress(old.read_bytes()))
    call, whole = rng.choice(
        (
            (["merge", path, other], path),
            (["export", path, folder / "out", "--format", "jsonl", "--annotator", "gold"], path),
            (["extract", path, "--with", "rules", "--document", REPORT], path),
            (["rescue", path, folder / "out.casespan"], path),
            (["undo", folder / "old.casespan"], folder / "old.casespan"),
        )
    )
    os.environ[DEBUG] = "1"  # a fault shows as what it is
    shim.fail_after(rng.randrange(_CALLS), error, int(all_), str(folder).encode())
    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said), suppress(CasespanError, OSError):
        code = command([*map(str, call)])
        if code and not said.getvalue():
            return f"{call[0]} said nothing"
    shim.fail_after(-1, 0, 0, b"-")
    problems = check(whole)
    return f"{call[0]}: {problems[0].where}: {problems[0].message}" if problems else ""


def main(library: str, project: str, folder: str, count: str, seed: str) -> None:
    """Try, and print a line for each trial."""
    shim, rng = ctypes.CDLL(library), Random(int(seed))
    if not sys.stdin.isatty() and (passphrase := sys.stdin.read()):
        offer(passphrase)
    for number in range(int(count)):
        work = Path(folder) / f"trial-{number}"
        work.mkdir()
        path = Path(copyfile(project, work / "study.casespan"))
        what = list(_ERRORS)[number % len(_ERRORS)]
        if number % 4 == 2:
            fault = _command(shim, path, rng, _ERRORS[rng.choice(list(_ERRORS))], all_=number % 8 == 2)
            told: dict[str, Any] = {"what": "a command", "acknowledged": 1, "fault": fault}
            sys.stdout.write(json.dumps(told) + "\n")
            continue
        trial = _Trial(shim, path, rng)
        jumps = number % 5 == 4
        shim.jump_by(ctypes.c_longlong(_YEAR if jumps else 0))
        fault = trial.run(_ERRORS[what], rng.randrange(_CALLS), all_=number % 3 != 0)
        shim.jump_by(ctypes.c_longlong(0))
        said: dict[str, Any] = {"what": what, "acknowledged": trial.acknowledged, "fault": fault}
        sys.stdout.write(json.dumps(said) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The program killed at any moment: what it had acknowledged is there, the file is whole, work goes on."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from app.operations.project.opening import open_project
from app.store.annotate.annotations import read_annotations
from app.store.annotate.annotators import annotators
from app.store.check import check
from app.store.reports.documents import document_summaries

ROOT = Path(__file__).parents[2]
ME = "Ann"
# Acts of every kind, one after the other, each told once it is said to be done.
_ANNOTATING = """
import json, sys
from pathlib import Path
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.project.opening import open_project
from app.store.history import undo
from app.store.reports.documents import documents

with open_project(Path(sys.argv[1])) as project:
    reports = documents(project)
    print(json.dumps(["open"]), flush=True)
    for number in range(int(sys.argv[3]), 1_000_000_000):
        report = reports[number % len(reports)]
        # No place twice: a span that is there is not added again.
        size = len(report.document.text) - 99
        start, end = number % size, number % size + 3 + number // size % 90
        add_span(project, sys.argv[2], SpanPlace(report.key, start, end), "Neuro")
        print(json.dumps(["add", report.key, start, end]), flush=True)
        if number % 7 == 6:
            undo(project, sys.argv[2])
            print(json.dumps(["undo"]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Killed:
    """What was acknowledged before a kill, and what was wrong after it ("" for nothing)."""

    what: str
    acknowledged: int
    fault: str


def kills(project: Path, reports: Path, count: int, seed: int = 0) -> Iterator[Killed]:
    """Annotate, and import, in processes of their own that are killed at random, `count` times."""
    rng = Random(seed)
    for number in range(count):
        if number % 3 == 2:
            yield _while_importing(project, reports, rng)
        else:
            yield _while_annotating(project, number * 2_000, rng)


def _while_annotating(project: Path, begin: int, rng: Random) -> Killed:
    before = spans_of(project)
    call = [sys.executable, "-c", _ANNOTATING, str(project), ME, str(begin)]
    told = _killed(call, rng.uniform(0.0, 0.3), first=True)
    acts = [json.loads(line) for line in told]
    wanted = list(before)
    for act in acts[1:]:
        if act[0] == "add":
            wanted.append((act[1], act[2], act[3]))
        else:
            wanted.pop()
    found = spans_of(project)
    # One act more may have reached the disk than could be told.
    here, there = Counter(found), Counter(wanted)
    differing = ((here - there) + (there - here)).total()
    fault = f"{differing} spans differ from what was acknowledged" if differing > 1 else ""
    return Killed("annotating", len(acts), fault or _unsound(project))


def _while_importing(project: Path, reports: Path, rng: Random) -> Killed:
    before = _reports(project)
    _killed(
        [sys.executable, "-m", "app.cli", "import", str(project), str(reports)],
        rng.uniform(0.2, 1.5),
        first=False,
    )
    lost = before - _reports(project)
    return Killed("importing", len(before), f"{len(lost)} reports are gone" if lost else _unsound(project))


def _killed(call: list[str], seconds: float, *, first: bool) -> list[str]:
    """The lines that a process had written whole when it was killed, `seconds` after it began, or spoke."""
    with subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8", cwd=ROOT
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()] if first else []
        time.sleep(seconds)
        process.kill()
        lines += process.stdout.readlines()
    return [line for line in lines if line.endswith("\n")]


def _unsound(project: Path) -> str:
    problems = check(project)
    return f"{problems[0].where}: {problems[0].message}" if problems else ""


def spans_of(project: Path) -> list[tuple[str, int, int]]:
    """The spans of who annotates here: report, start, end."""
    with open_project(project, write=False) as opened:
        keys = {one.uuid: one.key for one in document_summaries(opened)}
        mine = next((one.uuid for one in annotators(opened) if one.name == ME), None)
        own = read_annotations(opened, annotator=mine) if mine else []
        own.sort(key=lambda one: one.created_at)
        return [(keys[one.document], one.finding.start or 0, one.finding.end or 0) for one in own]


def _reports(project: Path) -> set[str]:
    with open_project(project, write=False) as opened:
        return {one.key for one in document_summaries(opened)}

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
ME, OTHER = "Ann", "Ben"
# Within which one of two programs must have been refused.
_SECONDS = 30.0
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
        # No place twice: a span that is there is not added again, and none of white space alone.
        size = len(report.document.text) // 2 - 9
        start, end = number % size, number % size + 9 + number // size % size
        add_span(project, sys.argv[2], SpanPlace(report.key, start, end), "Neuro")
        print(json.dumps(["add", report.key, start, end]), flush=True)
        if number % 7 == 6:
            undo(project, sys.argv[2])
            print(json.dumps(["undo"]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Killed:
    """What was acknowledged before a kill, and what was wrong after it ("" for nothing); what was lost."""

    what: str
    acknowledged: int
    fault: str
    lost: int = 0


def kills(project: Path, reports: Path, count: int, seed: int = 0) -> Iterator[Killed]:
    """Annotate, and import, in processes of their own that are killed at random, `count` times."""
    rng = Random(seed)
    for number in range(count):
        if number % 3 == 2:
            yield _while_importing(project, reports, rng)
        else:
            yield _while_annotating(project, number * 2_000, rng)


def rivals(project: Path, count: int, seed: int = 0) -> Iterator[Killed]:
    """Two that annotate the same project at once, `count` times: one may, the other is told so."""
    rng = Random(seed)
    for number in range(count):
        before = spans_of(project, OTHER)
        both = [_started(_annotating(project, number * 4_000 + more, OTHER)) for more in (0, 2_000)]
        until = time.monotonic() + _SECONDS
        while all(one.poll() is None for one in both) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(rng.uniform(0.0, 0.3))
        told = [_ended(one) for one in both]
        acts = [json.loads(line) for lines in told for line in lines]
        opened = sum(1 for lines in told if lines)
        fault = "" if opened == 1 else f"{opened} of two could write"
        more = len(spans_of(project, OTHER)) - len(before)
        kept = sum(1 if act[0] == "add" else -1 if act[0] == "undo" else 0 for act in acts)
        if not fault and abs(more - kept) > 1:
            fault = f"{kept} spans were acknowledged, {more} are there"
        yield Killed("two at once", len(acts), fault or _unsound(project))


def _annotating(project: Path, begin: int, who: str = ME) -> list[str]:
    return [sys.executable, "-c", _ANNOTATING, str(project), who, str(begin)]


def _while_annotating(project: Path, begin: int, rng: Random) -> Killed:
    before = spans_of(project)
    told = _killed(_annotating(project, begin), rng.uniform(0.0, 0.3), first=True)
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
    return Killed("annotating", len(acts), fault or _unsound(project), differing if fault else 0)


def _while_importing(project: Path, reports: Path, rng: Random) -> Killed:
    before = _reports(project)
    _killed(
        [sys.executable, "-m", "app.cli", "import", str(project), str(reports)],
        rng.uniform(0.2, 1.5),
        first=False,
    )
    lost = before - _reports(project)
    fault = f"{len(lost)} reports are gone" if lost else _unsound(project)
    return Killed("importing", len(before), fault, len(lost))


def _killed(call: list[str], seconds: float, *, first: bool) -> list[str]:
    """The lines that a process had written whole when it was killed, `seconds` after it began, or spoke."""
    process = _started(call)
    assert process.stdout is not None
    lines = [process.stdout.readline()] if first else []
    time.sleep(seconds)
    return [*lines, *_ended(process)]


def _started(call: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8", cwd=ROOT
    )


def _ended(process: subprocess.Popen[str]) -> list[str]:
    """Kill it; the lines that it had written whole and nobody had read."""
    process.kill()
    with process:
        assert process.stdout is not None
        return [line for line in process.stdout.readlines() if line.endswith("\n")]


def _unsound(project: Path) -> str:
    problems = check(project)
    return f"{problems[0].where}: {problems[0].message}" if problems else ""


def spans_of(project: Path, who: str = ME) -> list[tuple[str, int, int]]:
    """The spans of who annotates here: report, start, end."""
    with open_project(project, write=False) as opened:
        keys = {one.uuid: one.key for one in document_summaries(opened)}
        mine = next((one.uuid for one in annotators(opened) if one.name == who), None)
        own = read_annotations(opened, annotator=mine) if mine else []
        own.sort(key=lambda one: one.created_at)
        return [(keys[one.document], one.finding.start or 0, one.finding.end or 0) for one in own]


def _reports(project: Path) -> set[str]:
    with open_project(project, write=False) as opened:
        return {one.key for one in document_summaries(opened)}

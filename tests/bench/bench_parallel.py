"""What several calls in flight gain on a server that takes 50 ms for each."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from app.operations.corpus.asking import ask_corpus
from app.operations.corpus.extracting import CorpusOptions
from app.operations.corpus.schema import read_table
from app.operations.exchange.importing import import_reports
from app.operations.extract.models import connect
from app.operations.extract.options import ModelOptions
from app.operations.extract.quotes import extract_with_model
from app.store.creation import create_project_file
from app.store.project import Project
from extractors.llm.backends.several import SeveralServers
from tests.bench.measure import Measure
from tests.scripted_behaviours import Behaviour, Call
from tests.scripted_ollama import FakeModel, ScriptedOllama

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 0.05
REPORTS, CATEGORIES = 16, ("Neuro", "CVS", "GI", "RESP", "DERM", "GU")
IN_FLIGHT = 8
REPEATS = 3
LIMIT = 1 / 6


class _Slow(ScriptedOllama):
    """Answers every call after 50 ms."""

    @property
    def usual(self) -> Behaviour:
        return self._answer

    def _answer(self, call: Call) -> None:
        self.closing.wait(SECONDS)
        call.piece(call.answer())
        call.done()


def measures() -> list[Measure]:
    """The time from the first call to the last answer on disk; both the least of some runs, in turns."""
    with (
        TemporaryDirectory() as folder,
        create_project_file(Path(folder) / "p.casespan", None, "Ann") as project,
        _server_apart() as (host, _),
    ):
        reports = Path(folder) / "reports"
        reports.mkdir()
        for number in range(REPORTS):
            text = f"Case {number}\n\nThe boy of {number} years had a fever and pain in the abdomen.\n"
            (reports / f"{number}.txt").write_text(text, encoding="utf-8")
        for _ in import_reports(project, [reports]):
            pass
        pairs = [(_seconds(project, host, IN_FLIGHT), _seconds(project, host, 1)) for _ in range(REPEATS)]
    ratio = min(several for several, _ in pairs) / min(one for _, one in pairs)
    named = f"one by one, {1000 * SECONDS:.0f} ms a call"
    return [
        Measure("8 calls in flight", ratio, LIMIT, named),
        Measure("corpus: three servers, one dying", _of_three() / _of_one(), 1 / 12, named),
    ]


def _of_one() -> float:
    """Seconds a call at one server, one call after the other."""
    with _server_apart() as (host, _):
        return _corpus([host], 4, 1)


def _of_three() -> float:
    """Seconds a call at three servers, one of which is killed at the first report."""
    with _server_apart() as (first, _), _server_apart() as (second, _), _server_apart() as (third, dying):
        return _corpus([first, second, third], 96, IN_FLIGHT, dying)


def _corpus(hosts: Sequence[str], count: int, each: int, dying: subprocess.Popen[str] | None = None) -> float:
    with TemporaryDirectory() as folder:
        lines = (json.dumps({"text": f"The boy of {number} years had a fever."}) for number in range(count))
        (Path(folder) / "in.jsonl").write_text("\n".join(lines), encoding="utf-8")
        model = ModelOptions("tiny", "ucp", "zero-shot", categories=CATEGORIES, parallel=each * len(hosts))
        client = SeveralServers([connect(host) for host in hosts], each, 60)
        begun = 0.0
        paths, out = [Path(folder) / "in.jsonl"], Path(folder) / "out"
        for step in ask_corpus(paths, out, CorpusOptions(), client, model):
            if not begun and " report 1 of " in step.note:
                begun = time.perf_counter()
                if dying is not None:
                    dying.kill()
        done = [one for one in read_table(out, "calls").to_pylist() if one["state"] == "done"]
        assert len(done) == count * len(CATEGORIES)
        return (time.perf_counter() - begun) / len(done)


def _seconds(project: Project, host: str, parallel: int) -> float:
    options = ModelOptions("tiny", "ucp", "zero-shot", categories=CATEGORIES, new_run=True, parallel=parallel)
    begun = 0.0
    for step in extract_with_model(project, connect(host), options):
        if not begun and " report 1 of " in step.note:
            begun = time.perf_counter()
    return time.perf_counter() - begun


@contextmanager
def _server_apart() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The server in a process of its own, as servers are: here it would take time from what is measured."""
    program = [sys.executable, "-m", "tests.bench.bench_parallel"]
    with subprocess.Popen(
        program, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        yield server.stdout.readline().strip() if server.stdout else "", server


def serve() -> None:
    """Say where the server is, and serve until there is nobody left to read it."""
    with _Slow(models=[FakeModel(context=131_072, tokens=(), kinds=())]) as server:
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    serve()

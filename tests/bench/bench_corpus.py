"""What the engine for a corpus costs beside a plain loop over the same reports, and what two workers gain.

Measured from the first third on, so that the start of processes and the loading of libraries do not count.
`python -m tests.bench.bench_corpus 2000` does it with as many reports.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from app.formats.filters import ImportFilter
from app.operations.corpus.extracting import extract_corpus
from app.operations.corpus.inputs import Stream, Unit
from app.operations.corpus.options import CorpusOptions
from app.operations.corpus.reading import Job, prepare, versions_of
from app.operations.corpus.workers import Place
from tests.bench.measure import Measure
from tests.corpora import write_archive

REPORTS, PART, TURNS = 216, 6, 2
_MOST = 600_000_000


@dataclass(frozen=True, slots=True)
class _Run:
    """Seconds for a report in the second and in the last third of a run; its largest worker, in bytes."""

    second: float
    last: float
    memory: int = 0

    @property
    def each(self) -> float:
        return (self.second + self.last) / 2


def measures(count: int = REPORTS) -> list[Measure]:
    """The loop, the engine with one worker and with two, in turns; of each the run disturbed least."""
    runs: dict[str, list[_Run]] = {"loop": [], "one": [], "two": []}
    with TemporaryDirectory() as folder:
        archive = write_archive(Path(folder) / "bulk.tar.gz", count)
        for turn in range(TURNS):
            runs["loop"].append(_loop(archive))
            for workers, name in enumerate(("one", "two"), start=1):
                runs[name].append(_engine(archive, Path(folder) / f"{name}-{turn}", workers))
    loop, one, two = (min(found, key=lambda run: run.each) for found in runs.values())
    growth = min(run.last / run.second for run in runs["one"])
    memory = max(run.memory for run in (*runs["one"], *runs["two"]))
    return [
        Measure("corpus: engine", one.each / loop.each, 1.15, f"a plain loop ({1000 * loop.each:.0f} ms)"),
        Measure("corpus: two workers", two.each / one.each, 1 / 1.7, "one worker"),
        Measure("corpus: last third", growth, 1.1, f"the second third of {count} reports"),
        Measure("corpus: memory of a worker", memory / _MOST, 1, "600 MB"),
    ]


def _loop(archive: Path) -> _Run:
    extract = prepare(Job("quotes", ImportFilter(), "HPO", versions_of("quotes", "HPO", by_rules=True)))
    times = []
    for done, unit in enumerate(Stream([archive])):
        times.append((done, time.perf_counter()))
        if isinstance(unit, Unit):
            extract(unit)
    return _thirds(times)


def _engine(archive: Path, out: Path, workers: int) -> _Run:
    times: list[tuple[int, float]] = []
    memory = 0
    options = CorpusOptions(part_size=PART, place=Place(workers))
    for step in extract_corpus([archive], out, options):
        if not times or step.done != times[-1][0]:
            times.append((step.done, time.perf_counter()))
        sizes = (psutil.Process(child.pid).memory_info().rss for child in multiprocessing.active_children())
        memory = max(memory, *sizes, 0)
    return _thirds(times, memory)


def _thirds(times: Sequence[tuple[int, float]], memory: int = 0) -> _Run:
    third = len(times) // 3
    second, last, end = times[third], times[2 * third], times[-1]
    return _Run(_each(second, last), _each(last, end), memory)


def _each(first: tuple[int, float], last: tuple[int, float]) -> float:
    return (last[1] - first[1]) / (last[0] - first[0])


if __name__ == "__main__":
    for measure in measures(*map(int, sys.argv[1:2])):
        print(f"{measure.name:<30} {measure.ratio:6.3f}  limit {measure.limit:.3f} to {measure.baseline}")

"""What the engine for a corpus costs beside a plain loop over the same reports, and what two workers gain.

Measured from the first part on, so that the start of processes and the loading of libraries do not count.
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
from typing import TypeAlias

import psutil

from app.formats.filters import ImportFilter
from app.operations.corpus.extracting import CorpusOptions, extract_corpus
from app.operations.corpus.inputs import Stream, Unit
from app.operations.corpus.reading import Job, prepare, versions_of
from app.operations.corpus.workers import Place
from tests.bench.measure import Measure
from tests.corpora import write_archive

# Reports done, the time, and the processors' time until then.
_Time: TypeAlias = tuple[int, float, float]
REPORTS, PART, TURNS = 800, 100, 2
_MOST = 600_000_000


@dataclass(frozen=True, slots=True)
class _Run:
    """Seconds for a report, in all and in the last half by those in the first, and those of processors.

    `memory` is that of its largest worker, in bytes.
    """

    each: float
    growth: float
    processors: float
    memory: int = 0


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
    growth = min(run.growth for run in runs["one"])
    memory = max(run.memory for run in (*runs["one"], *runs["two"]))
    return [
        Measure("corpus: engine", one.each / loop.each, 1.15, f"a plain loop ({1000 * loop.each:.0f} ms)"),
        Measure(
            "corpus: processors",
            one.processors / loop.processors,
            1.25,
            f"the loop ({1000 * one.processors:.1f} to {1000 * loop.processors:.1f} ms a report)",
        ),
        Measure("corpus: two workers", two.each / one.each, 1 / 1.7, "one worker"),
        Measure("corpus: second half", growth, 1.1, f"the first half of {count} reports"),
        Measure("corpus: memory of a worker", memory / _MOST, 1, "600 MB"),
    ]


def _loop(archive: Path) -> _Run:
    extract = prepare(Job("quotes", ImportFilter(), "HPO", versions_of("quotes", "HPO", by_rules=True)))
    times = list[_Time]()
    for done, unit in enumerate(Stream([archive])):
        times.append((done, time.perf_counter(), time.process_time()))
        if isinstance(unit, Unit):
            extract(unit)
    return _run(times)


def _engine(archive: Path, out: Path, workers: int) -> _Run:
    times, memory = list[_Time](), 0
    used: dict[int, float] = {}
    options = CorpusOptions(part_size=PART, place=Place(workers))
    for step in extract_corpus([archive], out, options):
        for child in map(psutil.Process, (one.pid for one in multiprocessing.active_children())):
            memory = max(memory, child.memory_info().rss)
            used[child.pid] = child.cpu_times().user + child.cpu_times().system
        if not times or step.done != times[-1][0]:
            times.append((step.done, time.perf_counter(), time.process_time() + sum(used.values())))
    return _run([one for one in times if one[0]], workers, memory)


def _run(times: Sequence[_Time], workers: int = 0, memory: int = 0) -> _Run:
    """What was read of every part counts, but for the first of each worker: it waited for its process."""
    begun, half, end = times[0], times[len(times) // 2], times[-1]
    done = end[0] - max(PART * workers, begun[0])
    processors = (end[2] - begun[2]) / done
    growth = _each(half, end) / _each(begun, half)
    return _Run((end[1] - begun[1]) / done, growth, processors, memory)


def _each(first: _Time, last: _Time) -> float:
    return (last[1] - first[1]) / (last[0] - first[0])


if __name__ == "__main__":
    for measure in measures(*map(int, sys.argv[1:2])):
        print(f"{measure.name:<30} {measure.ratio:6.3f}  limit {measure.limit:.3f} to {measure.baseline}")

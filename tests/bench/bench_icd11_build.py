"""Building the ICD-11 study from files in MIMIC's shape, against reading the same files bare."""

from __future__ import annotations

import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from extractors.terminology.library import FOLDER
from tests.bench.measure import Measure

_ADMISSIONS, _REPEATS, _MOST = 50_000, 3, 400
# A discharge note has some ten thousand letters; one of the fixture has a hundred.
_NOTE = "The patient was seen on the ward, examined, and found to be much the same as before. " * 110
_BUILD = """
import contextlib, io, json, re, sys, time
from pathlib import Path
from app.cli import main
begun = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    code = main(sys.argv[1:])
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
print(json.dumps([code, time.process_time() - begun, peak]))
"""


def measures() -> list[Measure]:
    """Processor time and memory of a build, on Linux, which tells a process's peak without its parent's."""
    if sys.platform != "linux":
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # In a process of its own: what this one takes would count for those that it starts.
        _call(folder, "icd11", "fixture", str(folder / "mimic"), "--admissions", str(_ADMISSIONS))
        _lengthen(folder / "mimic" / "note" / "discharge.csv.gz")
        tables = sorted(map(str, (folder / "mimic" / "tables").iterdir()))
        _call(folder, "terminology", "import", "ICD11", *tables)
        pairs = [(_built(folder, number), _bare(folder / "mimic")) for number in range(_REPEATS)]
    seconds = min(own[0] for own, _ in pairs) / min(bare for _, bare in pairs)
    peak = min(own[1] for own, _ in pairs) / _MOST
    return [
        Measure("icd11: build of 50,000 admissions", seconds, 3, "reading the same files by gzip and csv"),
        Measure("icd11: its peak memory", peak, 1, f"{_MOST} MB"),
    ]


def _lengthen(path: Path) -> None:
    short = path.rename(path.with_name("short.gz"))
    with (
        gzip.open(short, "rt", encoding="utf-8", newline="") as stream,
        gzip.open(path, "wt", encoding="utf-8", newline="", compresslevel=6) as out,
    ):
        writer = csv.writer(out)
        for row in csv.reader(stream):
            writer.writerow([*row[:-1], row[-1] + (_NOTE if row[-1] != "text" else "")])
    short.unlink()


def _built(folder: Path, number: int) -> tuple[float, float]:
    project, mimic = folder / f"p{number}.casespan", folder / "mimic"
    _call(folder, "new", str(project))
    build = ("study", "build", str(project), "icd11", "--mimic", str(mimic))
    _, seconds, peak = _call(folder, *build, "--reports-from", str(mimic / "reports.csv"))
    return seconds, peak / 1024 / (1024 if sys.platform == "darwin" else 1)


def _call(folder: Path, *arguments: str) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, *arguments],
        env={**os.environ, FOLDER: str(folder / "data")},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[float] = json.loads(done.stdout)
    if found[0]:
        raise RuntimeError(done.stderr)
    return found


def _bare(mimic: Path) -> float:
    begun = time.process_time()
    for path in sorted(mimic.rglob("*.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
            for _ in csv.reader(stream):
                pass
    return time.process_time() - begun

"""Run every benchmark, print a line for each measure, write .cache/bench.json; slow is no failure."""

from __future__ import annotations

import json
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench.measure import Measure

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
MODULES = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))


def measured(module: str) -> list[Measure]:
    """What a module of benchmarks measures."""
    from app.cli import collect_seldom

    collect_seldom()  # as every command does
    measures: list[Measure] = import_module(f"tests.bench.{module}").measures()
    return measures


def main() -> None:
    """Print `name, ratio, limit, what it is a ratio to` and keep the same as JSON."""
    results = {}
    # A process for each, as a user has: windows and objects that others left behind slow it down.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as processes:
        for measure in (one for found in processes.map(measured, MODULES) for one in found):
            verdict = "ok  " if measure.ratio <= measure.limit else "OVER"
            numbers = f"{measure.ratio:8.3f}  limit {measure.limit:<6g}"
            print(f"{verdict} {measure.name:<38} {numbers} to {measure.baseline}", flush=True)
            results[measure.name] = {
                "ratio": measure.ratio,
                "limit": measure.limit,
                "baseline": measure.baseline,
            }
    out = ROOT / ".cache" / "bench.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

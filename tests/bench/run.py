"""Run every benchmark, print a line for each measure, write .cache/bench.json; slow is no failure."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
MODULES = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> None:
    """Print `name, ratio, limit, what it is a ratio to` and keep the same as JSON."""
    from app.cli import collect_seldom

    collect_seldom()  # as every command does
    results = {}
    for module in MODULES:
        for measure in import_module(f"tests.bench.{module}").measures():
            verdict = "ok  " if measure.ratio <= measure.limit else "OVER"
            numbers = f"{measure.ratio:8.3f}  limit {measure.limit:<6g}"
            print(f"{verdict} {measure.name:<38} {numbers} to {measure.baseline}")
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

"""How long it takes to make 100,000 questions of evidence, and to score two runs of 22,000 answers."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.studies.ebmqa.items import build
from app.studies.ebmqa.study import STUDY
from app.studies.results import Row
from app.studies.scoring import scoring_runs
from app.studies.study import Building, Built, Reports
from extractors.terminology.library import shipped_hpo
from tests.bench.measure import Measure, best_seconds

_QUESTIONS, _ANSWERS = 100_000, 22_000
_CLASSES = ("HP:0040281", "HP:0040282", "HP:0040283", "3/12", "18/20")


def measures() -> list[Measure]:
    """Building to reading and writing the questions' JSON; scoring to reading the answers'."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "phenotype.hpoa"
        _write(path)
        built: list[Built] = []
        building = best_seconds(lambda: built.append(_built(path)), 1)
    items = built[0].items
    plain = [asdict(one) for one in items]
    told = best_seconds(lambda: json.loads(json.dumps(plain)), 3)
    rows = {name: [Row(one, [name]) for one in items[:_ANSWERS]] for name in ("A", "B")}
    lines = [json.dumps({**asdict(row.item), "value": row.value}) for own in rows.values() for row in own]
    settings: dict[str, dict[str, Any]] = {name: {} for name in rows}
    scoring = best_seconds(lambda: list(scoring_runs(STUDY, rows, ["task"], "strict", settings)), 1)
    reading = best_seconds(lambda: [json.loads(line) for line in lines], 3)
    questions = f"reading and writing their JSON ({len(items):,} questions)"
    return [
        Measure("questions of evidence", building / told, 8, questions),
        Measure("scores of an examination", scoring / reading, 10, f"reading 2 x {_ANSWERS:,} answers"),
    ]


def _write(path: Path) -> None:
    """As many rows as questions, of terms that there are and diseases that there are not."""
    codes = [code for code in shipped_hpo().codes if code.startswith("HP:00")][200:]
    lines = ["#version: 2025-01-16"]
    for at in range(_QUESTIONS * 6 // 5):
        disease, term = at // 25, codes[(at * 7919) % len(codes)]
        said = _CLASSES[(at * 31 + disease) % len(_CLASSES)]
        cells = (
            f"OMIM:{disease}",
            f"disease {disease}",
            "",
            term,
            "PMID:1",
            "PCS",
            "",
            said,
            "",
            "",
            "P",
            "x",
        )
        lines.append("\t".join(cells))
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _built(path: Path) -> Built:
    settings: dict[str, Any] = {
        one.key: () if one.several else one.default for one in STUDY.options_of("build")
    }
    settings |= {"hpoa": path, "profile": "paper", "kind": ("numeric",)}
    job = build(Building((), settings, 1, (), (), lambda: Reports({}, lambda name: {}), None))  # type: ignore[arg-type]
    while True:
        try:
            next(job)
        except StopIteration as stop:
            made: Built = stop.value
            return made

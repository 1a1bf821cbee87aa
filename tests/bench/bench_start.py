"""How long the command line takes to answer, against the bare interpreter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from app.operations.project.files import create_project
from tests.bench.measure import Measure, best_seconds

ROOT = Path(__file__).resolve().parents[2]


def measures() -> list[Measure]:
    """`casespan --help` and `casespan list` of an empty project."""
    with TemporaryDirectory() as folder:
        project = create_project(Path(folder) / "empty.casespan")
        bare = best_seconds(lambda: _run("-c", "pass"), 9)
        shown = best_seconds(lambda: _run("-m", "app.cli", "--help"), 9)
        listed = best_seconds(lambda: _run("-m", "app.cli", "list", str(project)), 9)
    baseline = "starting the interpreter"
    return [
        Measure("casespan --help", shown / bare, 8, baseline),
        Measure("casespan list", listed / bare, 20, baseline),
    ]


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=True)

"""The real command line on real files, and a project made of the bundled samples."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from tests.builders import Kept
from tests.e2e.models import MODEL, WEEKS_TEXT, quoting
from tests.scripted_ollama import ScriptedOllama

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "resources" / "demo"
SIDES = ("annotator-1", "annotator-2", "gold")
FEW = ("PMC99000001", "PMC99000006")


@dataclass(frozen=True)
class Outcome:
    """What one call of the command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 (it is whatever the command printed)
        """The one JSON value on stdout; fails where there is anything else."""
        return json.loads(self.out)


Casespan = Callable[..., Outcome]


@pytest.fixture
def casespan(capsys: pytest.CaptureFixture[str]) -> Casespan:
    """Call the command line as a user would."""

    def call(*arguments: object) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


def write_study(project: Path) -> None:
    """By four imports, as they can be undone one by one."""
    _write(project, [SAMPLES / "reports"], SAMPLES / "annotations")


def write_few(project: Path) -> None:
    """The same of two of the samples."""
    folder = project.with_name("annotations")
    folder.mkdir()
    for name in SIDES:
        told = json.loads((SAMPLES / "annotations" / f"{name}.json").read_text("utf-8"))
        some = [one for one in told if f"PMC{one['pmcid']}" in FEW]
        (folder / f"{name}.json").write_text(json.dumps(some), "utf-8")
    _write(project, [SAMPLES / "reports" / f"{name}.xml" for name in FEW], folder)


def _write(project: Path, reports: Sequence[Path], annotations: Path) -> None:
    assert main(["new", str(project)]) == 0
    assert main(["import", str(project), *map(str, reports)]) == 0
    for name in SIDES:
        source = str(annotations / f"{name}.json")
        assert main(["import", str(project), source, "--format", "crb", "--annotator", name]) == 0


@pytest.fixture
def study(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project with the ten samples, both annotators and the gold set."""
    project = kept.copy(write_study, tmp_path / "study.casespan")
    capsys.readouterr()
    return project


@pytest.fixture
def few(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Such a project with two of the samples, for what takes as long as there are spans."""
    project = kept.copy(write_few, tmp_path / "study.casespan")
    capsys.readouterr()
    return project


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    """A model server that has `MODEL` and answers every call with a quote."""
    with ScriptedOllama(answer=quoting, models=[MODEL]) as started:
        yield started


def write_two_reports(path: Path) -> None:
    names = ("alkaptonuria-letter.txt", "late-onset-pompe.txt")
    assert main(["new", str(path)]) == 0
    assert main(["import", str(path), *(str(SAMPLES / "reports" / name) for name in names)]) == 0


@pytest.fixture
def project(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project with two short reports."""
    path = kept.copy(write_two_reports, tmp_path / "p.casespan")
    capsys.readouterr()
    return path


def write_weeks(path: Path) -> None:
    report = path.with_name("weeks.txt")
    report.write_text(WEEKS_TEXT, encoding="utf-8")
    assert main(["new", str(path)]) == 0
    assert main(["import", str(path), str(report)]) == 0


@pytest.fixture
def weeks(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project with one report that says nearly the same of each week."""
    path = kept.copy(write_weeks, tmp_path / "weeks.casespan")
    capsys.readouterr()
    return path

"""The sample project: whole, or not there at all."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from app.operations.annotate.reports import list_reports
from app.operations.demo.sample import make_sample
from app.operations.project.files import check_project, list_project
from app.store.project import Project
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress


def finished(job: Generator[Progress, None, Path]) -> Path:
    while True:
        try:
            next(job)
        except StopIteration as end:
            path: Path = end.value
            return path


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finished(make_sample(tmp_path_factory.mktemp("samples") / "sample", "Ann"))


def test_the_sample_holds_two_people_gold_rules_and_a_model_run_and_is_the_annotators_own(
    sample: Path,
) -> None:
    assert sample.name == "sample.casespan"
    overview = list_project(sample)
    kinds = {
        "Ann": "person",
        "annotator-1": "person",
        "annotator-2": "person",
        "gold": "gold",
        "rules": "run",
    }
    model = "invented-replies/ucp/few-shot"
    assert {one.name: one.kind for one in overview.annotators} == {**kinds, model: "run"}
    with Project.open(sample) as project:
        rows = list_reports(project, "Ann")
        assert project.owner == "Ann"
    assert len(rows) == 10
    assert {name for row in rows for name in row.others} == {*kinds, model} - {"Ann"}
    assert {(row.state, len(row.own)) for row in rows} == {("untouched", 0)}
    assert [run.state for run in overview.runs] == ["done", "done"]
    assert check_project(sample) == []


def _steps(job: Generator[Progress, None, Path], steps: int) -> None:
    for _ in range(steps):
        next(job)


@pytest.mark.parametrize("steps", [1, 45])
def test_a_sample_given_up_leaves_nothing_behind(tmp_path: Path, steps: int) -> None:
    job = make_sample(tmp_path / "sample", None)
    _steps(job, steps)
    assert list(tmp_path.glob("*.casespan")) == [tmp_path / "unfinished-sample.casespan"]
    job.close()
    assert list(tmp_path.iterdir()) == []


def test_a_sample_never_takes_the_place_of_a_project(sample: Path) -> None:
    before = sample.read_bytes()
    with pytest.raises(ProjectError, match="exists already"):
        next(make_sample(sample, None))
    assert sample.read_bytes() == before
    assert check_project(sample) == []


def test_a_sample_takes_nothing_of_one_that_was_deleted(tmp_path: Path) -> None:
    (tmp_path / "sample.casespan-wal").write_bytes(b"its log")
    with pytest.raises(ProjectError, match="is left of another project"):
        next(make_sample(tmp_path / "sample", None))


def test_what_an_attempt_broken_off_has_left_is_no_hindrance(tmp_path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal", ".lock"):
        (tmp_path / f"unfinished-sample.casespan{ending}").write_bytes(b"half")
    job = make_sample(tmp_path / "sample", None)
    _steps(job, 2)
    # Of this attempt, not of the one before.
    assert check_project(tmp_path / "unfinished-sample.casespan") == []
    job.close()
    assert list(tmp_path.iterdir()) == []

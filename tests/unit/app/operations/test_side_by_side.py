"""Long work and short acts on one open project: which of them can take turns, and which must wait."""

from __future__ import annotations

import socket
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.operations.annotate.report import open_report
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.importing import import_reports
from app.operations.extract.models import connect, replay
from app.operations.extract.options import ModelOptions, ModelSummary
from app.operations.extract.quotes import extract_with_model
from app.operations.extract.rules import extract_with_rules
from app.operations.project.files import check_project
from app.operations.project.history import list_history, next_undo, redo_change, undo_change
from app.store.creation import create_project_file
from app.store.project import Project
from extractors.assets import asset
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress

ME, REPORT = "Ann", "PMC99000001"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A project with one of the sample reports."""
    with create_project_file(tmp_path / "study.casespan", None, ME) as made:
        for _ in import_reports(made, [asset("resources", "demo", "reports") / f"{REPORT}.xml"]):
            pass
        yield made


def asking(project: Project) -> Generator[Progress, None, ModelSummary]:
    client, recording = replay(asset("resources", "demo", "replies.jsonl"))
    return extract_with_model(
        project, client, ModelOptions(recording.model, recording.strategy, recording.prompting)
    )


def label(project: Project, category: str = "Neuro") -> str:
    return add_span(project, ME, SpanPlace(REPORT, 0, 4), category).added[0].uuid


def own(project: Project) -> list[str]:
    return [one.uuid for one in open_report(project, REPORT, ME).annotations]


def until_answered(job: Generator[Progress, None, Any], calls: int) -> None:
    """Go on until that many calls are answered."""
    while next(job).done < calls:
        pass


def test_labelling_between_two_calls_of_a_model_stands_on_disk_beside_its_answers(project: Project) -> None:
    job = asking(project)
    until_answered(job, 1)
    assert not project.acting
    first = label(project)
    until_answered(job, 2)
    second = label(project, "CVS")
    with Project.open(project.path) as other:
        assert set(own(other)) == {first, second}
        names = [entry.name for entry in list_history(other)]
    run = "invented-replies/ucp/few-shot"
    answer = f"answer to {run}"
    labelled = ("Neurology and cognition", "Cardio- and cerebrovascular")
    labels = [f"label span as {name} in {REPORT}" for name in labelled]
    assert [name for name in names if name in (answer, *labels)] == [answer, labels[0], answer, labels[1]]
    calls = sum(1 for _ in job)
    assert calls > 5
    assert set(own(project)) == {first, second}
    project.close()
    with Project.open(project.path) as again:
        assert set(own(again)) == {first, second}
        assert again.query("SELECT name, state FROM run") == [{"name": run, "state": "done"}]
        assert again.query("SELECT count(*) AS n FROM generation WHERE state = 'done'")[0]["n"] == 14
    assert check_project(project.path) == []


def test_undo_between_two_calls_takes_back_what_came_after_the_last_answer(project: Project) -> None:
    job = asking(project)
    until_answered(job, 1)
    label(project)
    undone = undo_change(project)
    assert undone is not None
    assert undone.name == f"label span as Neurology and cognition in {REPORT}"
    assert own(project) == []
    redo_change(project)
    assert len(own(project)) == 1
    until_answered(job, 2)
    assert next_undo(project) == undone
    with pytest.raises(ProjectError, match="model run"):
        undo_change(project)
    assert undo_change(project, past_runs=True) == undone
    assert own(project) == []
    assert len(list(job)) > 5
    assert check_project(project) == []


def test_giving_up_a_model_run_keeps_what_was_labelled_meanwhile(project: Project) -> None:
    job = asking(project)
    until_answered(job, 1)
    mine = label(project)
    job.close()
    assert own(project) == [mine]
    assert project.query("SELECT state FROM run") == [{"state": "cancelled"}]
    assert len(list(asking(project))) > 5
    assert project.query("SELECT state FROM run") == [{"state": "done"}]


@pytest.mark.parametrize("kind", ["import", "rules"])
def test_what_is_one_act_says_so_and_lets_nobody_in_between(project: Project, kind: str) -> None:
    reports = asset("resources", "demo", "reports")
    job: Generator[Progress, None, object]
    job = import_reports(project, [reports]) if kind == "import" else extract_with_rules(project)
    assert not project.acting
    next(job)
    assert project.acting
    with pytest.raises(RuntimeError, match="already under way"):
        label(project)
    assert project.acting
    job.close()
    assert not project.acting
    label(project)
    assert len(own(project)) == 1


def test_labelling_goes_on_while_a_model_server_accepts_and_says_nothing(project: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = connect(f"127.0.0.1:{server.getsockname()[1]}")
        job = extract_with_model(project, client, ModelOptions("any", "ucp", "zero-shot"))
        for _ in range(3):
            next(job)
        uuid = label(project)
        next(job)
        job.close()
    assert own(project) == [uuid]

"""What undo and redo would do, and what they refuse to pass over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.operations.project.history import (
    list_history,
    next_redo,
    next_undo,
    redo_change,
    redo_to,
    undo_change,
    undo_to,
    undone_since,
)
from app.store.act import begin_act
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.creation import create_project_file
from app.store.extract.runs import RunState, finish_run, start_run
from app.store.project import Project
from extractors.model.errors import ProjectError


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with create_project_file(tmp_path / "study.casespan", None, "Ann") as created:
        yield created


def add(project: Project, name: str) -> None:
    with begin_act(project, f"add {name}", "Ann") as act:
        ensure_annotator(act, name, "person")


def test_in_a_new_project_there_is_nothing_to_undo_or_redo(project: Project) -> None:
    assert (next_undo(project), next_redo(project)) == (None, None)


def test_what_undo_and_redo_would_do_is_what_they_do(project: Project) -> None:
    add(project, "Ben")
    add(project, "Cy")
    for expected in ("add Cy", "add Ben"):
        entry = next_undo(project)
        assert entry is not None
        assert entry.name == expected
        assert undo_change(project) == entry
        assert next_redo(project) == entry
    assert next_undo(project) is None
    first = next_redo(project)
    assert first is not None
    assert redo_change(project) == first
    add(project, "Dee")
    assert next_redo(project) is None


def test_all_that_was_undone_is_made_again_up_to_one_act(project: Project) -> None:
    for name in ("Ben", "Cy", "Dee"):
        add(project, name)
    before = undone_since(list_history(project.path))
    acts = [one.act for one in list_history(project.path) if one.name.startswith("add")]
    with pytest.raises(ProjectError, match="not undone"):
        redo_to(project, acts[0])
    undo_to(project, acts[0])
    with begin_act(project, "note something", "Ann", undoable=False) as act:
        ensure_annotator(act, "Eve", "person")
    assert (before, undone_since(list_history(project.path))) == ([], acts[1:])
    assert [one.name for one in redo_to(project, acts[2])] == ["add Cy", "add Dee"]
    undo_to(project, acts[0])
    assert [one.name for one in redo_to(project, acts[1])] == ["add Cy"]
    assert undone_since(list_history(project.path)) == acts[2:]
    add(project, "Fay")
    assert undone_since(list_history(project.path)) == []
    assert next_redo(project) is None


def test_what_came_after_an_undo_is_undone_as_well(project: Project) -> None:
    add(project, "Ben")
    undo_change(project)
    back = list_history(project)[-1]
    for name in ("Cy", "Dee"):
        add(project, name)
    assert [one.name for one in undo_to(project, back.act)] == ["add Dee", "add Cy"]
    with pytest.raises(ProjectError, match="was undone"):
        undo_to(project, back.target or "")


def test_undo_stops_before_a_run_that_came_later_but_not_before_other_records(project: Project) -> None:
    with begin_act(project, "begin", "Ann", undoable=False) as act:
        run = start_run(act, ensure_annotator(act, "m", "run").uuid, "model", "m", {}, "1")
    add(project, "Ben")
    with begin_act(project, "note something", "Ann", undoable=False) as act:
        ensure_annotator(act, "Eve", "person")
    assert undo_change(project) is not None
    add(project, "Cy")
    states: dict[str, RunState] = {"stop run m": "cancelled", "end run m": "done"}
    for name, state in states.items():
        with begin_act(project, name, "Ann", undoable=False) as act:
            finish_run(act, run.uuid, state)
    acts = len(list_history(project))
    with pytest.raises(ProjectError, match=r"a model run \(end run m\)"):
        undo_change(project)
    assert len(list_history(project)) == acts
    undone = undo_change(project, past_runs=True)
    assert undone is not None
    assert undone.name == "add Cy"
    assert {one.name for one in annotators(project)} == {"Ann", "Eve", "m"}


def test_on_the_way_to_an_act_what_was_undone_before_one_that_cannot_be_stays_so(project: Project) -> None:
    for name in ("Ben", "Cy", "Dee"):
        add(project, name)
    project.db.execute("UPDATE annotator SET name = 'Cyd' WHERE name = 'Cy'")
    with pytest.raises(
        ProjectError, match=r"^1 change undone, then it went no further: .*a row of annotator"
    ):
        undo_to(project, list_history(project)[0].act)
    assert {one.name for one in annotators(project)} == {"Ann", "Ben", "Cyd"}


def test_an_act_that_came_since_is_not_undone_in_the_place_of_the_one_meant(project: Project) -> None:
    add(project, "Ben")
    meant = next_undo(project)
    assert meant is not None
    add(project, "Cy")
    acts = list_history(project)
    with pytest.raises(ProjectError, match=r"no longer the one in turn .*'add Cy'.*nothing was undone"):
        undo_change(project, only=meant.act)
    assert list_history(project) == acts
    undo_change(project)
    assert undo_change(project, only=meant.act) == meant
    with pytest.raises(ProjectError, match="there is none"):
        undo_change(project, only=meant.act)
    assert {one.name for one in annotators(project)} == {"Ann"}


def test_only_the_act_meant_is_redone(project: Project) -> None:
    for name in ("Ben", "Cy"):
        add(project, name)
    for _ in range(2):
        undo_change(project)
    meant = next_redo(project)
    assert meant is not None
    assert redo_change(project, only=meant.act) == meant
    acts = list_history(project)
    with pytest.raises(ProjectError, match=r"'add Cy'.*nothing was redone"):
        redo_change(project, only=meant.act)
    add(project, "Dee")
    with pytest.raises(ProjectError, match="there is none"):
        redo_change(project, only=meant.act)
    assert len(list_history(project)) == len(acts) + 1


def test_the_act_meant_is_looked_for_before_a_run_is_spoken_of(project: Project) -> None:
    add(project, "Ben")
    meant = next_undo(project)
    assert meant is not None
    with begin_act(project, "begin", "Ann", undoable=False) as act:
        start_run(act, ensure_annotator(act, "m", "run").uuid, "model", "m", {}, "1")
    with pytest.raises(ProjectError, match="a model run"):
        undo_change(project, only=meant.act)
    assert undo_change(project, past_runs=True, only=meant.act) == meant

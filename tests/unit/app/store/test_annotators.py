"""Whose project it is, and which names stand for what."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.store.act import begin_act
from app.store.annotate.annotators import annotators, ensure_annotator, kind_of
from app.store.creation import create_project_file
from app.store.project import Project
from extractors.model.errors import ProjectError


def test_the_owner_is_who_made_the_project_and_not_the_first_by_name(project: Project) -> None:
    with begin_act(project, "import", "Aaron") as act:
        ensure_annotator(act, "Aaron", "person")
    assert annotators(project)[0].name == "Aaron"
    project.close()
    with Project.open(project.path) as reader:
        assert reader.owner == "Ann"


@pytest.mark.parametrize("nobody", [None, ""])
def test_a_project_may_have_no_owner(tmp_path: Path, scheme_folder: Path, nobody: str | None) -> None:
    with create_project_file(tmp_path / "study", scheme_folder, nobody) as project:
        assert project.owner == ""
        assert annotators(project) == []


@pytest.mark.parametrize(("name", "kind"), [("gold", "gold"), ("Ana", "person"), ("Goldie", "person")])
def test_a_name_tells_the_kind_of_its_annotator(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_people_stand_before_gold_and_gold_before_runs_each_by_name(project: Project) -> None:
    names = {"a run": "run", "gold": "gold", "Zoe": "person", "b run": "run", "n" * 200: "person"}
    with begin_act(project, "add", "Ann") as act:
        for name, kind in names.items():
            ensure_annotator(act, name, kind)  # type: ignore[arg-type]
    assert [one.name for one in annotators(project)] == ["Ann", "Zoe", "n" * 200, "gold", "a run", "b run"]


@pytest.mark.parametrize("name", ["Gold", "Rules", " Ana", "Ana\nEve", " ", "n" * 201])
def test_names_that_only_look_different_are_refused(project: Project, name: str) -> None:
    with pytest.raises(ProjectError), begin_act(project, "add", "Ann") as act:
        ensure_annotator(act, name, "person")


def test_nobody_is_called_like_a_run(project: Project, tmp_path: Path, scheme_folder: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    with pytest.raises(ProjectError, match="'rules' is kept for runs; choose another"):
        kind_of("rules")
    with pytest.raises(ProjectError, match="kept for runs"):
        create_project_file(folder / "study", scheme_folder, "rules")
    assert list(folder.iterdir()) == []
    with begin_act(project, "annotate", "Ann") as act:
        with pytest.raises(ProjectError, match="kept for runs"):
            ensure_annotator(act, "rules", "person")
        with pytest.raises(ProjectError, match="kept for the gold set"):
            ensure_annotator(act, "gold", "person")
        with pytest.raises(ProjectError, match="kept for the gold set"):
            ensure_annotator(act, "Gold", "gold")
        assert ensure_annotator(act, "rules", "run").kind == "run"
        assert ensure_annotator(act, "gold", "gold").kind == "gold"


def test_the_gold_set_may_be_the_first_annotator(tmp_path: Path, scheme_folder: Path) -> None:
    with create_project_file(tmp_path / "study", scheme_folder, "gold") as project:
        assert [known.kind for known in annotators(project)] == ["gold"]

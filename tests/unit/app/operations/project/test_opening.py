"""Operations on a project that is open already, as the window has it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from app.operations.compare.agreement import measure_agreement
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.importing import import_reports
from app.operations.extract.rules import extract_with_rules
from app.operations.project import opening
from app.operations.project.files import check_project, damage_behind, list_project
from app.operations.project.history import list_history, redo_change, undo_change
from app.operations.project.opening import bringing, open_project, opened
from app.operations.project.sets import import_name_problem, name_problem
from app.store.creation import create_project_file
from app.store.project import Project
from extractors.model.errors import ProjectBusyError, ProjectError, StorageError
from extractors.model.progress import Progress

Result = TypeVar("Result")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """An empty project, held open for writing."""
    with create_project_file(tmp_path / "study.casespan", None, "Ann") as created:
        yield created


def finished(job: Generator[Progress, None, Result]) -> Result:
    while True:
        try:
            next(job)
        except StopIteration as end:
            result: Result = end.value
            return result


def test_the_main_job_runs_on_a_project_held_open_and_leaves_it_open(
    project: Project, tmp_path: Path
) -> None:
    report = tmp_path / "report.txt"
    report.write_text("Case\nA 54-year-old woman had fever and a headache.\n", encoding="utf-8")
    assert finished(import_reports(project, [report])).added
    assert sum(finished(extract_with_rules(project)).findings.values())
    assert measure_agreement(project, "rules", "rules", "strict").documents == 1
    out = tmp_path / "out.jsonl"
    assert export_annotations(project, out, "jsonl", "rules").reports == 1
    assert out.exists()
    undone = undo_change(project)
    assert undone is not None
    assert redo_change(project) == undone
    assert list_project(project).annotations.total()
    assert len(list_history(project)) == 5
    assert check_project(project) == []
    assert project.writable


def test_a_path_is_refused_while_another_holds_the_project_and_closed_after_use(project: Project) -> None:
    with pytest.raises(ProjectBusyError):
        undo_change(project.path)
    project.close()
    assert undo_change(project.path) is None
    with open_project(project.path) as again:
        assert (again.owner, again.writable) == ("Ann", True)


@pytest.mark.parametrize(
    ("name", "said", "imported"),
    [
        ("Ann", "", ""),
        ("gold", "kept by the program", ""),
        ("Gold", "kept by the program", "in small letters"),
        ("rules", "kept by the program", "kept for runs"),
        ("", "name", "name"),
        ("two\nlines", "line", "line"),
    ],
)
def test_a_name_that_cannot_be_a_persons_or_a_files_is_told(name: str, said: str, imported: str) -> None:
    found = name_problem(name), import_name_problem(name)
    assert [bool(one) for one in found] == [bool(said), bool(imported)]
    assert said in found[0]
    assert imported in found[1]


def test_a_project_whose_file_was_taken_away_is_not_checked_as_whole(project: Project) -> None:
    project.path.rename(project.path.with_suffix(".away"))
    with pytest.raises(StorageError):
        check_project(project)


def test_of_damage_that_was_met_the_row_is_named_before_the_file(project: Project) -> None:
    assert damage_behind(project.path) is None
    project.db.execute("UPDATE text SET text = text || '!'")
    whole, *rows = check_project(project)
    assert whole.where == str(project.path)
    assert rows[0].where in str(damage_behind(project.path))


def test_a_project_open_for_reading_is_not_lent_for_writing(project: Project) -> None:
    with (
        Project.open(project.path) as reader,
        pytest.raises(ProjectError, match="open for reading"),
        opened(reader, write=True),
    ):
        pass


def test_a_folder_with_much_in_it_is_brought_in_without_a_log(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "study.casespan-wal"
    (tmp_path / "packages" / "one").mkdir(parents=True)
    for name in ("a", "one/b"):
        (tmp_path / "packages" / name).write_bytes(bytes(5))
    for most, written in ((10, True), (9, False)):
        monkeypatch.setattr(opening, "_MUCH_BYTES", most)
        with bringing(project, [tmp_path / "absent", tmp_path / "packages"]):
            assert log.exists() == written
    assert log.exists()

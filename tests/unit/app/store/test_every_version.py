"""Projects as the program of each version wrote them, kept as files: they open for ever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.operations.project.backups import save_backup
from app.store.annotate.annotations import read_annotations
from app.store.check import check
from app.store.copies.rescue import rescue
from app.store.history import redo, undo
from app.store.migrations import STEPS
from app.store.project import Project
from app.store.reports.documents import documents
from tests.older_files import OLDER, as_written


def test_a_file_of_every_version_is_kept() -> None:
    versions = sorted(int(file.name[1:3]) for file in OLDER.iterdir())
    assert versions == list(range(1, len(STEPS) + 1)), (
        "make a small project with the program as it is and keep it, packed by xz, before it is released"
    )


@pytest.mark.parametrize("version", range(1, len(STEPS) + 1))
def test_a_project_of_that_version_opens_whole_and_its_last_act_is_undone_and_redone(
    tmp_path: Path, version: int
) -> None:
    path = as_written(version, tmp_path / "old.casespan")
    raw = path.read_bytes()
    with Project.open(path, unchanged=True) as looked_at:
        before = [one.finding for one in read_annotations(looked_at)]
        assert len(before) >= 2
        assert "burning pain" in documents(looked_at)[0].document.text
    save_backup(path, tmp_path / "copy.casespan")
    assert path.read_bytes() == raw
    with Project.open(path, write=True) as project:
        assert [one.finding for one in read_annotations(project)] == before
        undo(project, "Ann Old")
        assert len(read_annotations(project)) < len(before)
        redo(project, "Ann Old")
        assert [one.finding for one in read_annotations(project)] == before
    assert check(path) == []
    copies = list(tmp_path.glob("old.casespan.v*.bak"))
    assert [one.read_bytes()[60:64] for one in copies] == (
        [] if version == len(STEPS) else [version.to_bytes(4, "big")]
    )


@pytest.mark.parametrize("version", [1, 9, len(STEPS)])
def test_of_a_whole_file_of_that_version_nothing_is_lost_by_a_rescue(tmp_path: Path, version: int) -> None:
    path, out = as_written(version, tmp_path / "old.casespan"), tmp_path / "new.casespan"
    assert [one.table for one in rescue(path, out) if one.lost] == []
    with Project.open(path) as old, Project.open(out) as new:
        assert [one.finding for one in read_annotations(new)] == [
            one.finding for one in read_annotations(old)
        ]


def test_a_rescue_goes_by_the_history_where_the_number_of_acts_is_none(
    tmp_path: Path, tamper: Callable[..., None]
) -> None:
    path, out = as_written(len(STEPS), tmp_path / "old.casespan"), tmp_path / "new.casespan"
    tamper(path, "UPDATE meta SET value = 'none' WHERE key = 'chain_count'")
    assert {one.table: one.lost for one in rescue(path, out)}["history"] == 0

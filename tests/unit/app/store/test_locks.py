"""One writer at a time, also where the disk does not lock files."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from filelock import SoftFileLock

from app.cli import main
from app.store import keys
from app.store.act import begin_act
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.check import check
from app.store.copies.backups import back_up, recode, restore
from app.store.creation import create_project_file
from app.store.locks import sign_of, take_lock
from app.store.project import Project
from app.store.reports.figures import keep_picture
from extractors.model.errors import ProjectBusyError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks are taken from the system by another name")


@pytest.fixture(params=["nobody is kept out", "not known"])
def deaf_disk(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A disk that gives its lock to everybody, or says that it has none."""
    import fcntl

    def lock(_file: int, _how: int) -> None:
        if request.param == "not known":
            raise OSError(38, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", lock)


def add(project: Project, name: str) -> None:
    with begin_act(project, f"add {name}", "Ann") as act:
        ensure_annotator(act, name, "person")


def test_who_comes_by_a_link_is_kept_out_as_well(tmp_path: Path, scheme_folder: Path) -> None:
    (link := tmp_path / "link.casespan").symlink_to(tmp_path / "p.casespan")
    with create_project_file(tmp_path / "p.casespan", scheme_folder, "Ann"):
        with pytest.raises(ProjectBusyError):
            Project.open(link, write=True)
    with Project.open(link, write=True) as project:
        add(project, "Ben")
    assert not (tmp_path / "link.casespan.lock").exists()


def test_where_the_disk_does_not_lock_one_writes_alone_and_that_is_said(
    deaf_disk: None, tmp_path: Path, scheme_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with create_project_file(tmp_path / "p.casespan", scheme_folder, "Ann") as project:
        assert "does not lock files" in project.caveat
        add(project, "Ben")
        assert not project.path.with_name("p.casespan-wal").exists()
        for write in (True, False):
            with pytest.raises(ProjectBusyError, match="does not lock files"):
                Project.open(project.path, write=write)
    assert not sign_of(project.path).exists()
    assert check(project.path) == []
    with Project.open(project.path) as reader:
        assert {one.name for one in annotators(reader)} == {"Ann", "Ben"}
    assert main(["undo", str(project.path)]) == 0
    assert "does not lock files" in capsys.readouterr().err


def test_an_act_larger_than_memory_is_not_taken_for_another_programs_writing_there(
    deaf_disk: None, tmp_path: Path, scheme_folder: Path
) -> None:
    with create_project_file(tmp_path / "p.casespan", scheme_folder, "Ann") as project:
        project.db.execute("PRAGMA cache_size = 8")
        for ends in (True, False):
            with suppress(RuntimeError), begin_act(project, "add", "Ann") as act:
                for number in range(40):
                    keep_picture(act, f"{ends}{number}", os.urandom(20_000), "PNG", 1, 1)
                if not ends:
                    raise RuntimeError
        add(project, "Ben")
        assert project.tuples("SELECT count(*) FROM picture") == [(40,)]


def test_who_was_killed_there_keeps_nobody_out(deaf_disk: None, tmp_path: Path, scheme_folder: Path) -> None:
    create_project_file(tmp_path / "p.casespan", scheme_folder, "Ann").close()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    from socket import gethostname

    for write in (False, True):
        sign_of(tmp_path / "p.casespan").write_text(f"{dead.pid}\n{gethostname()}\n", encoding="utf-8")
        os.utime(sign_of(tmp_path / "p.casespan"), (1, 1))
        with Project.open(tmp_path / "p.casespan", write=write) as project:
            assert sign_of(project.path).exists() is write
            if write:
                add(project, "Ben")
    with Project.open(tmp_path / "p.casespan") as project:
        assert project.caveat == ""


def test_a_lock_that_keeps_nobody_out_is_given_back_before_the_sign_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    steps = list[str]()
    names = {fcntl.LOCK_UN: "given back"}
    monkeypatch.setattr(fcntl, "flock", lambda _file, how: steps.append(names.get(how, "taken")))
    monkeypatch.setattr("filelock.SoftFileLock.acquire", lambda _lock: steps.append("sign"))
    assert take_lock(tmp_path / "p.casespan").alone
    assert steps == ["taken", "taken", "given back", "given back", "sign"]


@pytest.mark.parametrize("what", ["put back", "encrypted"])
def test_nobody_else_writes_until_another_file_has_taken_the_place_of_a_project(
    tmp_path: Path, scheme_folder: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    with create_project_file(tmp_path / "p.casespan", scheme_folder, "Ann") as project:
        copy = back_up(project, "asked")
    assert copy is not None
    busy, replace = list[Path](), os.replace

    def watched(draft: Path, path: Path) -> None:
        with pytest.raises(ProjectBusyError):
            take_lock(project.path)
        busy.append(path)
        replace(draft, path)

    monkeypatch.setattr(os, "replace", watched)
    monkeypatch.setattr(keys, "_ROUNDS", 1)
    monkeypatch.setattr(keys, "_known", {})
    if what == "encrypted":
        recode(project.path, keys.new_key("several words"))
    else:
        restore(project.path, copy)
    assert project.path in busy
    take_lock(project.path).release()


def test_where_it_locks_nothing_is_said_and_readers_come_in(tmp_path: Path, scheme_folder: Path) -> None:
    with create_project_file(tmp_path / "p.casespan", scheme_folder, "Ann") as project:
        assert project.caveat == ""
        with Project.open(project.path) as reader:
            assert reader.caveat == ""
        with pytest.raises(ProjectBusyError):
            Project.open(project.path, write=True)


def test_who_is_kept_out_by_a_sign_keeps_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "p.casespan"
    with (
        SoftFileLock(sign_of(path), mode=0o600),
        pytest.raises(ProjectBusyError, match="does not lock") as told,
    ):
        take_lock(path)
    # The error is still at hand, and with it all that was going on.
    assert told.value
    take_lock(path).release()

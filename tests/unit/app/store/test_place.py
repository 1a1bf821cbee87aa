"""A project whose file is moved, replaced or deleted while it is open."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.operations.project.encryption import is_encrypted
from app.operations.project.files import check_project, create_project, save_copy
from app.store import database, keys
from app.store import project as project_module
from app.store.act import begin_act
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.check import check
from app.store.copies.backups import back_up, recode
from app.store.creation import create_project_file, remove_project
from app.store.place import Place
from app.store.project import Project
from app.store.reports.documents import add_document
from app.store.reports.figures import keep_picture
from extractors.model.document import Document
from extractors.model.errors import ProjectBusyError, ProjectError, StorageError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not let go of an open file")


def add(project: Project, name: str, meanwhile: Callable[[], object] = lambda: None) -> None:
    """One act, during which something else happens."""
    with begin_act(project, f"add {name}", "Ann") as act:
        ensure_annotator(act, name, "person")
        meanwhile()


def names(project: Project) -> set[str]:
    return {known.name for known in annotators(project)}


def beside(path: Path) -> dict[str, bytes]:
    """The file and what SQLite keeps beside it, byte by byte."""
    return {
        file.name: file.read_bytes() for file in path.parent.glob(f"{path.name}*") if file.suffix != ".lock"
    }


def names_in(path: Path) -> set[str]:
    assert check(path) == []
    with Project.open(path) as reader:
        return names(reader)


@pytest.fixture
def stranger(tmp_path: Path, scheme_folder: Path, report: Callable[..., Document]) -> Path:
    """Another project, larger than the first."""
    with create_project_file(tmp_path / "other.casespan", scheme_folder, "Zoe") as other:
        with begin_act(other, "add", "Zoe") as act:
            for number in range(40):
                add_document(act, report(f"{number} " + "word " * 500), f"{number}.txt", "0" * 64)
    return other.path


def test_after_a_rename_nothing_is_said_to_be_saved_and_all_before_is_in_the_renamed_file(
    project: Project, tmp_path: Path
) -> None:
    add(project, "Ben")
    project.path.rename(tmp_path / "moved.casespan")
    with pytest.raises(StorageError, match=r"moved, renamed or deleted while it was open.*Put"):
        add(project, "Cy")
    assert names(project) == {"Ann", "Ben"}
    assert beside(project.path) == {}
    assert names_in(tmp_path / "moved.casespan") == {"Ann", "Ben"}
    project.close()
    assert beside(project.path) == {}
    assert names_in(tmp_path / "moved.casespan") == {"Ann", "Ben"}


def test_all_that_was_saved_is_in_the_renamed_file_where_it_is_found_out_only_when_closing(
    project: Project, tmp_path: Path
) -> None:
    add(project, "Ben")
    project.path.rename(tmp_path / "moved.casespan")
    project.close()
    assert beside(project.path) == {}
    assert names_in(tmp_path / "moved.casespan") == {"Ann", "Ben"}


def test_one_goes_on_where_the_file_is_put_back(project: Project, tmp_path: Path) -> None:
    add(project, "Ben")
    project.path.rename(tmp_path / "moved.casespan")
    with pytest.raises(StorageError):
        add(project, "Cy")
    (tmp_path / "moved.casespan").rename(project.path)
    for name in ("Cy", "Dee"):
        add(project, name)
        assert names_in(project.path) == names(project)
    project.close()
    assert names_in(project.path) == {"Ann", "Ben", "Cy", "Dee"}


@pytest.mark.parametrize("seen", ["before the act", "during the act", "when closing"])
def test_a_project_put_in_its_place_is_left_as_it_is(project: Project, stranger: Path, seen: str) -> None:
    for number in range(20):
        add(project, f"Ben {number}")
    before = stranger.read_bytes()
    if seen == "during the act":
        with pytest.raises(StorageError, match="replaced by another file"):
            add(project, "Cy", lambda: os.replace(stranger, project.path))
    else:
        os.replace(stranger, project.path)
    if seen == "before the act":
        with pytest.raises(StorageError, match="replaced by another file"):
            add(project, "Cy")
    if seen != "when closing":
        assert names_in(project.path) == {"Zoe"}
        assert "Ben 19" in names(project)
        assert "Cy" not in names(project)
    project.close()
    assert beside(project.path) == {project.path.name: before}
    assert names_in(project.path) == {"Zoe"}


def test_the_log_of_a_project_put_in_its_place_is_not_touched(
    project: Project, stranger: Path, tmp_path: Path
) -> None:
    add(project, "Ben")
    for ending in ("", "-wal", "-shm"):
        project.path.with_name(project.path.name + ending).rename(tmp_path / f"moved.casespan{ending}")
    stranger.rename(project.path)
    lock = project.path.with_name(project.path.name + ".lock")
    lock.unlink()
    with Project.open(project.path, write=True) as other:
        add(other, "Yan")
        before = beside(project.path)
        assert len(before) == 3
        with pytest.raises(StorageError, match="replaced"):
            add(project, "Cy")
        project.close()
        assert beside(project.path) == before
        add(other, "Xia")
    assert names_in(project.path) == {"Zoe", "Yan", "Xia"}
    assert names_in(tmp_path / "moved.casespan") == {"Ann", "Ben"}


def test_a_log_that_was_deleted_is_made_anew_and_nothing_is_lost(project: Project) -> None:
    add(project, "Ben")
    project.db.execute("PRAGMA busy_timeout = 0")
    with Project.open(project.path) as reader, reader.snapshot():
        assert "Ben" in names(reader)
        for ending in ("-wal", "-shm"):
            project.path.with_name(project.path.name + ending).unlink()
        # What is in the log cannot be saved as long as somebody reads it.
        with pytest.raises(ProjectBusyError):
            add(project, "Cy")
    add(project, "Cy")
    assert names_in(project.path) == {"Ann", "Ben", "Cy"}
    with pytest.raises(StorageError, match=r"log beside .* was deleted"):
        add(project, "Dee", project.path.with_name(project.path.name + "-wal").unlink)
    add(project, "Eve")
    assert names_in(project.path) == {"Ann", "Ben", "Cy", "Eve"}


@pytest.mark.parametrize("lost", ["deleted", "replaced", "not lost"])
def test_a_copy_is_whole_whatever_became_of_the_file(
    project: Project, stranger: Path, tmp_path: Path, report: Callable[..., Document], lost: str
) -> None:
    with begin_act(project, "add", "Ann") as act:
        add_document(act, report(), "one.xml", "0" * 64)
    add(project, "Ben")
    if lost == "deleted":
        project.path.unlink()
    elif lost == "replaced":
        os.replace(stranger, project.path)
    copy = save_copy(project, tmp_path / "copy")
    assert copy == tmp_path / "copy.casespan"
    assert names_in(copy) == {"Ann", "Ben"}
    with Project.open(copy, write=True) as again:
        assert again.query("SELECT * FROM history") == project.query("SELECT * FROM history")
        add(again, "Cy")
    assert list(tmp_path.glob(".*")) == []


def test_a_copy_may_take_the_name_of_a_file_that_was_deleted(project: Project) -> None:
    add(project, "Ben")
    project.path.unlink()
    save_copy(project, project.path)
    assert list(beside(project.path)) == [project.path.name], "the old log would be replayed over the copy"
    assert names_in(project.path) == {"Ann", "Ben"}
    project.close()
    assert names_in(project.path) == {"Ann", "Ben"}


def test_a_copy_replaces_nothing_and_is_not_made_of_half_an_act(project: Project, tmp_path: Path) -> None:
    taken = tmp_path / "taken.casespan"
    shutil.copyfile(__file__, taken)
    with pytest.raises(ProjectError, match="exists already"):
        save_copy(project, tmp_path / "taken")
    with pytest.raises(ProjectError, match="no folder"):
        save_copy(project, tmp_path / "nowhere" / "copy")
    with begin_act(project, "add", "Ann"), pytest.raises(ProjectError, match="under way"):
        save_copy(project, tmp_path / "copy")
    assert taken.read_bytes() == Path(__file__).read_bytes()
    assert not (tmp_path / "copy.casespan").exists()


def test_what_stands_in_the_place_of_an_unfinished_project_is_not_removed(
    project: Project, stranger: Path
) -> None:
    os.replace(stranger, project.path)
    remove_project(project)
    assert names_in(project.path) == {"Zoe"}


def test_a_check_of_an_open_project_does_not_read_what_stands_in_its_place(
    project: Project, stranger: Path
) -> None:
    assert check_project(project) == []
    before = stranger.read_bytes()
    os.replace(stranger, project.path)
    with pytest.raises(StorageError, match="replaced by another file"):
        check_project(project)
    assert beside(project.path) == {project.path.name: before}


def test_a_closed_project_can_still_be_checked(project: Project) -> None:
    project.close()
    assert check_project(project) == []


@pytest.fixture(params=["plain", "encrypted"])
def kept_open(
    project: Project, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Project]:
    """A project that is open, all of which was read once, as it is soon after a window has opened it."""
    monkeypatch.setattr(keys, "_ROUNDS", 1000)
    if request.param == "encrypted":
        project.close()
        recode(project.path, keys.new_key("correct horse"))
        project = Project.open(project.path, write=True)
    add(project, "Ben")
    back_up(project, "opened")
    yield project
    project.close()
    keys.forget()


def saved(project: Project) -> Path:
    return project.path.with_name(f"{project.path.stem} (saved).casespan")


@pytest.mark.parametrize("when", ["before an act", "during an act", "emptied", "when closing"])
def test_a_file_that_is_written_over_in_place_is_left_alone_and_all_that_was_saved_is_beside_it(
    kept_open: Project, stranger: Path, when: str
) -> None:
    add(kept_open, "Cy")

    def write_over() -> None:
        with kept_open.path.open("r+b") as file:
            file.truncate(0)
            file.write(b"" if when == "emptied" else stranger.read_bytes())

    if when == "during an act":
        with pytest.raises(StorageError, match=r"written over.*in memory"):
            add(kept_open, "Dora", write_over)
    else:
        write_over()
    if when in ("before an act", "emptied"):
        for name in ("Dora", "Eli"):
            with pytest.raises(StorageError, match=r"written over.*\(saved\)"):
                add(kept_open, name)
    if when != "when closing":
        assert names(kept_open) >= {"Ann", "Ben", "Cy"}
    kept_open.close()
    assert names_in(saved(kept_open)) >= {"Ann", "Ben", "Cy"}
    assert kept_open.path.read_bytes() == (b"" if when == "emptied" else stranger.read_bytes())
    assert not kept_open.path.with_name(f"{kept_open.path.name}-wal").exists()
    assert len(list(kept_open.path.parent.glob("*(saved*"))) == 1


def test_what_is_saved_beside_a_file_written_over_passes_by_a_name_that_has_a_log(
    project: Project, stranger: Path
) -> None:
    log = saved(project).with_name(f"{saved(project).name}-wal")
    log.write_bytes(b"of a project that was deleted")
    project.path.write_bytes(stranger.read_bytes())
    with pytest.raises(StorageError, match=r"in memory is in .*\(saved 2\)"):
        add(project, "Cy")
    assert log.exists()


def test_after_a_fault_of_the_disk_all_but_that_act_is_there_and_work_goes_on(kept_open: Project) -> None:
    def fail() -> None:
        fault = sqlite3.OperationalError("disk I/O error")
        fault.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise fault

    before = kept_open.db
    with pytest.raises(StorageError):
        add(kept_open, "Cy", fail)
    assert names(kept_open) == {"Ann", "Ben"}
    # SQLCipher reads nothing any more.
    assert (kept_open.db is before) == (before.key is None)
    with pytest.raises(StorageError):
        add(kept_open, "Dora", fail)
    add(kept_open, "Eli")
    assert names(kept_open) == names_in(kept_open.path) == {"Ann", "Ben", "Eli"}


def test_a_file_of_which_only_the_time_was_changed_goes_on(project: Project) -> None:
    os.utime(project.path, (1, 1))
    for number in range(3):
        add(project, f"B{number}")
    assert not saved(project).exists()


def test_much_goes_into_the_file_at_once_and_the_log_is_back_after_it(
    project: Project, tmp_path: Path, stranger: Path
) -> None:
    log, killed = project.path.with_name(f"{project.path.name}-wal"), tmp_path / "killed.casespan"
    project.db.execute("PRAGMA cache_size = 8")  # an act that is larger is written before its end
    with project.without_log():
        assert not log.exists()
        for name in ("Cy", "Dora"):
            with suppress(RuntimeError), begin_act(project, "add", "Ann") as act:
                ensure_annotator(act, name, "person")
                for data in (os.urandom(20_000) for _ in range(40)):
                    keep_picture(act, sha256(data).hexdigest(), data, "PNG", 1, 1)
                for ending in ("", "-journal"):
                    shutil.copyfile(f"{project.path}{ending}", f"{killed}{ending}")
                if name == "Dora":
                    raise RuntimeError
    add(project, "Eli")
    assert log.exists()
    assert {"Cy", "Eli"} < names(project)
    assert "Dora" not in names(project)
    project.path.write_bytes(stranger.read_bytes())
    with pytest.raises(StorageError, match="written over"):
        add(project, "Fay")
    assert {"Cy"} < names_in(killed)


def test_where_somebody_reads_the_log_stays_and_it_comes_back_when_nobody_does(project: Project) -> None:
    log = project.path.with_name(f"{project.path.name}-wal")
    project.db.execute("PRAGMA busy_timeout = 0")
    with Project.open(project.path), project.without_log():
        add(project, "Cy")
        assert log.exists()
    with project.without_log():
        reader = Project.open(project.path)
        rows = reader.db.execute("SELECT * FROM meta")
        rows.fetchone()
    assert not log.exists()
    rows.close()
    reader.close()
    add(project, "Dora")
    assert log.exists()
    project.path.rename(moved := project.path.with_name("moved.casespan"))
    with project.without_log():
        assert log.exists()
    moved.rename(project.path)


@pytest.mark.parametrize("look", [is_encrypted, lambda path: Project.open(path).close()])
def test_looking_at_an_open_project_lets_no_other_program_take_its_log_away(
    tmp_path: Path, look: Callable[[Path], object]
) -> None:
    path = create_project(tmp_path / "study.casespan", "Ann")
    reader = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM meta'); c.close()"
    )
    with Project.open(path, write=True) as project:
        add(project, "Ben")
        look(path)
        subprocess.run([sys.executable, "-c", reader, str(path)], check=True)
        add(project, "Chi")
    with Project.open(path) as project:
        assert names(project) >= {"Ben", "Chi"}


def test_a_file_written_into_in_place_is_told_by_its_pages_where_size_and_time_do_not(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(bytes(8192))
    place = Place(path, watched=True)
    os.utime(path, ns=(1, 1))
    assert not place.overwritten
    path.write_bytes(bytes(8191) + b"x")
    os.utime(path, ns=(2, 2))
    assert place.overwritten
    place.note()
    assert not place.overwritten
    place.close()


def test_what_is_saved_beside_an_overwritten_project_overwrites_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("p (saved)", "p (saved 2)"):
        (tmp_path / f"{name}.casespan").touch()
    written: list[Path] = []
    monkeypatch.setattr(database, "copy_database", lambda _, path: written.append(path))
    monkeypatch.setattr(project_module, "readable", lambda path: path)
    open_ = SimpleNamespace(path=tmp_path / "p.casespan", db=None, _leave=lambda: None)
    Project._save_what_is_in_memory(open_)  # type: ignore[arg-type]
    assert written == [open_._refuge] == [tmp_path / "p (saved 3).casespan"]

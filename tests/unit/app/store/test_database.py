"""The address under which SQLite opens a file, whatever the system and the name."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from app.store import database
from app.store.act import begin_act
from app.store.creation import create_project_file
from app.store.database import sqlite_uri
from app.store.faults import DamagedProjectError, disk_full
from app.store.locks import lock_of
from app.store.project import Project
from app.store.reports.figures import keep_picture, read_picture, region_of
from app.store.sqlite import Database, without_number_libraries
from extractors.model.errors import CasespanError, ProjectError, StorageError, UnknownNameError


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PureWindowsPath("C:\\Users\\Ana\\study.casespan"), "file:///C:/Users/Ana/study.casespan?mode=ro"),
        (PureWindowsPath(r"\\server\share\x.casespan"), "file:////server/share/x.casespan?mode=ro"),
        (
            PureWindowsPath(r"\\server\our share\x #1.casespan"),
            "file:////server/our%20share/x%20%231.casespan?mode=ro",
        ),
        (PureWindowsPath("D:/Fälle/50%.casespan"), "file:///D:/F%C3%A4lle/50%25.casespan?mode=ro"),
        (PurePosixPath("/home/ana/study.casespan"), "file:///home/ana/study.casespan?mode=ro"),
        (
            PurePosixPath("/a b/c?mode=rwc#d%20.casespan"),
            "file:///a%20b/c%3Fmode%3Drwc%23d%2520.casespan?mode=ro",
        ),
        (PurePosixPath("/\udcff.casespan"), "file:///%FF.casespan?mode=ro"),
    ],
)
def test_a_path_becomes_an_address_without_authority(path: PurePath, uri: str) -> None:
    assert sqlite_uri(path, "mode=ro") == uri


def test_sqlite_itself_takes_an_address_with_two_leading_slashes(tmp_path: Path) -> None:
    file = tmp_path / "x #1, 50%?.db"
    sqlite3.connect(file).close()
    uri = sqlite_uri(PureWindowsPath("/" + str(file)), "mode=rw")
    assert uri.startswith("file:////")
    sqlite3.connect(uri, uri=True).close()


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes are a habit of Linux")
def test_a_name_that_is_no_text_can_be_opened(tmp_path: Path, scheme_folder: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.casespan"))
    create_project_file(path, scheme_folder).close()
    assert [os.fsencode(found.name) for found in tmp_path.glob("*.casespan")] == [b"\xff.casespan"]


def test_hiding_the_number_libraries_survives_what_another_thread_imports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("numpy", "pandas"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    loaded = type(sys)("pandas")
    with without_number_libraries():
        assert sys.modules["numpy"] is None
        del sys.modules["numpy"]
        sys.modules["pandas"] = loaded
    assert "numpy" not in sys.modules
    assert sys.modules.pop("pandas") is loaded


@pytest.mark.parametrize("opened", [database.open_for_reading, database.open_unchanged])
def test_a_disk_that_fails_while_a_file_is_opened_for_reading_is_said_in_a_sentence(
    opened: Callable[[Path], object], tmp_path: Path, scheme_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_project_file(project := tmp_path / "p.casespan", scheme_folder).close()
    real, left = Database.execute, [0]

    def failing(db: Database, sql: str) -> sqlite3.Cursor:
        left[0] -= 1
        if left[0] < 0:
            raise sqlite3.DatabaseError("database disk image is malformed")
        return real(db, sql)

    monkeypatch.setattr(Database, "execute", failing)
    for sound in range(9):
        left[0] = sound
        with suppress(CasespanError):
            opened(project)
    assert left[0] >= 0, "each call has failed once"


def test_where_a_disk_is_full_a_file_is_read_without_others_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, modes = tmp_path / "p.casespan", list[str]()
    assert not disk_full(tmp_path / "gone" / "p.casespan")
    path.touch()
    for full, log in ((False, b""), (True, b""), (True, b"x")):
        monkeypatch.setattr(database, "disk_full", lambda _, full=full: full)
        (tmp_path / "p.casespan-wal").write_bytes(log)
        modes.append(database._reading_mode(path))
    assert modes == ["mode=rw", "mode=ro&immutable=1", "mode=ro"]


def test_what_cannot_be_cleared_away_is_said_in_a_sentence(tmp_path: Path) -> None:
    create_project_file(tmp_path / "p.casespan").close()
    (tmp_path / ".p.casespan.recoded").mkdir()
    with pytest.raises(StorageError, match="could not be opened"):
        Project.open(tmp_path / "p.casespan", write=True)


def test_on_a_disk_without_hard_links_files_get_their_names_and_nothing_is_replaced(
    tmp_path: Path, scheme_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refused)
    path, draft = tmp_path / "p.casespan", tmp_path / "draft"
    create_project_file(path, scheme_folder).close()
    before = path.read_bytes()
    with pytest.raises(ProjectError, match="exists already"):
        create_project_file(path, scheme_folder)
    draft.write_bytes(b"new")
    with pytest.raises(FileNotFoundError):
        database.take_place(draft, path, tmp_path / "none" / "kept")
    assert path.read_bytes() == before
    database.take_place(draft, path, tmp_path / "kept")
    assert (path.read_bytes(), (tmp_path / "kept").read_bytes()) == (b"new", before)


def test_what_must_not_be_written_to_or_has_no_lock_beside_it_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_project_file(path := tmp_path / "p.casespan").close()
    lock_of(path).unlink(missing_ok=True)
    lock_of(path).mkdir()
    with pytest.raises(StorageError, match="cannot be opened for writing"):
        Project.open(path, write=True)
    lock_of(path).rmdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StorageError, match="may not be written to"):
        Project.open(path, write=True)


def test_a_picture_is_read_as_it_came_or_not_at_all(tmp_path: Path, scheme_folder: Path) -> None:
    digest = sha256(b"picture").hexdigest()
    with create_project_file(tmp_path / "p.casespan", scheme_folder, "Ann") as project:
        with begin_act(project, "add", "Ann") as act:
            keep_picture(act, digest, b"picture", "PNG", 1, 1)
        assert read_picture(project, digest) == b"picture"
        with project.db.conn:
            project.db.execute("UPDATE picture SET bytes = x'00'")
        with pytest.raises(DamagedProjectError, match="was changed after it was stored"):
            read_picture(project, digest)
        for call, what in ((read_picture, "picture"), (region_of, "region")):
            with pytest.raises(UnknownNameError, match=f"no {what} nowhere"):
                call(project, "nowhere")

"""Making, recognising, opening and sharing a project file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.store.act import begin_act
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.creation import create_project_file
from app.store.database import APPLICATION_ID
from app.store.faults import meaning
from app.store.history import history
from app.store.migrations import STEPS
from app.store.project import Project
from app.store.reports.documents import add_document, documents
from extractors.model.document import Document
from extractors.model.errors import (
    CasespanError,
    ProjectBusyError,
    ProjectError,
    SchemeError,
    StorageError,
    UnknownNameError,
)
from extractors.model.scheme import default_scheme

ROOT = Path(__file__).resolve().parents[4]


def _snapshot(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def _run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Another process that knows the program."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


def test_a_new_project_holds_its_scheme_and_first_annotator(project: Project, scheme_folder: Path) -> None:
    for path in scheme_folder.iterdir():
        path.unlink()
    with Project.open(project.path) as reader:
        assert reader.scheme.ids == ("Neuro", "CVS", "GI")
        assert "All about CVS." in reader.scheme.category("CVS").guideline
        assert [(known.name, known.kind) for known in annotators(reader)] == [("Ann", "person")]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("study", "study.casespan"),
        ("Dr. Ruiz", "Dr. Ruiz.casespan"),
        ("study.v2", "study.v2.casespan"),
        ("study.casespan", "study.casespan"),
        ("STUDY.CaseSpan", "STUDY.CaseSpan"),
    ],
)
def test_the_suffix_is_added_to_any_name_without_it(
    tmp_path: Path, scheme_folder: Path, name: str, file: str
) -> None:
    with create_project_file(tmp_path / name, scheme_folder) as project:
        assert project.path == tmp_path / file
        assert project.path.is_file()


def test_a_project_needs_a_name(scheme_folder: Path) -> None:
    with pytest.raises(ProjectError, match="is no name for a project"):
        create_project_file(Path(), scheme_folder)


def test_any_folder_and_file_name_will_do(tmp_path: Path, scheme_folder: Path) -> None:
    folder = tmp_path / "Fälle #1, 100 %?mode=ro&x=1"
    folder.mkdir()
    with create_project_file(folder / "d'Études 😊", scheme_folder) as project:
        assert [path.name for path in folder.glob("*.casespan")] == ["d'Études 😊.casespan"]
        project.close()
        with Project.open(project.path) as reader:
            assert reader.scheme.id == "small"


def test_the_file_says_what_it_is(project: Project) -> None:
    header = project.path.read_bytes()[:100]
    assert struct.unpack_from(">I", header, 68)[0] == APPLICATION_ID
    assert struct.unpack_from(">I", header, 60)[0] == len(STEPS)
    pragmas = ("journal_mode", "synchronous", "foreign_keys")
    values = {name: project.query(f"PRAGMA {name}")[0][name] for name in pragmas}
    assert values == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_a_closed_project_is_one_file_and_a_lock(project: Project, tmp_path: Path) -> None:
    project.close()
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} == {
        "study.casespan",
        "study.casespan.lock",
    }


def test_an_older_project_has_the_dark_colours_of_today_but_for_those_chosen(
    tmp_path: Path, scheme_folder: Path
) -> None:
    source = scheme_folder / "scheme.toml"
    source.write_text(source.read_text("utf-8").replace("#112233", "#6a45fd", 1), "utf-8")
    with create_project_file(tmp_path / "study", scheme_folder) as project:
        now = default_scheme().category("Neuro").colour_dark
        assert [one.colour_dark for one in project.scheme.categories] == [now, "#112233", "#112233"]


def test_an_existing_file_is_never_replaced(tmp_path: Path, scheme_folder: Path) -> None:
    taken = tmp_path / "notes.casespan"
    taken.write_text("mine", encoding="utf-8")
    for name in (taken, tmp_path / "notes"):
        with pytest.raises(ProjectError, match="exists already"):
            create_project_file(name, scheme_folder)
    assert taken.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_what_is_left_of_another_project_is_never_read_into_a_new_one(
    project: Project, tmp_path: Path, scheme_folder: Path, ending: str
) -> None:
    with begin_act(project, "add", "Ann") as act:
        ensure_annotator(act, "Ben", "person")
    left = tmp_path / f"new.casespan{ending}"
    left.write_bytes(project.path.with_name(f"{project.path.name}-wal").read_bytes())
    with pytest.raises(ProjectError, match="is left of another project; move it away, or"):
        create_project_file(tmp_path / "new", scheme_folder)
    assert [path.name for path in tmp_path.glob("*new*")] == [left.name]
    # Nothing of another project is in an empty one.
    left.write_bytes(b"")
    create_project_file(tmp_path / "new", scheme_folder).close()


def test_a_failed_creation_leaves_nothing_behind(tmp_path: Path, scheme_folder: Path) -> None:
    (scheme_folder / "GI.md").unlink()
    target = tmp_path / "new"
    target.mkdir()
    with pytest.raises(SchemeError, match=r"GI\.md"):
        create_project_file(target / "study", scheme_folder)
    with pytest.raises(ProjectError, match="no folder"):
        create_project_file(target / "deeper" / "study", scheme_folder)
    assert list(target.iterdir()) == []


def test_a_creation_that_fails_half_way_leaves_nothing_behind(tmp_path: Path, scheme_folder: Path) -> None:
    target = tmp_path / "new"
    target.mkdir()
    with pytest.raises(CasespanError):
        create_project_file(target / "study", scheme_folder, "half a character \ud800")
    assert list(target.iterdir()) == []


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (None, "There is no project"),
        (b"", "is empty"),
        (b"\x93\x02" * 3000, "not a Casespan project"),
        (b"SQLite format 3\x00", "not a Casespan project"),
        (b"<article/>", "not a Casespan project"),
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_what_is_no_project_is_refused_and_untouched(
    tmp_path: Path, contents: bytes | None, sentence: str, write: bool
) -> None:
    path = tmp_path / "thing.casespan"
    if contents is not None:
        path.write_bytes(contents)
    before = _snapshot(tmp_path)
    with pytest.raises(ProjectError, match=sentence) as caught:
        Project.open(path, write=write)
    assert str(path) in str(caught.value)
    assert _snapshot(tmp_path) == before


def test_a_folder_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="is a folder"):
        Project.open(tmp_path)


def test_another_programs_database_is_not_even_opened(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE photo (name TEXT)")
    connection.commit()
    connection.close()
    before = _snapshot(tmp_path)
    with pytest.raises(ProjectError, match="another program's database"):
        Project.open(path, write=True)
    assert _snapshot(tmp_path) == before


def test_a_damaged_project_is_said_to_be_damaged(project: Project) -> None:
    project.close()
    whole = project.path.read_bytes()
    project.path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(ProjectError, match="the file is damaged"):
        Project.open(project.path)
    with pytest.raises(ProjectError, match="the file is damaged") as first:
        Project.open(project.path, write=True)
    with pytest.raises(ProjectError, match="the file is damaged"):
        Project.open(project.path, write=True)
    assert first.value.exit_code == 1


def test_reading_leaves_no_trace_and_cannot_write(project: Project, tmp_path: Path) -> None:
    project.close()
    before = _snapshot(tmp_path)
    with Project.open(project.path) as reader:
        assert not reader.writable
        assert documents(reader) == []
        with pytest.raises(ProjectError, match="open for reading"), begin_act(reader, "add", "Ann"):
            pass
        with pytest.raises(StorageError):
            reader.query("DELETE FROM annotator RETURNING uuid")
    assert _snapshot(tmp_path) == before


def test_a_second_writer_is_refused_until_the_first_closes(project: Project) -> None:
    with pytest.raises(ProjectBusyError, match="another program"):
        Project.open(project.path, write=True)
    project.close()
    Project.open(project.path, write=True).close()


def test_a_second_process_cannot_write_but_can_read(
    project: Project, report: Callable[..., Document]
) -> None:
    code = """
import sys
from pathlib import Path
from app.store.reports.documents import documents
from app.store.project import Project
from extractors.model.errors import ProjectBusyError
with Project.open(Path(sys.argv[1])) as project:
    print(len(documents(project)))
try:
    Project.open(Path(sys.argv[1]), write=True)
except ProjectBusyError as error:
    print("busy", error.exit_code)
"""
    with begin_act(project, "add", "Ann") as act:
        add_document(act, report(), "one.xml", "0" * 64)
    with begin_act(project, "add more", "Ann") as act:
        add_document(act, report("Another text."), "two.xml", "1" * 64)
        done = _run(code, project.path)
    assert done.stdout.split() == ["1", "busy", "1"], done.stderr


def test_a_reader_sees_one_moment_while_a_writer_goes_on(
    project: Project, report: Callable[..., Document]
) -> None:
    with Project.open(project.path) as reader:
        with reader.snapshot():
            assert documents(reader) == []
            with begin_act(project, "add", "Ann") as act:
                add_document(act, report(), "one.xml", "0" * 64)
            assert documents(reader) == []
        assert len(documents(reader)) == 1


def test_a_lock_held_by_some_other_program_is_said_to_be_busy(project: Project) -> None:
    other = sqlite3.connect(project.path)
    other.execute("BEGIN IMMEDIATE")
    project.db.execute("PRAGMA busy_timeout = 100")
    entered = False
    try:
        with pytest.raises(ProjectBusyError), begin_act(project, "add", "Ann"):
            entered = True
    finally:
        other.close()
    assert not entered, "the user's work began although it could not be saved"
    with begin_act(project, "add", "Ann") as act:
        ensure_annotator(act, "Ben", "person")
    assert len(annotators(project)) == 2


def test_an_act_that_raises_leaves_nothing(
    project: Project, report: Callable[..., Document], tables: Callable[[Project], object]
) -> None:
    before = tables(project), history(project)

    def fail() -> None:
        with begin_act(project, "add", "Ann") as act:
            add_document(act, report(), "one.xml", "0" * 64)
            act.project.scheme.category("Teeth")

    with pytest.raises(UnknownNameError):
        fail()
    assert (tables(project), history(project)) == before


def test_an_act_that_changes_nothing_is_not_in_the_history(project: Project) -> None:
    before = history(project)
    with begin_act(project, "add", "Ann") as act:
        holder = ensure_annotator(act, "Ann", "person")
        act.update("annotator", holder.uuid, {"name": "Ann"})
    assert history(project) == before


def test_acts_do_not_nest(project: Project) -> None:
    with begin_act(project, "one", "Ann"), pytest.raises(RuntimeError), begin_act(project, "two", "Ann"):
        pass


def test_a_process_killed_inside_an_act_leaves_the_project_as_before(
    project: Project, report: Callable[..., Document], tables: Callable[[Project], object]
) -> None:
    with begin_act(project, "add", "Ann") as act:
        add_document(act, report(), "one.xml", "0" * 64)
    before = tables(project), history(project)
    project.close()
    code = """
import os, sys
from pathlib import Path
from app.store.act import begin_act
from app.store.reports.documents import add_document
from app.store.project import Project
from extractors.model.document import Document
project = Project.open(Path(sys.argv[1]), write=True)
project.db.execute("PRAGMA cache_size = 100")  # so little that the log is written to before the end
with begin_act(project, "add", "Ann") as act:
    for number in range(300):
        add_document(act, Document("T", f"{number} " + "word " * 2000, ()), f"{number}.txt", "0" * 64)
    act.write_history()
    os._exit(9)
"""
    done = _run(code, project.path)
    assert done.returncode == 9, done.stderr
    assert project.path.with_name(project.path.name + "-wal").stat().st_size > 0
    with Project.open(project.path, write=True) as again:
        assert (tables(again), history(again)) == before
        with begin_act(again, "add", "Ann") as act:
            add_document(act, report("More."), "two.xml", "0" * 64)


def test_a_full_disk_leaves_the_project_as_it_was(
    project: Project, report: Callable[..., Document], tables: Callable[[Project], object]
) -> None:
    with begin_act(project, "add", "Ann") as act:
        add_document(act, report(), "one.xml", "0" * 64)
    before = tables(project), history(project)
    pages = project.query("PRAGMA page_count")[0]["page_count"]
    project.db.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StorageError, match="the disk is full"), begin_act(project, "add", "Ann") as act:
        add_document(act, report("word " * 20_000), "two.xml", "0" * 64)
    assert (tables(project), history(project)) == before
    project.db.execute("PRAGMA max_page_count = 1000000")
    with begin_act(project, "add", "Ann") as act:
        add_document(act, report("word " * 20_000), "two.xml", "0" * 64)
    assert len(documents(project)) == 2


def test_a_full_disk_is_called_full_where_sqlite_says_only_that_there_was_an_error_and_is_read_from(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.close()
    monkeypatch.setattr(shutil, "disk_usage", lambda _where: SimpleNamespace(free=8192))
    project.path.with_name(f"{project.path.name}-wal").touch()
    with Project.open(project.path) as reader:
        assert documents(reader) == []
        error = sqlite3.OperationalError("disk I/O error")
        assert "the disk" in str(meaning(error, project.path))  # SQLCipher's copying gives no code
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        assert "the disk is full (make room" in str(meaning(error, project.path))
    assert not project.path.with_name(f"{project.path.name}-shm").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are POSIX")
def test_a_disk_that_fills_up_during_the_write_leaves_the_project_as_it_was(
    project: Project, tables: Callable[[Project], object]
) -> None:
    before = tables(project), history(project)
    project.close()
    code = """
import resource, signal, sys
from pathlib import Path
from app.store.act import begin_act
from app.store.reports.documents import add_document, documents
from app.store.project import Project
from extractors.model.document import Document
from extractors.model.errors import StorageError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
project = Project.open(Path(sys.argv[1]), write=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
try:
    with begin_act(project, "add", "Ann") as act:
        for number in range(300):
            add_document(act, Document("T", f"{number} " + "word " * 2000, ()), f"{number}.txt", "0" * 64)
except StorageError as error:
    print("refused", len(documents(project)))
"""
    done = _run(code, project.path)
    assert done.stdout.split() == ["refused", "0"], done.stderr
    with Project.open(project.path) as again:
        assert (tables(again), history(again)) == before


def test_half_a_character_is_refused_in_a_sentence(project: Project) -> None:
    with pytest.raises(ProjectError, match=r"U\+D800"), begin_act(project, "add", "Ann") as act:
        ensure_annotator(act, "\ud800", "person")


def test_the_store_starts_without_the_number_libraries() -> None:
    code = """
import sys
import app.store.project, app.store.check, app.store.history
import app.store.extract.runs, app.store.reconcile.decisions
print(*sorted({"numpy", "pandas", "spacy", "filelock", "asyncio"} & set(sys.modules)))
import numpy
print(numpy.__name__)
"""
    done = _run(code)
    assert done.stdout.splitlines() == ["", "numpy"], done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.parametrize("closed", ["folder", "file"])
def test_a_project_that_may_not_be_written_can_be_read(project: Project, tmp_path: Path, closed: str) -> None:
    project.close()
    locked = tmp_path if closed == "folder" else project.path
    before = _snapshot(tmp_path)
    locked.chmod(0o500)
    try:
        with Project.open(project.path) as reader:
            assert reader.scheme.ids
        assert _snapshot(tmp_path) == before
        with pytest.raises(StorageError):
            Project.open(project.path, write=True)
    finally:
        locked.chmod(0o700)


def test_what_was_written_in_haste_outlives_the_program(project: Project) -> None:
    project.hasten()
    with begin_act(project, "add", "Ann") as act:
        ensure_annotator(act, "Ben", "person")
    # As the file and its log are when the program is killed.
    names = f"{project.path.name}", f"{project.path.name}-wal"
    kept = {name: (project.path.parent / name).read_bytes() for name in names}
    project.close()
    for name, content in kept.items():
        (project.path.parent / name).write_bytes(content)
    with Project.open(project.path) as reader:
        assert {known.name for known in annotators(reader)} == {"Ann", "Ben"}

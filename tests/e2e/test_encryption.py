"""Projects that nobody opens without their passphrase, and no text of theirs elsewhere on the disk."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest

import casespan as notebook
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.project.backups import keep_backup
from app.operations.project.encryption import lock, unlock
from app.store import database, keys, sqlite
from app.store.chain import read_chain
from app.store.check import check
from app.store.copies import backups
from app.store.copies.backups import backups_of
from app.store.keys import ENCRYPTED
from app.store.project import Project
from app.store.reports.documents import documents
from extractors.model.errors import LockedProjectError
from tests.builders import Kept
from tests.e2e.conftest import Casespan, write_two_reports
from tests.older_files import as_written

# A blank at the end is part of it.
PASSPHRASE, OTHER = "vier Wörter über Nacht ", "correct horse battery"


@pytest.fixture(autouse=True)
def quick_keys(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A quarter of a million rounds at each call would take a fifth of a second each."""
    if "as_others_have_it" not in request.node.name:
        monkeypatch.setattr(keys, "_ROUNDS", 1000)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """The files of passphrases stand outside the folder that is looked through."""
    (tmp_path / "other.txt").write_text(f"{OTHER}\n", encoding="utf-8")
    file = tmp_path / "secret.txt"
    file.write_text(f"{PASSPHRASE}\n", encoding="utf-8")
    return file


@pytest.fixture
def project(few: Path, tmp_path: Path) -> Path:
    """The study in a folder of its own, with a copy kept beside it."""
    (tmp_path / "work").mkdir()
    keep_backup(few.rename(tmp_path / "work" / few.name).parent / few.name, "asked")
    return tmp_path / "work" / few.name


@pytest.fixture
def small(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(write_two_reports, tmp_path / "small.casespan")


def words_of(path: Path) -> list[bytes]:
    """A stretch of every report."""
    with Project.open(path) as opened:
        return [one.document.text[200:230].encode() for one in documents(opened)]


def plain_files(folder: Path, words: list[bytes]) -> list[str]:
    """The files below a folder in which anything of these reports can be read."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    return [file.name for file in files if any(one in file.read_bytes() for one in words)]


def test_nothing_of_an_encrypted_project_can_be_read_by_anything_without_the_passphrase(
    casespan: Casespan, project: Path, secret: Path, tmp_path: Path
) -> None:
    words = words_of(project)
    given = ("--passphrase-file", secret)
    assert len(plain_files(project.parent, words)) == 2
    said = casespan("encrypt", project, *given)
    assert said.code == 0
    assert "who forgets it has lost them" in said.out
    assert "1 copy beside it" in said.out
    assert casespan("packet", project, project.parent / "packets", "--to", "Ben", *given).code == 0
    assert casespan("backup", project, project.parent / "copy.casespan", *given).code == 0
    with closing(sqlite3.connect(project)) as db, pytest.raises(sqlite3.DatabaseError):
        db.execute("SELECT * FROM document")
    unlock(project, PASSPHRASE)
    try:
        with Project.open(project, write=True) as opened:
            key = documents(opened)[0].key
            add_span(opened, "Ann", SpanPlace(key, 0, 9), "Neuro", note="a note nobody else reads")
            assert keep_backup(opened, "opened")
            assert (project.parent / f"{project.name}-wal").stat().st_size
            assert plain_files(project.parent, [*words, b"a note nobody else reads"]) == []
    finally:
        lock()
    assert plain_files(project.parent, [*words, b"a note nobody else reads"]) == []
    for call in (("list", project), ("check", project), ("undo", project), ("restore", project, project)):
        refused = casespan(*call)
        assert refused.code == 2
        assert refused.out == ""
        assert refused.err.count("\n") == 1
        assert "is encrypted" in refused.err
    wrong = casespan("check", project, "--passphrase-file", tmp_path / "other.txt")
    assert wrong.code == 2
    assert "does not open with this passphrase" in wrong.err
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b"\r\n" + (tmp_path / "other.txt").read_bytes())
    assert "There is no passphrase in" in casespan("check", project, "--passphrase-file", empty).err


def test_with_the_passphrase_everything_is_as_with_a_plain_project(
    casespan: Casespan, project: Path, secret: Path, tmp_path: Path
) -> None:
    given = ("--passphrase-file", secret)
    with Project.open(project) as opened:
        head = read_chain(opened.db)
    casespan("encrypt", project, *given)
    # As some editors save it again.
    secret.write_text(f"{PASSPHRASE}\r\n", encoding="utf-8-sig")
    assert casespan("check", project, *given).code == 0
    assert casespan("search", project, "weakness", *given).out
    packets = project.parent / "packets"
    assert casespan("packet", project, packets, "--to", "Ben", *given).code == 0
    packet = next(packets.rglob("*.casespan"))
    assert packet.read_bytes().startswith(ENCRYPTED)
    assert casespan("merge", project, packet, *given).code == 0
    copy = backups_of(project)[-1].path
    assert casespan("restore", project, copy, *given).code == 0
    assert project.read_bytes().startswith(ENCRYPTED)
    with notebook.open(project, passphrase=PASSPHRASE) as opened_:
        assert "Neuro" in opened_.categories
    changed = casespan("encrypt", project, *given, "--new-passphrase-file", tmp_path / "other.txt")
    assert changed.code == 0
    assert casespan("list", project, *given).code == 2
    assert casespan("decrypt", project, "--passphrase-file", tmp_path / "other.txt").code == 0
    assert check(project) == []
    with Project.open(project) as opened:
        assert read_chain(opened.db) == head
    assert casespan("decrypt", project).code == 2


def test_whoever_is_killed_leaves_nothing_plain_beside_an_encrypted_project(
    casespan: Casespan, project: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, given = words_of(project), ("--passphrase-file", secret)
    replaced: list[str] = []
    rename = os.replace

    def killed_after(count: int, command: str = "decrypt") -> None:
        def replace(draft: Path, path: Path) -> None:
            if len(replaced) == count:
                raise KeyboardInterrupt
            rename(draft, path)
            replaced.append(path.name)

        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", replace)
            # Whoever is killed tidies nothing up.
            patch.setattr(database, "remove", lambda _: None)
            assert casespan(command, project, *given).code == 130

    killed_after(1, "encrypt")
    assert plain_files(project.parent, words) == [project.name]
    assert casespan("encrypt", project, *given).code == 0
    replaced.clear()
    killed_after(0)
    assert len(plain_files(project.parent, words)) == 1
    assert casespan("undo", project, *given).code == 0
    assert plain_files(project.parent, words) == []
    killed_after(1)
    assert project.name in replaced
    assert len(plain_files(project.parent, words)) == 2
    assert casespan("decrypt", project, *given).code == 0
    assert len(plain_files(project.parent, words)) == 2
    assert not project.with_name(f".{project.name}.recoded").exists()


def test_a_new_project_may_be_encrypted_from_its_first_byte_on_and_no_export_takes_its_place(
    casespan: Casespan, secret: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.casespan"
    assert casespan("new", new, "--passphrase-file", secret).code == 0
    assert new.read_bytes().startswith(ENCRYPTED)
    refused = casespan("export", new, new, "--format", "crb", "--passphrase-file", secret)
    assert refused.code == 2
    assert new.read_bytes().startswith(ENCRYPTED)


def test_what_is_rescued_of_an_encrypted_project_is_encrypted_too(
    casespan: Casespan, small: Path, secret: Path, tmp_path: Path
) -> None:
    given = ("--passphrase-file", secret)
    casespan("encrypt", small, *given)
    rescued = tmp_path / "rescued.casespan"
    raw = bytearray(small.read_bytes())
    raw[40 * 4096 + 9] ^= 1
    (tmp_path / "damaged.casespan").write_bytes(raw)
    refused = casespan("rescue", tmp_path / "damaged.casespan", rescued)
    assert (refused.code, ".rescue-" in refused.err) == (2, False)
    assert casespan("rescue", tmp_path / "damaged.casespan", rescued, *given).code in (0, 1)
    assert rescued.read_bytes().startswith(ENCRYPTED)
    assert casespan("check", rescued, *given).code == 0
    assert not list(tmp_path.glob("rescued.*.jsonl"))


def test_an_encrypted_file_that_lost_its_end_is_rescued(
    casespan: Casespan, small: Path, secret: Path, tmp_path: Path
) -> None:
    given, rescued = ("--passphrase-file", secret), tmp_path / "rescued.casespan"
    casespan("encrypt", small, *given)
    small.write_bytes(small.read_bytes()[: -20 * 4096])
    assert casespan("rescue", small, rescued, *given).code in (0, 1)
    assert casespan("check", rescued, *given).code == 0


def test_a_damaged_first_page_is_told_from_a_wrong_passphrase(
    casespan: Casespan, small: Path, secret: Path
) -> None:
    casespan("encrypt", small, "--passphrase-file", secret)
    raw = bytearray(small.read_bytes())
    raw[100] ^= 1
    small.write_bytes(raw)
    said = casespan("check", small, "--passphrase-file", secret)
    assert said.code == 1
    assert "damaged" in said.out + said.err
    small.write_bytes(ENCRYPTED + b"no more than that")
    said = casespan("list", small, "--passphrase-file", secret)
    assert said.code == 2
    assert said.err.count("\n") == 1


def test_nothing_is_decrypted_where_a_copy_beside_it_has_another_passphrase(
    casespan: Casespan, project: Path, small: Path, secret: Path
) -> None:
    given = ("--passphrase-file", secret)
    assert casespan("encrypt", project, *given).code == 0
    backups.recode(small, keys.new_key(OTHER))
    lock()
    small.replace(backups_of(project)[0].path)
    refused = casespan("decrypt", project, *given)
    assert (refused.code, "does not open with this passphrase" in refused.err) == (2, True)
    assert project.read_bytes().startswith(ENCRYPTED)


def test_an_encrypted_file_of_an_older_version_is_brought_up_and_its_copy_is_encrypted(small: Path) -> None:
    as_written(4, small)
    key = keys.new_key(PASSPHRASE)
    try:
        backups._recode_file(small, key, small.with_name("draft"))
        with Project.open(small, unchanged=True) as opened:
            assert len(documents(opened)) == 1
        Project.open(small, write=True).close()
        copy = small.with_name(f"{small.name}.v4.bak")
        assert copy.read_bytes().startswith(ENCRYPTED)
        assert copy in backups.copies_of(small)
    finally:
        lock()


def test_the_file_opens_by_its_passphrase_in_any_sqlcipher_as_others_have_it(small: Path) -> None:
    from sqlcipher3 import dbapi2

    backups.recode(small, keys.new_key(OTHER))
    lock()
    with closing(dbapi2.connect(str(small))) as db:
        db.execute(f"PRAGMA key = '{OTHER}'")
        assert db.execute("SELECT count(*) FROM document").fetchone() == (2,)


def test_without_the_driver_one_sentence_says_what_is_missing_and_plain_projects_work(
    casespan: Casespan, small: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlcipher3", None)
    sqlite._sqlcipher.cache_clear()
    before = small.read_bytes()
    said = casespan("encrypt", small, "--passphrase-file", secret)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "sqlcipher3" in said.err
    assert small.read_bytes() == before
    assert json.loads(casespan("list", small, "--json").out)


def test_the_key_stands_in_no_message_and_is_forgotten(small: Path) -> None:
    key = keys.new_key(PASSPHRASE)
    backups.recode(small, key)
    assert key.secret.hex() not in repr(key)
    assert "secret" not in repr(key)
    lock()
    with pytest.raises(LockedProjectError):
        Project.open(small)
    with pytest.raises(LockedProjectError):
        unlock(small, OTHER)
    unlock(small, PASSPHRASE)
    Project.open(small).close()
    lock()


def test_commands_find_the_passphrase_in_the_keyring_where_there_is_one(
    casespan: Casespan, small: Path, secret: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    casespan("encrypt", small, "--passphrase-file", secret)
    kept = {("casespan", str(small.resolve())): PASSPHRASE}
    (tmp_path / "keyring.py").write_text(
        "class errors:\n    class KeyringError(Exception): ...\n"
        f"get_password = lambda *asked: {kept}.get(asked)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "keyring", raising=False)
    assert casespan("check", small).code == 0
    copy = Path(copyfile(small, tmp_path / "copy.casespan"))
    assert casespan("check", copy).code == 2, "kept for another path, and the key is forgotten"
    monkeypatch.delitem(sys.modules, "keyring")

"""Copies of a project, going back to one, and what can be read of a damaged one."""

from __future__ import annotations

import json
import os
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.cli import main
from app.operations.project.backups import keep_backup
from app.operations.project.files import list_project
from app.store.chain import chained
from app.store.check import check
from app.store.copies.backups import Backup, backups_of, superseded
from app.store.faults import DamagedProjectError
from app.store.locks import lock_of
from app.store.project import Project
from app.store.values import canonical
from extractors.assets import asset
from tests.builders import Kept, sample_reports
from tests.soak.failing import compiler, failures
from tests.soak.kills import kills, rivals


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(sample_reports, tmp_path / "study.casespan")


def _deleted(project: Path) -> str:
    key = list_project(project).documents[0].key
    assert main(["delete", str(project), key]) == 0
    return key


def test_a_project_goes_back_to_a_copy_and_what_was_there_is_kept(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["restore", str(project)]) == 0
    assert "No copies are kept" in capsys.readouterr().out
    kept = keep_backup(project, "opened")
    assert kept is not None
    assert keep_backup(project, "opened") is None, "nothing was changed since"
    assert main(["restore", str(project), "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert (listed["reason"], listed["file"]) == ("opened", str(kept))
    assert main(["restore", str(project)]) == 0
    assert capsys.readouterr().out.splitlines()[1].split("  ") == [*listed.values()]
    key = _deleted(project)
    capsys.readouterr()
    assert main(["restore", str(project), str(kept), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert key in {one.key for one in list_project(project).documents}
    assert key not in {one.key for one in list_project(Path(said["kept"])).documents}
    assert check(project) == []
    assert {one.reason for one in backups_of(project)} == {"opened", "restore"}
    (elsewhere := tmp_path / "elsewhere").mkdir()
    _deleted(project)
    capsys.readouterr()
    assert main(["restore", str(project), str(kept), "--folder", str(elsewhere), "--json"]) == 0
    assert Path(json.loads(capsys.readouterr().out)["kept"]).parent == elsewhere
    for one in (kept, lock_of(project)):
        assert os.name != "posix" or one.stat().st_mode & 0o077 == 0


def test_while_a_copy_takes_its_place_a_project_is_never_away(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, there, real = tmp_path / "copy.casespan", [], os.open
    assert main(["backup", str(project), str(copy)]) == 0

    def watched(path: str, flags: int, mode: int = 0o777) -> int:
        there.append(project.exists())
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", watched)
    assert main(["restore", str(project), str(copy)]) == 0
    assert len(there) > 1
    assert all(there)


def test_neither_a_damaged_copy_nor_the_project_itself_is_gone_back_to(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.casespan"
    assert main(["backup", str(project), str(copy)]) == 0
    with closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE document SET title = 'another'")
    before = project.read_bytes()
    for given, code, why in ((copy, 1, "is not whole"), (project, 2, "is the project itself")):
        assert main(["restore", str(project), str(given)]) == code
        assert why in capsys.readouterr().err
    assert project.read_bytes() == before


def test_fewer_copies_are_kept_the_older_they_are() -> None:
    now = datetime(2026, 6, 15, 12, tzinfo=UTC)
    ages = [timedelta(hours=hours) for hours in range(0, 24 * 400, 6)]
    copies = [Backup(Path(str(age)), now - age, "opened", "") for age in ages]
    gone = set(superseded(copies, now))
    left = [one.made for one in copies if one not in gone]
    assert left == sorted(left, reverse=True)
    assert [made for made in left if now - made <= timedelta(days=1)] == [one.made for one in copies[:5]]
    for after, until, period in ((1, 14, "%Y-%m-%d"), (14, 70, "%G-W%V"), (70, 400, "%Y-%m")):
        made = [one.made for one in copies if timedelta(after) < now - one.made <= timedelta(until)]
        last = {one.strftime(period): one for one in sorted(made)}
        assert sorted(last.values()) == sorted(one for one in left if one in made)


def test_a_clock_that_leaps_takes_no_copies_away_and_makes_none_twice(project: Path) -> None:
    now = datetime(2026, 6, 15, 12, tzinfo=UTC)
    copies = [Backup(Path(str(hour)), now - timedelta(hours=hour), "opened", "") for hour in range(9)]
    assert set(superseded(copies, now + timedelta(days=4000))) == set(copies[6:])
    first = keep_backup(project, "opened")
    assert first
    first.rename(first.with_name(f"{project.stem}.20991231T000000Z.opened.{'0' * 12}.casespan"))
    assert keep_backup(project, "opened")
    assert keep_backup(project, "opened") is None


def _pages_lost(raw: bytearray) -> None:
    for page in range(len(raw) // 4096 - 40, len(raw) // 4096 - 10):
        raw[page * 4096 : (page + 1) * 4096] = bytes(4096)


def _head_lost(raw: bytearray) -> None:
    raw[:100] = bytes(100)


def _end_lost(raw: bytearray) -> None:
    del raw[-40 * 4096 :]


def _page_leads_back(raw: bytearray) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        # In memory there is no log, which these two bytes ask for.
        db.deserialize(bytes(raw[:18] + b"\1\1" + raw[20:]))
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'history'").fetchone()
    page = (root - 1) * 4096
    first, second = struct.unpack_from(">HH", raw, page + 12)
    raw[page + second : page + second + 4] = raw[page + first : page + first + 4]


@pytest.mark.parametrize("damage", [_pages_lost, _head_lost, _end_lost, _page_leads_back])
def test_of_a_damaged_project_is_saved_what_can_be_read(
    project: Path, tmp_path: Path, damage: Callable[[bytearray], None], capsys: pytest.CaptureFixture[str]
) -> None:
    raw = bytearray(project.read_bytes())
    damage(raw)
    broken, out = tmp_path / "broken.casespan", tmp_path / "rescued.casespan"
    broken.write_bytes(raw)
    code = main(["rescue", str(broken), str(out), "--json"])
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert code == int(any(one["lost"] for one in tables.values()))
    assert check(out) == []
    reports = list_project(out).documents
    assert len(reports) == tables["document"]["saved"] >= 5
    assert tables["document"]["saved"] + tables["document"]["lost"] >= 10
    with closing(sqlite3.connect(project)) as db:
        rows = db.execute("SELECT count(*) FROM history").fetchone()[0]
    assert tables["history"]["saved"] + tables["history"]["lost"] == rows
    former = (tmp_path / "rescued.history.jsonl").read_text("utf-8").splitlines()
    assert len({*former}) == len(former) > 0, "no row twice: a file of 3 MB gave 20 GB of rows"
    assert broken.read_bytes() == raw


def test_what_is_damaged_is_found_also_where_a_copy_of_it_is_there(project: Path) -> None:
    with Project.open(project, write=True) as opened:
        assert keep_backup(opened, "opened") is not None
    raw = bytearray(project.read_bytes())
    _page_leads_back(raw)
    project.write_bytes(raw)
    with Project.open(project, write=True) as opened, pytest.raises(DamagedProjectError, match="damaged"):
        keep_backup(opened, "opened")


def test_what_copies_brought_is_rescued_too_and_copies_of_before_can_still_be_merged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, out = tmp_path / "p.casespan", tmp_path / "out.casespan"
    copies = [tmp_path / f"{name}.casespan" for name in ("taken", "undone", "late")]
    assert main(["new", str(project)]) == 0
    for number, copy in enumerate(copies):
        assert main(["backup", str(project), str(copy)]) == 0
        note = tmp_path / f"note-{number}.txt"
        note.write_text(f"Case {number}. A man of {40 + number} had a fever.\n")
        assert main(["import", str(copy), str(note)]) == 0
    for command in (["merge", project, copies[0]], ["merge", project, copies[1]], ["undo", project]):
        assert main([*map(str, command)]) == 0
    capsys.readouterr()
    assert main(["rescue", str(project), str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"]["branch"]["saved"] == 2
    assert check(out) == []
    assert main(["merge", str(out), str(copies[2])]) == 0
    assert check(out) == []
    assert len(list_project(out).documents) == 2


def test_a_row_with_a_cell_of_another_type_is_lost_and_kept_beside(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rescued.casespan"
    with closing(sqlite3.connect(project)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = replace(replace(sql, 'STRICT', ''), 'uuid', 'uuie')")
    with closing(sqlite3.connect(project)) as db, db:
        db.execute("UPDATE history SET after = x'00' WHERE seq = (SELECT max(seq) FROM history)")
        db.execute("UPDATE document SET title = x'00' WHERE rowid = 1")
        db.execute("INSERT INTO text VALUES ('f', x'00')")
    assert main(["rescue", str(project), str(out), "--json"]) == 1
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert {name: one["lost"] for name, one in tables.items() if one["lost"]} == {"text": 1, "history": 1}
    assert check(out) == []
    assert len(list_project(out).documents) == 10, "the history has the title"
    assert '"title":"00"' in (tmp_path / "rescued.lost.jsonl").read_text("utf-8")


def test_where_a_damaged_history_and_a_row_differ_the_row_is_named_and_what_is_saved_is_whole(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rescued.casespan"
    with closing(sqlite3.connect(project)) as db, db:
        db.execute("UPDATE document SET title = 'As read' WHERE rowid < 3")
        db.execute(
            "UPDATE section SET categories = replace(categories, 'History', 'Hist/ry') WHERE rowid = 1"
        )
        db.execute("UPDATE section SET path = '[' WHERE rowid = 90")
        title, section, other = (
            db.execute(f"SELECT uuid FROM {table} WHERE rowid = {rowid}").fetchone()[0]
            for table, rowid in (("document", 2), ("section", 1), ("section", 90))
        )
        db.execute("UPDATE history SET at = '' WHERE row IN (?, ?, ?)", [title, section, other])
        db.execute("INSERT INTO prompt SELECT 'p', sha256, '[', '{', '[' FROM text LIMIT 1")
        db.execute(
            "INSERT INTO branch_row SELECT 'b', 1, act, step, name, kind, target, undoable, who, at, verb, "
            "'branch', row, before, '{', hash FROM history WHERE seq = 1"
        )
    assert main(["rescue", str(project), str(out), "--json"]) == 1
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert {uuid for one in tables.values() for uuid in one["in_doubt"]} == {title, section, other}
    assert check(out) == []
    titles = [one.title for one in list_project(out).documents]
    assert titles.count("As read") == 1, "the history is whole where it speaks of the other"
    beside = (tmp_path / "rescued.lost.jsonl").read_text("utf-8").splitlines()
    assert {title, section, other} <= {json.loads(line).get("uuid") for line in beside}


def test_what_is_no_project_is_not_rescued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.casespan"
    broken.write_bytes(bytes(20_000))
    assert main(["rescue", str(broken), str(tmp_path / "out.casespan")]) == 2
    for command in (
        ["rescue", str(tmp_path / "none"), str(tmp_path / "out")],
        ["restore", str(tmp_path / "none")],
    ):
        assert main(command) == 2
    assert "Nothing can be read" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["broken.casespan"]


def test_what_was_acknowledged_outlives_a_kill_and_the_file_is_whole(project: Path) -> None:
    killed = list(kills(project, asset("resources", "demo", "reports"), 3, seed=7))
    assert [one.fault for one in killed] == ["", "", ""]
    assert sum(one.acknowledged for one in killed) > 10
    assert [one.fault for one in rivals(project, 1, seed=7)] == [""]


def test_a_written_history_is_checked_by_itself(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trail, key, other = tmp_path / "trail.jsonl", tmp_path / "key", tmp_path / "other"
    key.write_text("a secret")
    other.write_text("another")
    assert main(["history", str(project), "--out", str(trail), "--key-file", str(key)]) == 0
    verify = ["history", str(trail), "--verify"]
    assert main([*verify, "--key-file", str(key)]) == 0
    assert main([*verify, "--key-file", str(other)]) == 1
    key.write_text(" a secret\n")
    assert main([*verify, "--key-file", str(key)]) == 0
    lines = trail.read_text(encoding="utf-8").splitlines(keepends=True)
    # Without its seal nobody can say that it is as it was sealed.
    bare = canonical({**json.loads(lines[-1]), "hmac": ""}) + "\n"
    trail.write_text("".join([*lines[:-1], bare]), encoding="utf-8")
    assert [main(verify), main([*verify, "--key-file", str(key)])] == [0, 1]
    # Chained anew by whoever altered it, the last row is not the one at which the history ended.
    row = {**json.loads(lines[-2]), "who": "x"}
    del row["hash"]
    forged = canonical({**row, "hash": chained(json.loads(lines[-3])["hash"], row)}) + "\n"
    for altered in (
        [*lines[:-2], forged, lines[-1]],
        lines[:-1],
        lines[1:],
        [*lines[:3], *lines[4:]],
        [lines[1], lines[0], *lines[2:]],
        [*lines, lines[-1]],
        [*lines[:-1], lines[-1].replace('"rows":', '"rows":1')],
        [lines[0].replace('"who":"', '"who":"x'), *lines[1:]],
    ):
        trail.write_text("".join(altered), encoding="utf-8")
        capsys.readouterr()
        assert main(verify) == 1
    # What follows an altered line goes on from what was written there.
    assert capsys.readouterr().out.count("altered") == 1
    assert main(["history", str(project), "--out", str(trail)]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.skipif(compiler() is None, reason="no C compiler for Linux, by which calls of the system fail")
def test_whatever_call_of_the_system_fails_nothing_acknowledged_is_lost_and_work_goes_on(
    project: Path, tmp_path: Path
) -> None:
    tried = list(failures(project, tmp_path, 12))
    assert len(tried) == 12
    assert [one.fault for one in tried if one.fault] == []
    assert sum(one.acknowledged for one in tried) > 0

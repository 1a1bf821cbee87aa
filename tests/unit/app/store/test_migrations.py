"""Project files of other versions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.store import database
from app.store.act import begin_act
from app.store.annotate.annotators import ensure_annotator
from app.store.chain import replay_faults
from app.store.extract.runs import CallRecord, add_generation, start_run
from app.store.migrations import STEPS, migrate
from app.store.project import Project
from app.store.reports.documents import add_document
from app.store.sqlite import Database
from app.store.values import canonical
from extractors.model.document import Document
from extractors.model.errors import ProjectError


def add_wards(db: Database) -> None:
    """One version more, as a later release might bring it."""
    db.execute("CREATE TABLE ward (uuid TEXT PRIMARY KEY) STRICT")
    db.execute("ALTER TABLE annotator ADD COLUMN ward TEXT NOT NULL DEFAULT 'none'")


def break_half_way(db: Database) -> None:
    """A migration with a fault in its second half."""
    db.execute("CREATE TABLE half (uuid TEXT PRIMARY KEY) STRICT")
    db.execute("INSERT INTO nowhere VALUES (1)")


NEXT = (*STEPS, add_wards)
NOW = len(STEPS)


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _migration_names(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]


def test_an_older_project_is_copied_and_then_migrated(project: Project) -> None:
    project.close()
    database.open_for_writing(project.path, NEXT).close()
    assert _version(project.path) == NOW + 1
    assert _migration_names(project.path) == [*(step.__name__ for step in STEPS), "add_wards"]
    copy = project.path.with_name(f"study.casespan.v{NOW}.bak")
    assert _version(copy) == NOW
    with Project.open(copy) as old:
        assert old.scheme == project.scheme


def test_an_older_project_that_is_to_stay_unchanged_is_migrated_in_memory(project: Project) -> None:
    project.close()
    before = project.path.read_bytes(), sorted(project.path.parent.iterdir())
    with closing(database.open_unchanged(project.path, NEXT)) as db:
        assert db.table("ward").exists()
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("DELETE FROM ward")
    assert (project.path.read_bytes(), sorted(project.path.parent.iterdir())) == before


def test_an_earlier_copy_is_never_replaced(project: Project) -> None:
    project.close()
    copy = project.path.with_name(f"study.casespan.v{NOW}.bak")
    copy.write_text("precious", encoding="utf-8")
    database.open_for_writing(project.path, NEXT).close()
    assert copy.read_text(encoding="utf-8") == "precious"
    assert _version(project.path.with_name(f"study.casespan.v{NOW}-2.bak")) == NOW


def test_a_migration_that_fails_leaves_no_trace(project: Project) -> None:
    project.close()
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        database.open_for_writing(project.path, (*STEPS, break_half_way))
    assert _version(project.path) == NOW
    assert _migration_names(project.path) == [step.__name__ for step in STEPS]
    with Project.open(project.path, write=True) as again:
        assert not again.query("SELECT name FROM sqlite_schema WHERE name = 'half'")


def test_earlier_migrations_stand_when_a_later_one_fails(project: Project) -> None:
    project.close()
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        database.open_for_writing(project.path, (*NEXT, break_half_way))
    assert _version(project.path) == NOW + 1


def test_answers_of_version_1_are_all_of_one_part(tmp_path: Path) -> None:
    db = Database(tmp_path / "old.db")
    migrate(db, STEPS[:1])
    answer = {"uuid": "g", "run": "r", "document": "d", "category": "GI", "position": 4}
    asked = {"prompt_sha256": "f" * 64, "reply_sha256": None, "tokens_in": 900, "tokens_out": None}
    told = {"started_at": "2026-01-01T00:00:00Z", "finished_at": None, "seconds": 1.5}
    ended = {"done_reason": "length", "error": "", "state": "done"}
    db.table("generation").insert({**answer, **asked, **told, **ended})
    migrate(db)
    assert list(db.table("generation").rows) == [
        {"uuid": "g", "run": "r", "subject": "d", "question": "GI", "position": 4, "again": "", "reused": ""}
        | {"part": 0, "parts": 1, **asked, **told, **ended, "details": "{}"}
    ]
    db.close()


def test_projects_of_version_2_have_nobody_who_looked(tmp_path: Path) -> None:
    db = Database(tmp_path / "old.db")
    migrate(db, STEPS[:2])
    annotator = {"uuid": "a", "name": "Ann", "kind": "person", "created_at": "2026-01-01T00:00:00Z"}
    db.table("annotator").insert(annotator)
    migrate(db)
    assert list(db.table("annotator").rows) == [annotator]
    assert list(db.table("disclosure").rows) == []
    db.close()


def test_annotations_of_version_7_are_of_the_layer_of_categories(tmp_path: Path) -> None:
    db = Database(tmp_path / "old.db")
    migrate(db, STEPS[:7])
    told = {"uuid": "a", "document": "d", "annotator": "p", "category": "GI", "rank": 0, "field": ""}
    said = {"quote": "fits", "polarity": "present", "origin": "human", "grounding": "ungrounded"}
    empty = dict.fromkeys(("reason", "note", "source"), "")
    db.table("annotation").insert(
        {**told, **said, **empty, "places": "[]", "candidate": "[]", "created_at": "2026-01-01T00:00:00Z"}
    )
    migrate(db)
    assert [(row["category"], row["layer"]) for row in db.table("annotation").rows] == [("GI", "category")]
    assert list(db.table("concept").rows) == []
    db.close()


def test_a_current_project_is_not_copied(project: Project, tmp_path: Path) -> None:
    project.close()
    Project.open(project.path, write=True).close()
    assert list(tmp_path.glob("*.bak")) == []


@pytest.mark.parametrize("write", [False, True])
def test_a_newer_project_is_refused_in_a_sentence_and_untouched(project: Project, write: bool) -> None:
    project.close()
    database.open_for_writing(project.path, NEXT).close()
    before = project.path.read_bytes()
    with pytest.raises(ProjectError, match="newer Casespan"):
        Project.open(project.path, write=write)
    assert project.path.read_bytes() == before


def test_reading_an_older_project_asks_for_its_migration(project: Project) -> None:
    project.close()
    assert database.open_for_reading(project.path, NEXT) is None
    assert _version(project.path) == NOW


def test_calls_of_version_4_keep_subject_and_question_and_their_history(
    project: Project, report: Callable[..., Document]
) -> None:
    with begin_act(project, "add", "Ann") as act:
        subject = add_document(act, report(pmcid="12"), "one.xml", "0" * 64).uuid
        run = start_run(act, ensure_annotator(act, "m/ucp", "run").uuid, "model", "m/ucp", {}, "1").uuid
        add_generation(act, run, CallRecord(subject, "GI", "f" * 64, "{}", act.at))
    old_names = {"subject": "document", "question": "category"}
    for row in project.query("SELECT seq, after FROM history WHERE table_name = 'generation'"):
        after = {old_names.get(name, name): value for name, value in json.loads(row["after"]).items()}
        del after["again"], after["reused"]
        faults = list(replay_faults(project.db))
        project.db.table("history").update(row["seq"], {"after": canonical(after)})
        assert list(replay_faults(project.db)) == faults == []
    project.db.execute("UPDATE generation SET question = 'Neuro'")
    assert [where.split()[0] for where, _ in replay_faults(project.db)] == ["generation"]

"""What was changed behind the program's back is found."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations, read_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.disclosures import add_disclosure
from app.store.annotate.reviews import reviews, set_review
from app.store.check import Problem, check, span_fault
from app.store.copies.rescue import rescue
from app.store.faults import DamagedProjectError
from app.store.history import undo
from app.store.project import Project
from app.store.reports.documents import add_document
from app.store.study.items import add_items
from extractors.model.document import Document
from extractors.model.errors import ProjectError
from extractors.model.finding import Finding
from tests.builders import Kept
from tests.older_files import as_written
from tests.soak.edits import edits
from tests.unit.app.store.conftest import write_empty

Tamper = Callable[..., None]


@pytest.fixture
def path(kept: Kept, tmp_path: Path, report: Callable[..., Document]) -> Path:
    """A closed project with a report, annotations, a review, an undone act and a few acts more."""

    def build(to: Path) -> None:
        write_empty(to)
        with Project.open(to, write=True) as project:
            work(project, report(pmcid="12"))

    return kept.copy(build, tmp_path / "study.casespan")


def work(project: Project, report: Document) -> None:
    with begin_act(project, "add", "Ann") as act:
        stored = add_document(act, report, "one.xml", "0" * 64)
    start = stored.document.text.index("headache")
    ann = annotator(project, "Ann").uuid
    with begin_act(project, "annotate", "Ann") as act:
        findings = [
            Finding("Neuro", "headache", start, start + 8),
            Finding("GI", "vomiting", None, None, grounding="ungrounded", reason="not there"),
        ]
        add_annotations(act, stored.uuid, ann, findings, "human")
    with begin_act(project, "review", "Ann") as act:
        set_review(act, stored.uuid, ann, state="done", looked_at=["GI"])
    with begin_act(project, "show", "Ann", undoable=False) as act:
        add_disclosure(act, stored.uuid, "Ann", ann, "done")
    for name in ("Ben", "Cy"):
        with begin_act(project, f"add {name}", "Ann") as act:
            ensure_annotator(act, name, "person")
    undo(project, "Ann")


def _kinds(problems: list[Problem]) -> set[str]:
    return {problem.kind for problem in problems}


def test_an_untouched_project_is_whole(path: Path) -> None:
    assert check(path) == []


def test_checking_changes_nothing(path: Path) -> None:
    before = path.read_bytes()
    check(path)
    assert path.read_bytes() == before


def test_a_project_can_be_checked_while_somebody_writes(path: Path) -> None:
    with Project.open(path, write=True) as project, begin_act(project, "add", "Ann") as act:
        ensure_annotator(act, "Dee", "person")
        assert check(path) == []


@pytest.mark.parametrize(
    ("statement", "kind", "told"),
    [
        (
            "UPDATE annotation SET polarity = 'negated' WHERE category = 'Neuro'",
            "history",
            "polarity changed",
        ),
        (
            "UPDATE annotation SET quote = 'migraine' WHERE category = 'Neuro'",
            "annotation",
            "its quote is not",
        ),
        (
            "UPDATE annotation SET span_start = 9, span_end = 17 WHERE category = 'Neuro'",
            "annotation",
            "at its place",
        ),
        ("UPDATE annotation SET span_end = 9999 WHERE category = 'Neuro'", "annotation", "outside the text"),
        (
            "UPDATE annotation SET context_left = 'no ' WHERE category = 'Neuro'",
            "annotation",
            "around its place",
        ),
        ("UPDATE annotation SET category = 'Teeth' WHERE category = 'GI'", "scheme", "'Teeth'"),
        ("UPDATE review SET looked_at = '[\"Teeth\"]'", "scheme", "a row of review speaks of 'Teeth'"),
        (
            "INSERT INTO decision SELECT 'u', document, 'GI', annotator, annotator, 0, 'left', '', '', "
            "'', NULL, '', '[{\"category\": \"Teeth\"}]', '', '', '', NULL FROM review",
            "scheme",
            "a row of decision speaks of 'Teeth'",
        ),
        (
            "INSERT INTO decision SELECT 'u', document, 'Teeth', annotator, annotator, 0, 'left', '', '', "
            "'', NULL, '', '[]', '', '', '', NULL FROM review",
            "scheme",
            "a row of decision speaks of 'Teeth'",
        ),
        (
            "INSERT INTO region SELECT 'u', document, annotator, 'f1', 'p', 0, 0, 1, 1, 'Teeth', '', '', "
            "NULL, '' FROM review",
            "scheme",
            "a row of region speaks of 'Teeth'",
        ),
        ("DELETE FROM annotation WHERE category = 'GI'", "history", "removed outside"),
        ("DELETE FROM disclosure", "history", "removed outside"),
        ("UPDATE disclosure SET annotator = 'Ben'", "history", "annotator changed"),
        (
            "INSERT INTO annotator VALUES ('u', 'Eve', 'person', '2026-01-01T00:00:00Z')",
            "history",
            "added outside",
        ),
        (
            "UPDATE text SET text = replace(text, 'headache', 'heartburn') WHERE text LIKE 'Case%'",
            "text",
            "changed",
        ),
        ("UPDATE text SET text = replace(text, 'All about', 'Nothing of')", "scheme", "scheme was changed"),
        ("UPDATE document SET title = 'Another'", "history", "title changed"),
        ("UPDATE section SET span_end = span_end - 1 WHERE position = 0", "section", "starts at"),
        ("DELETE FROM section WHERE position > 0", "section", "the sections end at"),
        ("UPDATE section SET categories = 'not JSON'", "scheme", "a row of section speaks of 'not JSON'"),
        ("UPDATE history SET who = 'Eve' WHERE seq = 8", "history", "history row 8"),
        ("UPDATE history SET at = '2001-01-01T00:00:00Z' WHERE seq = 1", "history", "history row 1"),
        ("UPDATE history SET hash = 'x' || substr(hash, 2) WHERE seq = 3", "history", "history row"),
        ("DELETE FROM history WHERE seq = 7", "history", "rows 7 to 7 before it are missing"),
        ("DELETE FROM history WHERE seq > 10", "history", "the last rows are missing"),
        (
            "DELETE FROM history WHERE seq = (SELECT max(seq) FROM history)",
            "history",
            "the last rows are missing",
        ),
        ("DELETE FROM history", "history", "the last rows are missing"),
        ("UPDATE meta SET value = '0' WHERE key = 'chain_count'", "history", "the last rows"),
        ("UPDATE meta SET value = ' ' || value WHERE key = 'chain_count'", "history", "spelling"),
        ("UPDATE meta SET value = value || ' ' WHERE key = 'kept_text'", "history", "table text"),
    ],
)
def test_tampering_is_found(path: Path, tamper: Tamper, statement: str, kind: str, told: str) -> None:
    tamper(path, statement)
    problems = check(path)
    assert [p for p in problems if p.kind == kind and told in p.message + p.where], problems
    assert len({*problems}) == len(problems), "said twice"


def _read(path: Path, query: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()


def _run(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


def test_a_trigger_or_view_that_changes_what_is_stored_is_found(path: Path) -> None:
    _run(path, "CREATE TRIGGER t AFTER INSERT ON review BEGIN DELETE FROM review; END")
    _run(path, "CREATE VIEW v AS SELECT 1")
    assert [problem.where for problem in check(path)] == ["trigger t", "view v"]


def test_a_span_may_end_where_its_text_does_and_a_place_behind_it_is_none() -> None:
    cells = {
        "surface": "ill",
        "quote": "ill",
        "grounding": "exact",
        "context_left": "was ",
        "context_right": "",
    }
    ends = [span_fault({"span_start": 4, "span_end": end, **cells}, "was ill") for end in (7, 8)]
    assert ends == ["", "its place 4-8 is outside the text"]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DROP TABLE review", "no such table"),
        ("DELETE FROM text WHERE text LIKE 'Case%'", "text of PMC12 is missing"),
    ],
)
def test_reading_what_is_gone_says_that_the_project_is_damaged(path: Path, statement: str, told: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(statement)
    with Project.open(path) as project, pytest.raises(DamagedProjectError, match=told):
        read_annotations(project) + reviews(project)


def test_a_project_without_its_version_number_is_damaged(path: Path) -> None:
    _run(path, "PRAGMA user_version = 0")
    with pytest.raises(DamagedProjectError, match="version number"):
        Project.open(path)


def test_cutting_the_history_and_mending_the_count_is_found_by_the_rows(path: Path, tamper: Tamper) -> None:
    tamper(
        path,
        "DELETE FROM history WHERE name = 'review'",
        "UPDATE history SET seq = seq - 1 WHERE name IN ('show', 'add Ben', 'add Cy')",
        "UPDATE meta SET value = (SELECT count(*) FROM history) WHERE key = 'chain_count'",
    )
    assert any("review" in problem.where for problem in check(path))


def test_a_column_that_a_row_is_older_than_is_compared(tmp_path: Path, tamper: Tamper) -> None:
    old = as_written(1, tmp_path / "old.casespan")
    Project.open(old, write=True).close()
    assert check(old) == []
    tamper(old, "UPDATE annotation SET source = 'x'")
    assert any("source changed" in problem.message for problem in check(old))


def test_answers_cannot_be_given_to_another_item(project: Project, tamper: Tamper) -> None:
    with begin_act(project, "build", "Ann") as act:
        add_items(act, "toy", [{"task": "t", "id": one} for one in "ab"], "", {})
    project.close()
    (one,), (other,) = _read(project.path, "SELECT uuid FROM item ORDER BY position")
    assert check(project.path) == []
    tamper(
        project.path,
        *(
            f"UPDATE item SET uuid = '{new}' WHERE id = '{name}'"
            for new, name in (
                ("", "a"),
                (one, "b"),
                (other, "a"),
            )
        ),
    )
    assert _kinds(check(project.path)) == {"item", "history"}


def test_an_item_with_the_content_of_another_is_named_and_so_is_its_build(
    project: Project, tamper: Tamper
) -> None:
    with begin_act(project, "build", "Ann") as act:
        add_items(act, "toy", [{"task": "t", "id": one} for one in "ab"], "", {})
    project.close()
    tamper(project.path, "UPDATE item SET content_sha256 = (SELECT max(content_sha256) FROM item)")
    told = [problem.message for problem in check(project.path) if problem.kind == "item"]
    assert told == ["its items are not those that it brought", "its name is not the one in it"]


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE FROM item WHERE id = 'a'",
        "INSERT INTO item SELECT '11111111-1111-4111-8111-111111111111', 'x', position, task, id, "
        "content_sha256 FROM item WHERE id = 'a'",
    ],
)
def test_items_of_a_build_that_was_undone_are_those_that_came(
    project: Project, tamper: Tamper, edit: str
) -> None:
    with begin_act(project, "build", "Ann") as act:
        add_items(act, "toy", [{"task": "t", "id": one} for one in "ab"], "", {})
    undo(project, "Ann")
    project.close()
    assert check(project.path) == []
    tamper(project.path, edit)
    assert _kinds(check(project.path)) == {"item", "history"}


@pytest.mark.parametrize(
    "edit",
    [
        f"UPDATE item SET uuid = '{UUID(int=7, version=4)}' WHERE id = 'other'",
        "UPDATE item SET rowid = 9 WHERE id = 'toy'",
        "UPDATE item SET uuid = 'x' WHERE id = 'other'",
    ],
)
def test_an_item_alone_in_its_build_keeps_its_name_and_its_place(
    project: Project, tamper: Tamper, edit: str
) -> None:
    for study in ("toy", "other"):
        with begin_act(project, "build", "Ann") as act:
            add_items(act, study, [{"task": "t", "id": study}], "", {})
    project.close()
    assert check(project.path) == []
    tamper(project.path, edit)
    assert "history" in _kinds(check(project.path))


def test_a_row_without_its_parent_is_found(path: Path, tamper: Tamper) -> None:
    tamper(path, "DELETE FROM text WHERE text LIKE 'Case%'")
    assert "file" in _kinds(check(path))


def test_damaged_pages_are_problems_not_a_crash(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    for start in range(8192, len(whole), 4096):
        whole[start : start + 64] = b"\xff" * 64
    path.write_bytes(whole)
    assert "file" in _kinds(check(path))


def test_what_is_no_project_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="no project"):
        check(tmp_path / "nothing.casespan")


def test_a_span_in_doubt_that_is_not_in_its_text_is_kept_beside_what_is_rescued(
    path: Path, tmp_path: Path, tamper: Tamper
) -> None:
    ((uuid,),) = _read(path, "SELECT uuid FROM annotation WHERE category = 'Neuro'")
    tamper(
        path,
        "UPDATE annotation SET span_end = 9999 WHERE category = 'Neuro'",
        f"UPDATE history SET after = '[' WHERE row = '{uuid}'",
    )
    found = rescue(path, out := tmp_path / "out.casespan")
    assert {one.table: one.in_doubt for one in found if one.in_doubt} == {"annotation": (uuid,)}
    assert check(out) == []
    assert _read(out, "SELECT quote FROM annotation") == [("vomiting",)]
    assert uuid in (tmp_path / "out.lost.jsonl").read_text("utf-8")


def test_whatever_row_is_altered_removed_added_or_moved_is_found(path: Path, tmp_path: Path) -> None:
    done = list(edits(path, tmp_path / "edited.casespan", 90))
    assert len(done) > 60
    assert [what for what, noticed in done if not noticed] == []

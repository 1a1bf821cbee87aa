"""A cell that somebody edited by hand is damage, said in a sentence, and never a crash."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.cli import main
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations, read_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.reviews import review_of, reviews, set_review
from app.store.check import check
from app.store.extract.runs import runs, start_run
from app.store.faults import DamagedProjectError, translated
from app.store.history import changes, history, undo
from app.store.project import Project
from app.store.reconcile.decisions import Decision, add_decision, decisions
from app.store.reports.documents import add_document, document, document_summaries, documents, find_same
from extractors.model.document import Document
from extractors.model.finding import Finding, Grounding
from tests.builders import Kept
from tests.unit.app.store.conftest import write_empty

Make = Callable[..., Document]


@pytest.fixture
def path(kept: Kept, tmp_path: Path, report: Make) -> Path:
    """A closed project with one row of everything that holds JSON."""

    def build(to: Path) -> None:
        write_empty(to)
        with Project.open(to, write=True) as project, begin_act(project, "add", "Ann") as act:
            stored = add_document(act, report(pmcid="12"), "one.xml", "0" * 64)
            ann = annotator(project, "Ann").uuid
            ben = ensure_annotator(act, "Ben", "person").uuid
            finding = Finding("Neuro", "vomiting", None, None, grounding="ungrounded", reason="not there")
            grounding = Grounding("ungrounded", None, None, 10.0, "not there", ((0, 4), (5, 9)), (0, 4))
            add_annotations(act, stored.uuid, ann, [finding], "human", groundings=[grounding])
            set_review(act, stored.uuid, ann, looked_at=["GI"], nothing_found=["GI"])
            start_run(act, ann, "rules", "rules", {"version": "1"}, "0.1.0")
            add_decision(act, Decision(stored.uuid, "GI", ann, ben, "left", (finding,)))

    return kept.copy(build, tmp_path / "study.casespan")


def _everything(project: Project) -> list[Callable[[], object]]:
    """Every way to read what the fixture wrote."""
    holder = annotator(project, "Ann").uuid
    key = document_summaries(project)[0].uuid
    return [
        lambda: documents(project),
        lambda: document(project, "12"),
        lambda: find_same(project, Document("T", "other", (), {"pmcid": "12"})),
        lambda: read_annotations(project),
        lambda: reviews(project),
        lambda: review_of(project, key, holder),
        lambda: runs(project),
        lambda: decisions(project),
        lambda: [changes(project, entry.act) for entry in history(project)],
    ]


def _refusals(project: Project) -> list[str]:
    """The sentences of those ways that refuse."""
    said: list[str] = []
    for read in _everything(project):
        try:
            read()
        except DamagedProjectError as error:
            said.append(str(error))
    return said


# What is edited, how many of the ways must refuse then.
CELLS = [
    ("section", "path", 3),
    ("section", "categories", 3),
    ("annotation", "places", 1),
    ("annotation", "candidate", 1),
    ("review", "looked_at", 2),
    ("review", "nothing_found", 2),
    ("run", "settings", 1),
    ("decision", "findings", 1),
    ("history", "after", 1),
]
NONSENSE = ["", "nonsense", "7", '"x"', "[7]", "[[1]]", '[["a", "b"]]', '[{"a": 1}]', "[" * 100_000]
NONSENSE.append('[{"category": "GI", "quote": 7, "start": null, "end": null}]')


@pytest.mark.parametrize("cell", NONSENSE, ids=lambda cell: str(cell)[:12])
@pytest.mark.parametrize(("table", "column", "readers"), CELLS)
def test_a_cell_edited_by_hand_is_damage(
    path: Path, tamper: Callable[..., None], table: str, column: str, readers: int, cell: str
) -> None:
    tamper(path, f"UPDATE {table} SET {column} = '{cell}'")
    with Project.open(path) as project:
        refusals = _refusals(project)
    assert len(refusals) == readers
    assert all("casespan check" in sentence for sentence in refusals)
    assert check(path)


@pytest.mark.parametrize("cell", [*NONSENSE, '{"a": []}'], ids=lambda cell: str(cell)[:12])
@pytest.mark.parametrize("column", ["identifiers", "metadata"])
def test_a_report_whose_record_was_edited_is_named(
    path: Path, tamper: Callable[..., None], column: str, cell: str
) -> None:
    tamper(path, f"UPDATE document SET {column} = '{cell}'")
    with Project.open(path) as project:
        for read in (documents, document_summaries):
            with pytest.raises(DamagedProjectError, match=r"document PMC12 .*casespan check"):
                read(project)
    assert check(path)


def test_a_cell_that_no_reader_expects_is_told_by_its_row(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE annotator SET kind = 5")
    assert main(["list", str(path)]) == 1
    said = capsys.readouterr().err
    assert "should not" not in said
    assert ": annotator " in said
    assert "kind changed outside the program" in said


def test_text_that_is_no_text_is_damage(path: Path, tamper: Callable[..., None]) -> None:
    tamper(path, "UPDATE document SET title = CAST(x'ff41' AS TEXT)")
    with Project.open(path) as project, pytest.raises(DamagedProjectError, match="no text any more"):
        documents(project)


def test_what_sqlite_says_of_damage_in_bytes_that_are_no_text_is_damage(path: Path) -> None:
    with pytest.raises(DamagedProjectError, match="no text any more"), translated(path):
        b"malformed database schema (\xff)".decode()


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("before = after, after = NULL WHERE verb = 'insert'", "does not say what it did"),
        ("after = json_set(after, '$.uuid', 'x')", "not the row"),
        ("table_name = 'nowhere'", "an unknown table nowhere"),
    ],
)
def test_a_history_of_other_rows_is_not_undone(
    path: Path, tamper: Callable[..., None], edit: str, said: str
) -> None:
    tamper(path, f"UPDATE history SET {edit}")
    with Project.open(path, write=True) as project, pytest.raises(DamagedProjectError, match=said):
        undo(project, "Ann")


def test_an_end_of_the_history_that_is_no_number_stops_the_next_act(
    path: Path, tamper: Callable[..., None]
) -> None:
    tamper(path, "UPDATE meta SET value = 'many' WHERE key = 'chain_count'")
    with Project.open(path, write=True) as project:
        with (
            pytest.raises(DamagedProjectError, match="end of the history"),
            begin_act(project, "add", "Ann") as act,
        ):
            ensure_annotator(act, "Cy", "person")
        assert len(project.query("SELECT * FROM annotator")) == 2

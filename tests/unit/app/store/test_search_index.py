"""The index of words: made for older projects, and known to the check."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.operations.project.files import make_search_index
from app.operations.project.reports import delete_reports
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import annotator
from app.store.check import check
from app.store.corpus_index import CorpusIndex
from app.store.migrations import STEPS, migrate
from app.store.project import Project
from app.store.reports import search
from app.store.reports.documents import add_document, documents
from app.store.reports.search import find_documents
from app.store.search_index import SOURCES, index_faults
from app.store.sqlite import Database
from extractors.model.document import Document
from extractors.model.finding import Finding


@pytest.fixture
def filled(project: Project, report: Callable[..., Document]) -> Project:
    """Two reports of one text, a span with a note, and a quote without a place."""
    with begin_act(project, "add", "Ann") as act:
        first, second = (add_document(act, report(pmcid=number), "r.xml", "0" * 64) for number in "12")
        ann = annotator(project, "Ann").uuid
        start = first.document.text.index("ataxia")
        exact = Finding("Neuro", "ataxia", start, start + 6)
        lost = Finding("GI", "vomiting", None, None, grounding="ungrounded", reason="not there")
        add_annotations(act, first.uuid, ann, [exact, lost], "human", notes=["since May", ""])
        add_annotations(act, second.uuid, ann, [exact], "human")
    return project


def test_a_project_without_an_index_is_given_the_same_by_the_migration(filled: Project) -> None:
    found = {
        words: find_documents(filled, words, annotator(filled, "Ann").uuid) for words in ("may", "ataxia")
    }
    assert [len(uuids) for uuids in found.values()] == [1, 2]
    db = filled.db
    for index in SOURCES:
        db.execute(f"DROP TABLE {index}_words")
        db.execute(f"DROP TABLE {index}")
    db.execute("DELETE FROM _sqlite_migrations WHERE name = 'search'")
    migrate(db)
    assert list(index_faults(db)) == []
    again = {words: find_documents(filled, words, annotator(filled, "Ann").uuid) for words in found}
    assert again == found


def test_an_empty_project_of_an_earlier_version_is_given_empty_indices(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "old.db")) as db:
        migrate(db, STEPS[:4])
        migrate(db)
        assert list(index_faults(db)) == []


def test_a_quote_that_is_the_text_at_its_place_stands_once(filled: Project) -> None:
    sizes = {
        index: filled.query(f"SELECT count(*) AS rows FROM {index}_docsize")[0]["rows"] for index in SOURCES
    }
    assert sizes == {"text_search": 1, "document_search": 2, "annotation_search": 2}
    ((lost,),) = filled.tuples("SELECT uuid FROM annotation WHERE quote = 'vomiting'")
    with begin_act(filled, "place", "Ann") as act:
        act.update("annotation", lost, {"grounding": "exact"})
    assert list(index_faults(filled.db)) == []


def test_a_text_of_two_reports_is_found_until_both_are_deleted(filled: Project) -> None:
    ann = annotator(filled, "Ann").uuid
    (text,) = {one.document.text for one in documents(filled)}
    for left in (1, 0):
        delete_reports(filled, [documents(filled)[0].key])
        assert len(find_documents(filled, text.split()[0], ann)) == left
        assert list(index_faults(filled.db)) == []


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO text_search (text_search) VALUES ('delete-all')",
        "INSERT INTO annotation_search (rowid, quote, note) VALUES (77, 'leukaemia', '')",
        "INSERT INTO document_search (document_search, rowid, title, key, identifiers) "
        "SELECT 'delete', rowid, title, key, identifiers FROM document LIMIT 1",
        "UPDATE text_search_data SET block = x'00' WHERE id > 10",
    ],
)
def test_an_index_that_is_not_of_the_rows_is_found_by_the_check(filled: Project, statement: str) -> None:
    filled.db.execute(statement)
    filled.db.conn.commit()
    filled.close()
    assert [problem.kind for problem in check(filled.path)] == ["index"]
    make_search_index(filled.path)
    assert check(filled.path) == []


def test_the_index_of_a_corpus_finds_texts_or_quotes_and_begins_anew_with_another_corpus(
    tmp_path: Path,
) -> None:
    parts = {1: "a" * 64, 2: "b" * 64}
    with CorpusIndex(tmp_path) as index:
        assert index.keep_only(parts) == [1, 2]
        index.add(1, parts[1], [("R1", None, None, "No fever, ataxia."), ("R1", 0, "GI", "vomiting")])
        assert index.keep_only(parts) == [2]
    with CorpusIndex(tmp_path) as index:
        index.add(
            2, parts[2], [("R2", None, None, "Fevers."), ("R2", 0, "GI", "fever"), ("R2", 1, "CVS", "x")]
        )
        assert index.keep_only(parts) == []
        assert index.find("fever") == [(1, "R1", None), (2, "R2", None)]
        assert index.find("fever", "GI") == [(2, "R2", 0)]
        assert index.find("fever", "CVS") == index.find("...") == []
        assert index.categories() == ["CVS", "GI"]
        assert index.places("fever", ["No fever, ataxia.", "Fevers.", "x"]) == [((3, 8),), ((0, 6),), ()]
        assert index.keep_only({**parts, 3: "c" * 64}) == [3]
        assert index.keep_only({1: parts[1]}) == [1], "made anew with fewer parts"
        assert index.find("fever") == []
        assert index.categories() == []


def test_of_stretches_as_long_as_each_other_the_first_is_the_place() -> None:
    text = "rash and fever and rash"
    words = [(0, 4), (9, 14), (19, 23)]
    assert search._together(text, words, search.asked_for("rash fever")) == [(0, 14)]
    assert search._together(f"{text} fever", [*words, (24, 29)], search.asked_for("rash fever")) == [
        (0, 14),
        (19, 29),
    ]


def test_of_too_many_forms_those_that_were_typed_stay(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_MOST_TOGETHER", 2)
    monkeypatch.setattr(search, "_forms", lambda *given: [f"{given[2]}s", f"{given[2]}ed"])
    found = search.match_of(project, "text_search", "rash fever")
    assert found in (
        'NEAR("rash" "fever", 10) OR NEAR("rash" "fevers", 10)',
        'NEAR("rash" "fever", 10) OR NEAR("rashs" "fever", 10)',
    )

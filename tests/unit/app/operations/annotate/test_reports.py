"""The list of reports as one annotator sees it, and the search in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.operations.annotate.reports import list_reports, refresh_row, search_reports
from app.operations.annotate.spans import SpanPlace, add_span, set_review_state, state_nothing_found
from app.operations.project.history import list_history
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.document import Document
from extractors.model.errors import UnknownNameError
from extractors.model.finding import Finding

TEXT = "She had a headache\u00a0and\nfièvre. Her CAFÉ 😊 was shut; Gauß was ill."


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Two reports, in the first of which Ann, Bob and the rules have something."""
    with create_project_file(tmp_path / "study.casespan", None, "Ann") as made:
        with begin_act(made, "add", "Ann") as act:
            texts = {"Zwei Schwestern": TEXT, "A man with gout": "Gout. Fever"}
            for number, (title, text) in enumerate(texts.items(), start=1):
                identifiers = {"pmcid": str(number), "doi": f"10.1/X{number}"}
                stored = add_document(act, Document(title, text, (), identifiers), "r.xml", "0" * 64)
                if number == 1:
                    rules = ensure_annotator(act, "rules", "run").uuid
                    lost = Finding("Neuro", "migraine", None, None, grounding="ungrounded")
                    add_annotations(act, stored.uuid, rules, [lost, lost], "model")
        yield made


def label(project: Project, annotator: str, category: str, note: str = "") -> None:
    add_span(project, annotator, SpanPlace("PMC1", 10, 18), category, note=note)


def test_a_row_has_ones_own_numbers_state_and_notes_and_what_others_have(project: Project) -> None:
    label(project, "Ann", "Neuro", "sure?")
    label(project, "Ann", "CVS")
    label(project, "Bob", "Neuro", "his own note")
    state_nothing_found(project, "Ann", "PMC1", "GI")
    set_review_state(project, "Ann", "PMC2", "parked")
    first, second = list_reports(project, "Ann")
    assert (first.key, first.title, first.characters) == ("PMC1", "Zwei Schwestern", len(TEXT))
    assert first.identifiers == {"pmcid": "1", "doi": "10.1/X1"}
    assert (first.state, first.nothing_found, first.notes) == ("in progress", ("GI",), ("sure?",))
    assert list(first.own.items()) == [(c, 1) for c in project.scheme.ids if c in ("Neuro", "CVS")]
    assert first.others == {"Bob": 1, "rules": 2}
    assert (second.key, second.state, second.own, second.others) == ("PMC2", "parked", {}, {})


def test_somebody_new_has_touched_nothing_and_looking_writes_nothing(project: Project) -> None:
    label(project, "Ann", "Neuro", "sure?")
    acts = len(list_history(project))
    first, _ = list_reports(project, "Nobody yet")
    assert (first.state, first.own, first.notes) == ("untouched", {}, ())
    assert first.others == {"Ann": 1, "rules": 2}
    assert len(list_history(project)) == acts


def test_a_row_by_itself_is_the_row_of_the_list(project: Project) -> None:
    label(project, "Ann", "Neuro", "sure?")
    label(project, "Bob", "Neuro")
    for annotator in ("Ann", "Bob", "Nobody yet"):
        rows = list_reports(project, annotator)
        assert tuple(refresh_row(project, annotator, row.key) for row in rows) == rows
        assert tuple(refresh_row(project, annotator, row.uuid) for row in rows) == rows
    with pytest.raises(UnknownNameError, match="PMC1, PMC2"):
        refresh_row(project, "Ann", "PMC3")


def test_the_list_reads_no_texts(project: Project) -> None:
    seen: list[str] = []
    project.db.conn.set_trace_callback(seen.append)
    list_reports(project, "Ann")
    refresh_row(project, "Ann", "PMC1")
    project.db.conn.set_trace_callback(None)
    assert any("FROM annotation" in query for query in seen)
    assert not [query for query in seen if "text " in query]


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("", {"PMC1", "PMC2"}),
        ("  ", {"PMC1", "PMC2"}),
        ("HEADACHE", {"PMC1"}),
        ("fever", {"PMC2"}),
        ("fievre cafe", {"PMC1"}),
        ("fie\u0300vre", {"PMC1"}),
        ("Cafe\u0301", {"PMC1"}),
        ("GAUSS", {"PMC1"}),
        ("shut headache", {"PMC1"}),
        ("headache gout", set()),
        ('"headache and fièvre"', {"PMC1"}),
        ('"headache fièvre"', set()),
        ('fièvre "a headache', {"PMC1"}),
        ('""', {"PMC1", "PMC2"}),
        ("schwest", {"PMC1"}),
        ("schwestern ill", {"PMC1"}),  # one word in the title, one in the text
        ('"zwei schwestern pmc1"', set()),  # a phrase stands in one field
        ("10.1/x2", {"PMC2"}),
        ("pmc2", {"PMC2"}),
        ("g.ut", set()),
        ("😊", {"PMC1"}),
    ],
)
def test_a_search_finds_the_reports_that_hold_all_the_words(
    project: Project, words: str, keys: set[str]
) -> None:
    assert search_reports(project, words) == keys

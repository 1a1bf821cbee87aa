"""Words are found wherever they stand, as somebody may see them, and the index follows every change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.operations.annotate.exposure import list_others
from app.operations.annotate.spans import SpanPlace, add_span, remove_spans, set_span_note
from app.operations.find.search import Found, search_project
from app.operations.project.files import check_project
from app.operations.project.history import list_history, redo_change, undo_change
from app.operations.project.reports import delete_reports, rename_report
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.disclosures import disclosures
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document
from app.store.reports.search import NEAR
from extractors.model.document import Document
from extractors.model.finding import Finding
from tests.builders import Kept

ME, RUN = "Ann", "helper"
TEXTS = (
    "😊 Case.\nTwo generalized seizures, then anaemia. Metastases of the liver; heart muscle thick.",
    "The seizure came with heart failure. Sjo\u0308gren syndrome (5 mg/dL, COVID-19).\nThe heart again.",
    "Hypertension and hypertrophy, a metastasis, anemia and a tumour \ufdd0 of the skin.",
)


def write_texts(path: Path) -> None:
    with create_project_file(path, None, ME) as project, begin_act(project, "add", ME) as act:
        run = ensure_annotator(act, RUN, "run").uuid
        for number, text in enumerate(TEXTS, 1):
            document = Document(f"A letter on zebras {number}", text, (), {"pmcid": str(number)})
            uuid = add_document(act, document, "r.txt", "0" * 64).uuid
            hidden = Finding("GI", "secretly jaundiced", None, None, grounding="ungrounded", reason="absent")
            add_annotations(act, uuid, run, [hidden], "model", notes=["a hidden remark"])


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with Project.open(kept.copy(write_texts, tmp_path / "study.casespan"), write=True) as opened:
        yield opened


def find(project: Project, words: str, name: str = ME) -> Found:
    return search_project(project, words, name)


def texts(found: Found) -> list[tuple[str, str]]:
    """The report and words of each place."""
    return [(report.key, place.text) for report in found.reports for place in report.places]


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("seizure", [("PMC1", "seizures"), ("PMC2", "seizure")]),
        ("Seizures", [("PMC1", "seizures"), ("PMC2", "seizure")]),
        ("anemia", [("PMC1", "anaemia"), ("PMC3", "anemia")]),
        ("metastasis", [("PMC1", "Metastases"), ("PMC3", "metastasis")]),
        ("hypert*", [("PMC3", "Hypertension"), ("PMC3", "hypertrophy")]),
        ("hyper", []),
        ("sjogren", [("PMC2", "Sjo\u0308gren")]),
        ("SJÖGREN", [("PMC2", "Sjo\u0308gren")]),
        ('"heart failure"', [("PMC2", "heart failure")]),
        ('"failure heart"', []),
        ("failure heart", [("PMC2", "heart failure")]),
        (
            "heart muscle seizures",
            [("PMC1", "seizures, then anaemia. Metastases of the liver; heart muscle")],
        ),
        ("mg/dl", [("PMC2", "mg/dL")]),
        ("covid-19", [("PMC2", "COVID-19")]),
    ],
)
def test_words_are_found_in_all_forms_and_the_places_are_those_of_the_text(
    project: Project, typed: str, places: list[tuple[str, str]]
) -> None:
    found = find(project, typed)
    if typed.startswith(("hypert", "anemia", "metastasis")):
        # A text that has the marks of a search in it is found, without places.
        assert "PMC3" in [report.key for report in found.reports]
        places = [place for place in places if place[0] != "PMC3"]
    assert texts(found) == places
    for report in found.reports:
        for place in report.places:
            text = TEXTS[int(report.key[-1]) - 1]
            assert " ".join(text[place.start : place.end].split()) == place.text
            assert f"{place.left}{place.text}{place.right}".replace(" ", "") in text.replace(" ", "")


def test_several_words_are_found_where_they_stand_together_alone(project: Project) -> None:
    far = " or ".join("abcdefghijkl")
    tables = f"Table 1 | 1 of 1\nTable 2 | 17 of {far} 1 or 2. Hypertension, hypotension.\nIn tables\n1, low."
    with begin_act(project, "add", ME) as act:
        add_document(act, Document("Tables", tables, (), {"pmcid": "4"}), "t.txt", "0" * 64)
        add_document(act, Document("Far", f"Table {far} 1", (), {"pmcid": "5"}), "t.txt", "0" * 64)
    assert texts(find(project, "Table 1")) == [("PMC4", "Table 1"), ("PMC4", "1 Table"), ("PMC4", "tables 1")]
    assert texts(find(project, '"table 1"')) == [("PMC4", "Table 1")]
    assert texts(find(project, "hyper* hypo*")) == [("PMC4", "Hypertension, hypotension")]


def test_beside_a_place_stands_what_its_paragraph_has_there_cut_at_a_word(project: Project) -> None:
    a, b = "a" * 44, "b" * 44
    beside = {
        f"{a} {b} gallop {b} {a}": (f"{a} {b}", f"{b} {a}"),
        f"a{a} {b} gallop {b} {a}a": (b, b),
        f"{a}\n{b}\nof the gallop here\n{b}\n{a}": ("of the", "here"),
    }
    with begin_act(project, "add", ME) as act:
        for number, text in enumerate(beside):
            add_document(act, Document("Beside", text, (), {"pmcid": f"7{number}"}), "t.txt", "0" * 64)
    found = find(project, "gallop")
    assert [(one.left, one.right) for report in found.reports for one in report.places] == [*beside.values()]
    assert (found.places, found.total) == (3, 3)


def test_as_many_others_may_stand_between_two_words_as_between_more(project: Project) -> None:
    asked = ("thumb", "wrist", "elbow", "knee")
    with begin_act(project, "add", ME) as act:
        for number, others in product((2, 3, 4), (NEAR, NEAR + 1)):
            between = [f"w{place}" for place in range(others)]
            parts = [between[place :: number - 1] for place in range(number - 1)]
            words = [word for one, part in zip(asked, [*parts, []], strict=False) for word in (one, *part)]
            key = f"{number}0{others}"
            add_document(act, Document(key, " ".join(words), (), {"pmcid": key}), "t.txt", "0" * 64)
    for number in (2, 3, 4):
        found = [one.key for one in find(project, " ".join(asked[:number])).reports]
        assert [one for one in found if one.startswith(f"PMC{number}0")] == [f"PMC{number}0{NEAR}"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.text(st.sampled_from("ab\"*()-^:+{}[]~.,\\'/%_ \0\nNEARORNOT"), max_size=30))
def test_nothing_that_is_typed_is_an_error(project: Project, typed: str) -> None:
    found = find(project, typed)
    assert found.asks or not found.reports


def test_titles_numbers_and_categories_are_found(project: Project) -> None:
    assert [report.key for report in find(project, "zebra letter").reports] == ["PMC1", "PMC2", "PMC3"]
    assert [report.key for report in find(project, "PMC2").reports] == ["PMC2"]
    add_span(project, ME, SpanPlace("PMC1", 10, 12), "Neuro")
    add_span(project, ME, SpanPlace("PMC2", 10, 12), "GI")
    for typed in ("NE", "neuro", "Neurol cogn"):
        assert [(one.id, one.spans, one.reports) for one in find(project, typed).categories] == [
            ("Neuro", 1, 1)
        ]
    assert find(project, "ne zebra").categories == ()
    assert [(one.id, one.spans, one.reports) for one in find(project, "GI", "").categories] == [("GI", 0, 0)]
    assert search_project(project, "ne", ME, first=1).categories == ()


def test_reports_come_page_by_page_and_all_are_counted(project: Project) -> None:
    first = search_project(project, "zebra", ME, most=2)
    assert (first.total, [report.key for report in first.reports]) == (3, ["PMC1", "PMC2"])
    rest = search_project(project, "zebra", ME, first=2, most=2)
    assert (rest.total, [report.key for report in rest.reports]) == (3, ["PMC3"])


def test_what_others_have_is_not_found_and_looking_at_it_is_on_record(project: Project) -> None:
    for words in ("jaundiced", '"hidden remark"', "secretly"):
        assert not find(project, words).total
        assert not find(project, words, "").total
    assert disclosures(project) == []
    assert [one.name for one in list_others(project, "PMC1", ME)] == [RUN]
    seen = search_project(project, "jaundiced", RUN, viewer=ME)
    assert [span.quote for report in seen.reports for span in report.spans] == ["secretly jaundiced"] * 3
    assert len(disclosures(project)) == 3
    assert {look.annotator for look in disclosures(project)} == {ME}
    # The span at a place that is found tells as much; where one has none nothing is shown.
    start = TEXTS[0].index("seizures")
    add_span(project, "Zoe", SpanPlace("PMC1", start + 7, start + 20), "Neuro")
    there = search_project(project, "seizure", "Zoe", viewer="Cy").reports
    assert [[place.categories for place in one.places] for one in there] == [[("Neuro",)], [()]]
    assert [
        place.categories for place in search_project(project, "generalized", "Zoe").reports[0].places
    ] == [()]
    assert [look.document for look in disclosures(project) if look.annotator == "Cy"] == [there[0].uuid]


def test_a_report_that_is_renamed_or_deleted_is_found_as_it_is_now(project: Project) -> None:
    rename_report(project, "PMC1", title="On okapis", key="okapi-letter")
    acts = list_history(project)
    assert acts[-1].name == "rename report PMC1 to okapi-letter"
    assert rename_report(project, "okapi-letter", title=" On  okapis").key == "okapi-letter"
    assert list_history(project) == acts
    assert [report.key for report in find(project, "okapi").reports] == ["okapi-letter"]
    assert [report.key for report in find(project, "zebra").reports] == ["PMC2", "PMC3"]
    delete_reports(project, ["okapi-letter", "PMC2"])
    assert list_history(project)[-1].name == "delete 2 reports"
    assert not find(project, "seizure").total
    assert not find(project, "okapi").total
    undo_change(project)
    undo_change(project)
    assert [report.key for report in find(project, "zebra").reports] == ["PMC1", "PMC2", "PMC3"]
    path = project.path
    project.close()
    assert check_project(path) == []


def test_the_index_follows_every_act_undo_and_redo(project: Project) -> None:
    def noted() -> list[str]:
        return [span.note for report in find(project, "worrying").reports for span in report.spans]

    start = TEXTS[1].index("heart")
    span = add_span(project, ME, SpanPlace("PMC2", start, start + 5), "CVS").added[0].uuid
    assert [place.categories for report in find(project, "heart").reports for place in report.places] == [
        (),
        ("CVS",),
        (),
    ]
    last = TEXTS[1].rindex("heart")
    add_span(project, ME, SpanPlace("PMC2", last, last + 5), "GI")
    assert [place.categories for place in find(project, "heart").reports[1].places] == [("CVS",), ("GI",)]
    undo_change(project)
    # What begins where the word ends is not there.
    add_span(project, ME, SpanPlace("PMC2", start + 5, start + 13), "GI")
    assert find(project, "heart").reports[1].places[0].categories == ("CVS",)
    undo_change(project)
    set_span_note(project, span, "a worrying sign")
    assert noted() == ["a worrying sign"]
    set_span_note(project, span, "nothing")
    assert noted() == []
    undo_change(project)
    remove_spans(project, [span])
    assert noted() == []
    undo_change(project)
    assert noted() == ["a worrying sign"]
    for _ in range(3):
        undo_change(project)
    assert not find(project, "seizure").total
    assert not find(project, "zebra").total
    for _ in range(3):
        redo_change(project)
    assert noted() == ["a worrying sign"]
    assert len(texts(find(project, "seizure"))) == 2
    path = project.path
    project.close()
    assert check_project(path) == []

"""Checks of one's own spans in an open project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.operations.annotate.exposure import CheckedSpan, OtherLabel, check_spans
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.project.history import list_history, undo_change
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import annotators
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document, document
from extractors.model.document import Document
from extractors.model.errors import UnknownNameError
from extractors.model.finding import Finding


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """An empty project, held open for writing."""
    with create_project_file(tmp_path / "study.casespan", None, "Ann") as created:
        yield created


def add(project: Project, *texts: str) -> None:
    with begin_act(project, "add", "Ann") as act:
        for number, text in enumerate(texts, start=1):
            add_document(act, Document("R", text, (), {"pmcid": str(number)}), "r.xml", "0" * 64)


def label(
    project: Project, report: str, words: str, *categories: str, who: str = "Ann", nth: int = 0
) -> list[str]:
    """Label the nth occurrence of the words; the UUIDs."""
    text = document(project, report).document.text
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    place = SpanPlace(report, start, start + len(words))
    return [add_span(project, who, place, category).added[0].uuid for category in categories]


def others(project: Project, report: str, uuid: str) -> tuple[OtherLabel, ...]:
    (checked,) = check_spans(project, report, "Ann", [uuid])
    said = [warning for warning in checked.warnings if warning.kind == "labelled otherwise"]
    assert len(said) == len(checked.others)
    return checked.others


def test_a_span_is_checked_where_it_stands_in_code_points_and_nothing_is_changed(project: Project) -> None:
    add(project, "😊 Cafe\u0301: no fever.\nCreatinine was 1.8\u00a0mg/dL,\tthen fell.")
    (fever,) = label(project, "PMC1", "fever", "Neuro")
    (value,) = label(project, "PMC1", "Creatinine was 1.8", "Lab_Image")
    acts = len(list_history(project))
    text = document(project, "PMC1").document.text
    checked = {one.uuid: one.warnings for one in check_spans(project, "PMC1", "Ann")}
    assert len(list_history(project)) == acts
    found = {
        uuid: [(r.kind, text[r.start : r.end], r.polarity) for r in warnings]
        for uuid, warnings in checked.items()
    }
    assert found == {
        fever: [("negation outside", "no fever", "negated")],
        value: [("cut unit", "Creatinine was 1.8\u00a0mg/dL", None)],
    }


def test_only_the_spans_asked_for_come_back_in_that_order_warnings_or_not(project: Project) -> None:
    add(project, "ataxia and ptosis, then rash", "ataxia")
    uuids = [label(project, "PMC1", words, "Neuro")[0] for words in ("ataxia", "ptosis", "rash")]
    asked = [uuids[2], uuids[0]]
    assert check_spans(project, "PMC1", "Ann", asked) == tuple(CheckedSpan(uuid, (), ()) for uuid in asked)
    assert check_spans(project, "PMC1", "Ann", []) == ()


def test_what_is_gone_or_not_ones_own_or_of_another_report_is_left_out(project: Project) -> None:
    add(project, "ataxia", "ataxia")
    (gone,) = label(project, "PMC1", "ataxia", "Neuro")
    undo_change(project)
    (bobs,) = label(project, "PMC1", "ataxia", "GI", who="Bob")
    (there,) = label(project, "PMC2", "ataxia", "Neuro")
    assert check_spans(project, "PMC1", "Ann", [gone, bobs, there, "no such"]) == ()
    assert check_spans(project, "PMC1", "Nobody yet") == ()
    with pytest.raises(UnknownNameError):
        check_spans(project, "PMC9", "Ann")


def test_a_quote_without_a_place_is_left_out(project: Project) -> None:
    add(project, "ataxia")
    label(project, "PMC1", "ataxia", "Neuro")
    holder = next(one.uuid for one in annotators(project) if one.name == "Ann")
    with begin_act(project, "add", "Ann") as act:
        lost = Finding("GI", "ataxia", None, None, grounding="ungrounded", reason="It is not there.")
        add_annotations(act, document(project, "PMC1").uuid, holder, [lost], "human")
    (checked,) = check_spans(project, "PMC1", "Ann")
    assert checked.warnings == ()


def test_the_same_words_labelled_otherwise_elsewhere_are_named_with_category_and_place(
    project: Project,
) -> None:
    add(
        project,
        "Renal\ttubular acidosis",
        "renal tubular\u00a0 ACIDOSIS, renal tubular acidosis",
        "acidosis; renal tubular acidosis",
    )
    (mine,) = label(project, "PMC1", "Renal\ttubular acidosis", "GU")
    label(project, "PMC2", "renal tubular\u00a0 ACIDOSIS", "Lab_Image")
    label(project, "PMC2", "renal tubular acidosis", "Lab_Image")
    label(project, "PMC3", "acidosis", "ENDO")
    label(project, "PMC3", "renal tubular acidosis", "Lab_Image")
    assert others(project, "PMC1", mine) == (OtherLabel("Lab_Image", "PMC2", 3),)
    (checked,) = check_spans(project, "PMC1", "Ann", [mine])
    warning = checked.warnings[-1]
    assert (warning.start, warning.end, warning.polarity) == (0, 22, None)
    assert warning.sentence == (
        "The same words are labelled Laboratory and imaging on 3 other places, first in PMC2."
    )


def test_other_letters_than_ascii_are_the_same_in_upper_and_lower_case(project: Project) -> None:
    add(project, "ÖDEM 5%_ STRASSE", "ödem 5%_ and ödem 5xx, Straße")
    (mine,) = label(project, "PMC1", "ÖDEM 5%_", "CVS")
    label(project, "PMC2", "ödem 5xx", "DERM")
    assert others(project, "PMC1", mine) == ()
    label(project, "PMC2", "ödem 5%_", "DERM")
    assert others(project, "PMC1", mine) == (OtherLabel("DERM", "PMC2", 1),)
    (street,) = label(project, "PMC1", "STRASSE", "GI")
    (mine,) = label(project, "PMC2", "Straße", "CVS")
    assert others(project, "PMC2", mine) == (OtherLabel("GI", "PMC1", 1),)
    assert others(project, "PMC1", street) == (OtherLabel("CVS", "PMC2", 1),)


def test_signs_that_a_search_pattern_knows_stand_for_themselves(project: Project) -> None:
    add(project, "a 5%_ a\\b", "a 5%_ a\\b and a 5xx a\\b")
    (mine,) = label(project, "PMC1", "5%_ a\\b", "CVS")
    label(project, "PMC2", "5xx a\\b", "GI")
    label(project, "PMC2", "5%_ a\\b", "DERM")
    assert others(project, "PMC1", mine) == (OtherLabel("DERM", "PMC2", 1),)


def test_elsewhere_is_also_another_place_of_the_same_report_but_not_another_label_of_the_same_span(
    project: Project,
) -> None:
    add(project, "rash, later rash")
    first, second = label(project, "PMC1", "rash", "DERM", "EENT")
    assert others(project, "PMC1", first) == others(project, "PMC1", second) == ()
    label(project, "PMC1", "rash", "GI", nth=1)
    assert others(project, "PMC1", first) == (OtherLabel("GI", "PMC1", 1),)


def test_two_labels_that_stand_together_on_both_places_agree(project: Project) -> None:
    add(project, "rash", "rash", "rash")
    first, _ = label(project, "PMC1", "rash", "DERM", "EENT")
    label(project, "PMC2", "rash", "DERM", "EENT")
    assert others(project, "PMC1", first) == ()
    label(project, "PMC3", "rash", "EENT")
    assert others(project, "PMC1", first) == (OtherLabel("EENT", "PMC3", 1),)


def test_what_another_annotator_labelled_is_not_looked_at(project: Project) -> None:
    add(project, "rash", "rash")
    (mine,) = label(project, "PMC1", "rash", "DERM")
    label(project, "PMC2", "rash", "GI", who="Bob")
    assert others(project, "PMC1", mine) == ()


def test_many_and_very_long_wordings_are_compared_as_well(project: Project) -> None:
    words = [f"finding{number}" for number in range(30)]
    long = "very " * 200 + "long"
    add(project, " ".join([*words, long]), f"{words[7]} {long.upper()}")
    uuids = [label(project, "PMC1", f"{word} "[:-1], "Neuro")[0] for word in [*words[10:], words[7], long]]
    label(project, "PMC2", words[7], "GI")
    label(project, "PMC2", long.upper(), "GU")
    found = {one.uuid: one.others for one in check_spans(project, "PMC1", "Ann", uuids) if one.others}
    assert found == {
        uuids[-2]: (OtherLabel("GI", "PMC2", 1),),
        uuids[-1]: (OtherLabel("GU", "PMC2", 1),),
    }
    assert others(project, "PMC1", uuids[-1]) == (OtherLabel("GU", "PMC2", 1),)

"""What spans stand for: given, changed and taken away, each one step of undo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.operations.annotate.concepts import clear_concept, current_codings, find_concepts, set_concept
from app.operations.annotate.report import open_report, touched_annotators, touched_spans
from app.operations.annotate.spans import Changed, SpanPlace, accept_spans, add_span, move_span, remove_spans
from app.operations.project.files import check_project
from app.operations.project.history import list_history, redo_change, undo_change
from app.operations.review.verdicts import judge_spans
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation
from app.store.annotate.concepts import set_codings
from app.store.project import Project
from extractors.model.coding import Coding
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.terminology.library import shipped_hpo
from tests.unit.app.operations.helped import ME, RUN, make_helped

FEVER, SEIZURE = "HP:0001945", "HP:0001250"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with make_helped(tmp_path / "p.casespan", 1) as made:
        yield made


def codes(project: Project, annotator: str = ME) -> list[tuple[str, ...]]:
    found = open_report(project, "PMC1", annotator).annotations
    return [tuple(f"{one.code} {one.origin}" for one in span.concepts) for span in found]


def labelled(project: Project, words: str = "headache") -> Annotation:
    start = open_report(project, "PMC1", ME).text.index(words)
    return add_span(project, ME, SpanPlace("PMC1", start, start + len(words)), "Neuro").added[0]


def test_a_concept_is_given_changed_and_taken_away_and_each_is_one_step_of_undo(project: Project) -> None:
    span = labelled(project)
    given = set_concept(project, span.uuid, "hpo", SEIZURE)
    (coding,) = given.edited[0].concepts
    assert (coding.label, coding.release, coding.terminology) == ("Seizure", "2025-01-16", "HPO")
    assert set_concept(project, span.uuid, "HPO", SEIZURE).edited == ()
    act = list_history(project)[0].act if list_history(project)[0].name.startswith("code") else ""
    act = act or next(one.act for one in list_history(project) if one.name.startswith("code as Seizure"))
    assert touched_spans(project, act, open_report(project, "PMC1", ME)) == (span.uuid,)
    assert touched_annotators(project, act) == (ME,)
    set_concept(project, span.uuid, "HPO", FEVER)
    assert codes(project) == [(f"{FEVER} human",)]
    set_concept(project, span.uuid, "HPO", SEIZURE, beside=True)
    assert codes(project) == [(f"{FEVER} human", f"{SEIZURE} human")]
    clear_concept(project, span.uuid, "hpo", FEVER)
    clear_concept(project, span.uuid, "hpo")
    assert codes(project) == [()]
    acts = list_history(project)
    assert clear_concept(project, span.uuid, "hpo") == clear_concept(project, span.uuid, "x") == Changed()
    assert list_history(project) == acts
    for expected in (
        [(f"{SEIZURE} human",)],
        [(f"{FEVER} human", f"{SEIZURE} human")],
        [(f"{FEVER} human",)],
    ):
        undo_change(project)
        assert codes(project) == expected
    redo_change(project)
    assert codes(project) == [(f"{FEVER} human", f"{SEIZURE} human")]
    assert check_project(project) == []


@pytest.mark.parametrize(
    ("asked", "taken"), [("HP:0000368", "HP:0000358"), ("hp:0001275", SEIZURE)], ids=["replaced", "merged"]
)
def test_a_retired_or_merged_code_is_mapped_and_that_is_said(
    project: Project, asked: str, taken: str
) -> None:
    changed = set_concept(project, labelled(project).uuid, "HPO", asked)
    assert changed.edited[0].concepts[0].code == taken
    assert f"{asked.upper()} is now {taken}" in changed.notes[0]


@pytest.mark.parametrize("code", ["HP:0000489", "HP:9999999", ""], ids=["retired", "invented", "none"])
def test_a_code_that_cannot_be_taken_changes_nothing(project: Project, code: str) -> None:
    span = labelled(project)
    with pytest.raises(UnknownNameError, match="search for another"):
        set_concept(project, span.uuid, "HPO", code)
    assert codes(project) == [()]


def test_a_concept_goes_with_its_span_and_comes_back_with_it(project: Project) -> None:
    span = labelled(project)
    set_concept(project, span.uuid, "HPO", SEIZURE)
    start, end = span.finding.start or 0, span.finding.end or 0
    moved = move_span(project, span.uuid, start - len("severe "), end)
    assert [one.code for one in moved.edited[0].concepts] == [SEIZURE]
    remove_spans(project, [span.uuid])
    undo_change(project)
    assert codes(project) == [(f"{SEIZURE} human",)]


def test_what_a_span_stands_for_comes_back_in_its_order(project: Project) -> None:
    span = labelled(project)
    for number, code in enumerate((SEIZURE, FEVER, "HP:0002315")):
        set_concept(project, span.uuid, "HPO", code, beside=number > 0)
    before = codes(project)
    remove_spans(project, [span.uuid])
    undo_change(project)
    assert codes(project) == before


def test_what_a_run_stands_for_stays_and_comes_along_where_it_is_accepted(project: Project) -> None:
    theirs = open_report(project, "PMC1", RUN).annotations[0]
    with pytest.raises(ProjectError, match="accept it first"):
        set_concept(project, theirs.uuid, "HPO", FEVER)
    coded = labelled(project)
    set_concept(project, coded.uuid, "HPO", FEVER)
    accept_spans(project, "Ben", [coded.uuid])
    assert codes(project, "Ben") == [(f"{FEVER} accepted",)]
    # And through the review, where an accepted span can be rejected again.
    judge_spans(project, "Cleo", [coded.uuid], "accepted")
    assert codes(project, "Cleo") == [(f"{FEVER} accepted",)]
    judge_spans(project, "Cleo", [coded.uuid], "rejected")
    assert codes(project, "Cleo") == []
    undo_change(project)
    assert codes(project, "Cleo") == [(f"{FEVER} accepted",)]
    (taken,) = open_report(project, "PMC1", "Cleo").annotations
    set_concept(project, taken.uuid, "HPO", SEIZURE, beside=True)
    judge_spans(project, "Cleo", [coded.uuid], "rejected")
    assert codes(project, "Cleo") == []
    assert check_project(project) == []


def test_suggestions_for_spans_without_a_concept_change_nothing(project: Project) -> None:
    span = labelled(project)
    (one,) = find_concepts(project, ME, shipped_hpo())
    assert (one.uuid, one.hit.code) == (span.uuid, "HP:0002315")
    assert (one.report, one.quote, one.by, len(one.hits)) == ("PMC1", "headache", "", 1)
    assert one.place == (span.finding.start, span.finding.end)
    assert find_concepts(project, ME, shipped_hpo(), report="PMC1") == (one,)
    assert find_concepts(project, "Nobody", shipped_hpo()) == ()
    with begin_act(project, "code", ME) as act:
        set_codings(act, span.document, span.uuid, [Coding("ICD11", "", "A", "", "", "human")])
    assert find_concepts(project, ME, shipped_hpo()) == (one,), "a code of another terminology is none"
    set_concept(project, span.uuid, "HPO", FEVER)
    assert find_concepts(project, ME, shipped_hpo()) == ()


def test_codes_from_elsewhere_are_those_in_use_now_each_once() -> None:
    old, now = (Coding("hpo", "", code, "", "", "imported") for code in ("HP:0001275", SEIZURE))
    strange = Coding("HPO", "1", "HP:9999999", "Oddity", "", "imported")
    # What says by itself what it is and of which release is left so; the release alone says too little.
    whole, bare = (Coding("hpo", "2020", SEIZURE, label, "", "imported") for label in ("Fits", ""))
    ((taken, kept, left), none), notes = current_codings([(old, now, bare, whole, strange), ()])
    assert kept == replace(whole, terminology="HPO")
    assert (taken.code, taken.label, taken.terminology, taken.origin) == (
        SEIZURE,
        "Seizure",
        "HPO",
        "imported",
    )
    assert (left, none) == (strange, ())
    assert [note[-4:] for note in notes] == ["(1).", "(1)."]

"""The profile of a report: what counts, what only is suggested, and what a person does to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.operations.annotate.concepts import ConceptSuggestion, set_concept
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.exporting import _terms as exported_terms
from app.operations.profile import concepts
from app.operations.profile import profile as profiles
from app.operations.profile.concepts import _ranked as ranked
from app.operations.profile.profile import Profile, find_phenotypes, is_relatives, profile_of
from app.operations.profile.profile import _terms as terms_of
from app.operations.profile.terms import accept, add, change, reject
from app.operations.project.files import check_project
from app.operations.project.history import list_history, redo_change, undo_change
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, find_annotations
from app.store.annotate.concepts import set_codings
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document, document
from extractors.model.coding import Coding
from extractors.model.document import Document, Section
from extractors.model.errors import ProjectError
from extractors.model.finding import Finding, Polarity
from extractors.model.progress import finished
from extractors.terminology.concept import Name
from extractors.terminology.search import Hit
from tests.builders import Kept

ME = "Ann"
TEXT = "A boy had seizures and no fever. His mother had ataxia. He may have scoliosis.\n"
SEIZURE, FEVER, ATAXIA, SCOLIOSIS = "HP:0001250", "HP:0001945", "HP:0001251", "HP:0002650"


def write_suggested(path: Path) -> None:
    """One report, in which the rules have found what there is."""
    with create_project_file(path, None, ME) as project:
        with begin_act(project, "add", ME) as act:
            section = Section("Case", ("Case",), 0, len(TEXT), ())
            add_document(act, Document("R", TEXT, (section,), {"pmcid": "1"}), "r.txt", "0" * 64)
        finished(find_phenotypes(project))


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with Project.open(kept.copy(write_suggested, tmp_path / "p.casespan"), write=True) as opened:
        yield opened


def mine(project: Project) -> Profile:
    return profile_of(project, "PMC1", ME)


def suggested(project: Project, code: str) -> str:
    return next(one.annotation.uuid for one in mine(project).suggestions if one.coding.code == code)


def place(words: str) -> tuple[int, int]:
    return TEXT.index(words), TEXT.index(words) + len(words)


def test_suggestions_count_from_when_a_person_accepts_them_and_a_relatives_never(project: Project) -> None:
    before = mine(project)
    assert (before.present, before.excluded, before.terms) == ((), (), ())
    assert {one.coding.code: one.status for one in before.suggestions}[SEIZURE] == "suggested"
    every = [one.annotation.uuid for one in before.suggestions]
    after = accept(project, ME, every).profile
    assert (after.present, after.excluded, after.uncertain) == ((SEIZURE,), (FEVER,), (SCOLIOSIS,))
    assert [term.coding.code for term in after.relatives] == [ATAXIA]
    assert after.releases == ("2025-01-16",)
    # What is uncertain is part of no profile elsewhere.
    assert [(one.code, one.denied, len(one.annotations)) for one in exported_terms(after)] == [
        (SEIZURE, False, 1),
        (FEVER, True, 1),
    ]
    assert {one.status for one in after.suggestions} == {"accepted"}
    assert {span.origin for term in after.terms for span in term.spans} == {"accepted"}
    undo_change(project)
    assert mine(project) == before
    redo_change(project)
    assert mine(project).present == (SEIZURE,)
    # The rules run again keep what was said of them, and what is the person's.
    finished(find_phenotypes(project))
    assert {one.status for one in mine(project).suggestions} == {"accepted"}
    assert check_project(project) == []


def test_rejected_suggestions_stay_rejected_and_can_be_accepted_later(project: Project) -> None:
    uuid = suggested(project, SEIZURE)
    accept(project, ME, [uuid])
    rejected = reject(project, ME, [uuid]).profile
    assert (rejected.present, rejected.suggestions[0].status) == ((), "rejected")
    assert accept(project, ME, [uuid]).profile.present == (SEIZURE,)
    # A term that is taken out of the profile is no longer accepted, and can be again.
    (term,) = mine(project).terms
    out = reject(project, ME, [term.spans[0].uuid]).profile
    assert (out.present, out.suggestions[0].status) == ((), "suggested")
    assert accept(project, ME, [uuid]).profile.present == (SEIZURE,)
    for _ in range(5):
        undo_change(project)
    assert mine(project).suggestions[0].status == "suggested"
    assert check_project(project) == []


def test_a_suggestion_and_a_term_can_be_changed(project: Project) -> None:
    narrower = "HP:0002069"
    accept(project, ME, [suggested(project, SEIZURE)])
    changed = change(project, ME, suggested(project, SEIZURE), code=narrower, onset=" p3y").profile
    (term,) = changed.terms
    assert (term.coding.code, term.coding.onset, term.spans[0].origin) == (narrower, "P3Y", "edited")
    assert changed.suggestions[0].status == "accepted"
    again = change(project, ME, term.spans[0].uuid, code="HP:0001275", polarity="negated", onset="HP:0003623")
    assert again.profile.excluded == (SEIZURE,)
    assert again.profile.terms[0].coding.onset == "HP:0003623"
    assert "is now HP:0001250" in again.notes[0]
    undo_change(project)
    assert mine(project) == changed
    # Another code leaves when it began as it was said.
    (term,) = change(project, ME, term.spans[0].uuid, code=SEIZURE).profile.terms
    assert (term.coding.code, term.coding.onset) == (SEIZURE, "P3Y")
    with pytest.raises(ProjectError, match="is no onset"):
        change(project, ME, term.spans[0].uuid, onset="in spring")
    (moved,) = change(project, ME, term.spans[0].uuid, place=place("scoliosis")).profile.terms
    assert (moved.spans[0].finding.quote, moved.coding.onset) == ("scoliosis", "P3Y")
    (of_mother,) = change(project, ME, term.spans[0].uuid, relative=True).profile.relatives
    assert of_mother.spans[0].uuid == term.spans[0].uuid


def test_what_says_the_same_once_more_is_no_act_and_what_was_accepted_and_changed_is_edited(
    project: Project,
) -> None:
    seizure, fever = suggested(project, SEIZURE), suggested(project, FEVER)
    accept(project, ME, [seizure])
    reject(project, ME, [fever])
    (term,) = mine(project).terms
    (dated,) = change(project, ME, term.spans[0].uuid, onset="P2Y").profile.terms
    assert (term.coding.origin, dated.coding.origin) == ("accepted", "edited")
    acts, before = len(list_history(project)), mine(project)
    accept(project, ME, [seizure])
    reject(project, ME, [fever])
    change(project, ME, term.spans[0].uuid, code=SEIZURE, onset="p2y", polarity="present")
    assert (len(list_history(project)), mine(project)) == (acts, before)


def test_a_term_of_ones_own_stays_ones_own_when_it_is_changed_and_one_taken_over_is_edited(
    project: Project,
) -> None:
    made = {
        "human": add(project, ME, "PMC1", SEIZURE).profile,
        "edited": accept(project, "Ben", [suggested(project, SEIZURE)]).profile,
    }
    for origin, profile in made.items():
        (term,) = profile.terms
        changed = change(project, profile.annotator, term.spans[0].uuid, polarity="uncertain").profile
        assert [(span.origin, span.finding.polarity) for one in changed.terms for span in one.spans] == [
            (origin, "uncertain")
        ]


def test_terms_are_added_from_a_selection_or_without_a_place(project: Project) -> None:
    added = add(project, ME, "PMC1", FEVER, place=place("fever")).profile
    assert added.excluded == (FEVER,)
    of_mother = add(project, ME, "PMC1", ATAXIA, place=place("ataxia"))
    assert (of_mother.profile.present, [t.coding.code for t in of_mother.profile.relatives]) == ((), [ATAXIA])
    assert "does not enter the profile" in of_mother.notes[0]
    bare = add(project, ME, "PMC1", SCOLIOSIS, onset="P6M").profile
    assert (bare.present, bare.terms[-1].spans[0].finding.start) == ((SCOLIOSIS,), None)
    assert add(project, ME, "PMC1", SCOLIOSIS, onset="P6M").profile == bare
    add(project, ME, "PMC1", SEIZURE, place=place("no fever"), polarity="negated", onset="P1Y")
    present = add(project, ME, "PMC1", SEIZURE, place=place("seizures"), onset="").profile
    assert [t.coding.onset for t in present.terms if t.coding.code == SEIZURE] == [""]
    for _ in range(5):
        undo_change(project)
    assert mine(project).terms == ()
    # The same words may stand for several terms.
    for code in (SEIZURE, SCOLIOSIS, SEIZURE):
        add(project, ME, "PMC1", code, place=place("seizures"))
    assert sorted(mine(project).present) == [SEIZURE, SCOLIOSIS]


def test_spans_of_categories_count_by_what_they_stand_for_unless_a_relative_has_it(project: Project) -> None:
    for words, code in (("no fever", FEVER), ("ataxia", ATAXIA)):
        polarity: Polarity = "negated" if words.startswith("no") else "present"
        span = add_span(project, ME, SpanPlace("PMC1", *place(words)), "Neuro", polarity=polarity)
        set_concept(project, span.added[0].uuid, "HPO", code)
    other = add_span(project, ME, SpanPlace("PMC1", *place("seizures")), "Neuro").added[0].uuid
    with begin_act(project, "code", ME) as act:
        coding = Coding("MESH", "", "D012640", "Seizures", "", "human")
        set_codings(act, document(project, "PMC1").uuid, other, (coding,))
    found = mine(project)
    assert (found.present, found.excluded) == ((), (FEVER,))
    assert [term.coding.code for term in found.relatives] == [ATAXIA]
    (fever,) = found.terms[0].spans
    with begin_act(project, "code", ME) as act:
        set_codings(act, document(project, "PMC1").uuid, fever.uuid, (*fever.concepts, coding))
    reject(project, ME, [fever.uuid])
    assert mine(project).terms == ()
    # What it stands for in another terminology is no term of the profile, and stays.
    assert [one.code for one in find_annotations(project, [fever.uuid])[0].concepts] == ["D012640"]
    assert document(project, "PMC1").key == "PMC1"


def test_what_is_not_a_suggestion_cannot_be_accepted(project: Project) -> None:
    own = add(project, ME, "PMC1", SEIZURE, place=place("seizures")).profile.terms[0].spans[0].uuid
    with pytest.raises(ProjectError, match="choose a suggestion"):
        accept(project, ME, [own])
    with pytest.raises(ProjectError, match="not a term of Ben"):
        change(project, "Ben", own, polarity="negated")
    plain = add_span(project, ME, SpanPlace("PMC1", *place("no fever")), "Neuro").added[0].uuid
    with pytest.raises(ProjectError, match="stands for no term yet"):
        change(project, ME, plain, onset="P1Y")
    with pytest.raises(ProjectError, match="of one report"):
        accept(project, ME, [])


def test_a_term_that_is_changed_keeps_what_it_stands_for_in_other_terminologies(project: Project) -> None:
    uuid = add(project, ME, "PMC1", SEIZURE, place=place("seizures")).profile.terms[0].spans[0].uuid
    other = Coding("MESH", "", "D012640", "Seizures", "", "human")
    with begin_act(project, "code", ME) as act:
        codings = find_annotations(project, [uuid])[0].concepts
        set_codings(act, document(project, "PMC1").uuid, uuid, (*codings, other))
    change(project, ME, uuid, onset="P6M")
    codes = {one.code: one.onset for one in find_annotations(project, [uuid])[0].concepts}
    assert codes == {SEIZURE: "P6M", "D012640": ""}


def test_a_term_is_present_where_it_is_anywhere_and_began_where_it_is_said_to_be_there() -> None:
    def said(polarity: Polarity, code: str = SEIZURE, onset: str = "") -> tuple[Annotation, Coding]:
        coding = Coding("HPO", "r", code, "label", "", "human", onset)
        finding = Finding("", "words", 0, 5, "", polarity)
        one = Annotation(f"{polarity}{onset}", "d", "a", finding, "words", "human", 0, "", None, (), None, "")
        return one, coding

    def terms(*pairs: tuple[Annotation, Coding]) -> list[tuple[str, str, str, int]]:
        return [(one.coding.code, one.polarity, one.coding.onset, len(one.spans)) for one in terms_of(pairs)]

    denied, unsure = said("negated", onset="P1Y"), said("uncertain", onset="P9Y")
    assert terms(
        unsure, denied, said("present"), said("present", onset="P3Y"), said("present", onset="P4Y")
    ) == [(SEIZURE, "present", "P3Y", 5)]
    assert terms(unsure, said("uncertain", FEVER), said("negated"), denied) == [
        (SEIZURE, "negated", "P1Y", 3),
        (FEVER, "uncertain", "", 1),
    ]
    assert terms(unsure, said("present")) == [(SEIZURE, "present", "", 2)]


def test_a_model_orders_the_concepts_it_names_and_leaves_the_others_behind_in_their_order() -> None:
    hits = tuple(Hit(code, code, Name(code, "label"), 1.0, leaf=True) for code in "abcd")
    one = ConceptSuggestion("u", "R", "words", (0, 5), hits)
    assert ranked(one, (), "run") is one
    found = ranked(one, ("c", "x", "b"), "run")
    assert ([hit.code for hit in found.hits], found.by) == (["c", "b", "a", "d"], "run")


def test_a_quote_under_a_field_of_the_family_tells_of_a_relative_whatever_its_words(project: Project) -> None:
    span = add_span(project, ME, SpanPlace("PMC1", *place("seizures")), "Neuro").added[0]
    assert not is_relatives(span, TEXT)
    assert is_relatives(replace(span, finding=replace(span.finding, field="family history")), TEXT)
    assert is_relatives(replace(span, finding=replace(span.finding, start=4, end=9, field="family")), TEXT)
    (mother,) = add_span(project, ME, SpanPlace("PMC1", *place("ataxia")), "Neuro").added
    assert is_relatives(mother, TEXT)
    # A term itself says of whom it is.
    assert not is_relatives(replace(mother, layer="phenotype"), TEXT)


def test_of_models_that_were_asked_about_a_span_the_last_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [
        SimpleNamespace(name=name, uuid=name, settings={"task": task, "terminology": "HPO"})
        for name, task in (
            ("first", "concepts"),
            ("last", "concepts"),
            ("other", "terms"),
            ("silent", "concepts"),
        )
    ]
    given = {"first": ["A"], "last": ["B", "A"], "other": ["C"], "silent": []}
    monkeypatch.setattr(concepts, "runs", lambda _: asked)
    monkeypatch.setattr(
        concepts, "answers", lambda _, run, __: [SimpleNamespace(question="span", value=given[run])]
    )
    found = concepts.model_ranking(None, "span", "report")  # type: ignore[arg-type]
    assert found == concepts.ModelRanking("last", "HPO", ("B", "A"))
    assert concepts.model_ranking(None, "else", "report") is None  # type: ignore[arg-type]


def test_what_a_person_coded_stays_a_persons_when_it_began_otherwise_and_is_no_news(
    project: Project,
) -> None:
    added = add(project, ME, "PMC1", ATAXIA, place=place("ataxia"), relative=True)
    assert added.notes == ()
    (term,) = added.profile.relatives
    (changed,) = change(project, ME, term.spans[0].uuid, onset="P1Y").profile.relatives
    assert (changed.coding.onset, changed.coding.origin) == ("P1Y", "human")


def test_of_two_that_begin_together_the_shorter_is_first_and_what_is_not_the_patients_began_never(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def at(start: int | None, end: int | None) -> Any:  # noqa: ANN401
        return SimpleNamespace(finding=SimpleNamespace(start=start, end=end))

    places = [profiles._place(at(*one)) for one in ((0, 9), (0, 5), (None, None))]
    assert sorted(places) == [places[1], places[0], places[2]]
    monkeypatch.setattr("extractors.phenotypes.onset.onset_of", lambda *_: "P3Y")
    rules: Any = SimpleNamespace(release="1")
    found: Any = SimpleNamespace(start=0, end=5, code=FEVER, label="Fever", uri="")
    for polarity, relative, onset in (
        *(("present", False, "P3Y"), ("present", True, "")),
        *(("negated", False, ""), ("uncertain", False, "")),
    ):
        found.polarity, found.relative = polarity, relative
        assert profiles._coding(rules, found, "fever").onset == onset
    said: Any = SimpleNamespace(layer="phenotype")
    run: Any = SimpleNamespace(kind="run", name="rules")
    assert profiles._suggests(said, run, ME)
    assert not profiles._suggests(said, run, "rules"), "it is what the run itself has"

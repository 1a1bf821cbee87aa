"""What is read from an open project: the report, the same words elsewhere, what is next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.operations.annotate import report as reading
from app.operations.annotate.report import (
    find_same,
    next_report,
    open_report,
    touched_annotators,
    touched_place,
    touched_reports,
    touched_spans,
    where_left_off,
)
from app.operations.annotate.spans import SpanPlace, add_span, add_spans, remove_spans, set_review_state
from app.operations.annotate.views import keep_guess
from app.operations.guidelines.amendments import amend_guideline
from app.operations.project.history import list_history, undo_change
from app.operations.project.reports import delete_reports
from app.operations.rate.ratings import rate_output
from app.operations.review.verdicts import judge_spans
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.concepts import set_codings
from app.store.creation import create_project_file
from app.store.extract.runs import Answer, put_answer, runs, start_run
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.coding import Coding
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


def set_concept_of(project: Project, uuid: str) -> None:
    document = open_report(project, "PMC1", "Ann").stored.uuid
    with begin_act(project, "code", "Ann") as act:
        set_codings(act, document, uuid, [Coding("HPO", "", "HP:0001250", "Seizure", "", "human")])


def places(project: Project, text: str, first: str = "") -> list[tuple[str, int, int]]:
    found = find_same(project, text, "Ann", "Neuro", first=first)
    assert found.total == len(found.places)
    return [(place.report, place.start, place.end) for place in found.places]


def test_a_report_opens_with_ones_own_spans_only_and_changes_nothing(project: Project) -> None:
    add(project, "A headache.")
    (mine,) = add_span(project, "Ann", SpanPlace("PMC1", 2, 10), "Neuro").added
    add_span(project, "Bob", SpanPlace("PMC1", 0, 1), "Neuro")
    assert list_history(project)[-1].who == "Ann", "whose project it is"
    acts = len(list_history(project))
    report = open_report(project, "PMC1", "Ann")
    assert (report.text, report.annotations, report.review.state) == ("A headache.", (mine,), "in progress")
    stranger = open_report(project, "PMC1", "Nobody yet")
    assert (stranger.annotations, stranger.review.state) == ((), "untouched")
    assert len(list_history(project)) == acts


def test_the_same_words_are_found_whole_in_any_case_in_code_points_the_open_report_first(
    project: Project,
) -> None:
    add(project, "Fevers. fever", "😊 FEVER, feverish prefever fever")
    assert places(project, "fever", first="PMC2") == [("PMC2", 2, 7), ("PMC2", 27, 32), ("PMC1", 8, 13)]
    found = find_same(project, "fever", "Ann", "Neuro", first="PMC2", only_first=True)
    assert [place.text for place in found.places] == ["FEVER", "fever"]
    assert (found.places[0].left, found.places[0].right) == ("😊 ", ", feverish prefever fever")


@pytest.mark.parametrize(
    ("text", "words", "starts"),
    [
        ("cafe\u0301 cafe", "cafe", [6]),  # a combining accent belongs to its letter
        ("xcafe\u0301e cafe\u0301", "cafe\u0301", [8]),
        ("2.5 mg, 5 mg, 15 mg", "5 mg", [8]),
        ("12.5, 12. Then 12", "12", [6, 15]),
        ("blood\npressure, blood \u00a0pressure", "blood pressure", [0, 16]),
        ("患者发热三天", "发热", [2]),
        ("(+) and (+)", "(+)", [0, 8]),
        ("aa a", "a", [3]),
        ("xa a a", "a a", [3]),
    ],
)
def test_a_place_cuts_neither_word_nor_number(
    project: Project, text: str, words: str, starts: list[int]
) -> None:
    add(project, text)
    assert [start for _, start, _ in places(project, words)] == starts


def test_what_is_labelled_so_already_is_left_out_but_not_what_is_labelled_otherwise(project: Project) -> None:
    add(project, "fever, high fever, fever, high fever")
    add_span(project, "Ann", SpanPlace("PMC1", 0, 5), "Neuro")
    add_span(project, "Ann", SpanPlace("PMC1", 7, 17), "Neuro")
    add_span(project, "Ann", SpanPlace("PMC1", 19, 24), "GU")
    add_span(project, "Bob", SpanPlace("PMC1", 19, 24), "Neuro")
    add_span(project, "Ann", SpanPlace("PMC1", 26, 32), "Neuro")
    assert places(project, "fever") == [("PMC1", 19, 24), ("PMC1", 31, 36)]


def test_places_are_capped_but_all_counted_and_blank_words_are_nowhere(project: Project) -> None:
    add(project, "a " * 5, "a " * 4, "b")
    found = find_same(project, "a", "Ann", "Neuro", most=6)
    assert (len(found.places), found.total, found.reports) == (6, 9, 2)
    assert find_same(project, " \n", "Ann", "Neuro").total == 0
    with pytest.raises(UnknownNameError):
        find_same(project, "a", "Ann", "Neuro", first="PMC9")


def test_next_is_the_following_report_round_the_end_that_is_neither_parked_nor_done(project: Project) -> None:
    add(project, "one", "two", "three", "four")
    assert next_report(project, "Ann") == "PMC1"
    set_review_state(project, "Ann", "PMC2", "done")
    set_review_state(project, "Ann", "PMC3", "parked")
    set_review_state(project, "Bob", "PMC4", "done")
    assert next_report(project, "Ann", "PMC1") == "PMC4"
    assert next_report(project, "Ann", "PMC4") == "PMC1"
    set_review_state(project, "Ann", "PMC1", "done")
    assert next_report(project, "Ann", "PMC4") is None


def test_one_left_off_where_one_changed_something_last_undo_included(project: Project) -> None:
    assert where_left_off(project, "Ann") is None
    add(project, "one", "two", "three")
    assert where_left_off(project, "Ann") == "PMC1"
    add_span(project, "Ann", SpanPlace("PMC3", 0, 5), "Neuro")
    add_span(project, "Ann", SpanPlace("PMC2", 0, 3), "Neuro")
    add_span(project, "Bob", SpanPlace("PMC1", 0, 3), "Neuro")
    assert where_left_off(project, "Ann") == "PMC2"
    project.close()
    with Project.open(project.path, write=True) as again:
        assert where_left_off(again, "Ann") == "PMC2"
        set_review_state(again, "Ann", "PMC2", "done")
        assert where_left_off(again, "Ann") == "PMC3"
        set_review_state(again, "Ann", "PMC1", "done")
        set_review_state(again, "Ann", "PMC3", "done")
        assert where_left_off(again, "Ann") == "PMC3"


def test_an_undone_act_tells_which_reports_it_touched(project: Project) -> None:
    add(project, "one", "two")
    add_spans(project, "Ann", [SpanPlace("PMC2", 0, 3), SpanPlace("PMC1", 0, 3)], "Neuro")
    entry = undo_change(project)
    assert entry is not None
    assert touched_reports(project, entry.act) == ("PMC2", "PMC1")
    imported = undo_change(project)
    assert imported is not None
    assert touched_reports(project, imported.act) == ()


def test_an_act_tells_whose_spans_it_touched_and_where_the_first_stands(project: Project) -> None:
    add(project, "one two three", "one two three")
    places_of = ((8, 13), (4, 7), (0, 3))
    first, second, third = (
        add_span(project, "Ann", SpanPlace("PMC1", *place), "Neuro").added[0].uuid for place in places_of
    )
    add_span(project, "Bob", SpanPlace("PMC2", 4, 7), "Neuro")
    last = list_history(project)[-1].act
    report, other = open_report(project, "PMC1", "Ann"), open_report(project, "PMC2", "Ann")
    assert (touched_place(project, last, report), touched_place(project, last, other)) == (None, (4, 7))
    assert touched_spans(project, last, other) == ()
    assert touched_annotators(project, last) == ("Bob",)
    with begin_act(project, "change", "Ann") as act:
        lost = Finding("CVS", "gone", None, None, grounding="ungrounded", reason="absent")
        holder = annotator(project, "Ann").uuid
        act.update("annotation", first, {"note": "x"})
        (unplaced,) = add_annotations(act, report.stored.uuid, holder, [lost], "human")
        act.update("annotation", second, {"note": "x"})
    changed = list_history(project)[-1].act
    found = touched_spans(project, changed, open_report(project, "PMC1", "Ann"))
    assert found == (second, first, unplaced.uuid)
    assert touched_place(project, changed, report) == (8, 13)
    remove_spans(project, [third])
    removed = list_history(project)[-1].act
    assert touched_place(project, removed, report) == (0, 3)
    assert touched_spans(project, removed, open_report(project, "PMC1", "Ann")) == ()
    assert touched_reports(project, removed) == ("PMC1",)
    set_concept_of(project, first)
    coded = list_history(project)[-1].act
    assert touched_spans(project, coded, open_report(project, "PMC1", "Ann")) == (first,)
    assert touched_annotators(project, coded) == ("Ann",)
    assert touched_place(project, coded, report) is None
    with begin_act(project, "gold", "Ann") as act:
        gold = ensure_annotator(act, "gold", "gold").uuid
        add_annotations(act, report.stored.uuid, gold, [Finding("CVS", "one", 0, 3)], "accepted")
    assert touched_annotators(project, list_history(project)[-1].act) == ()
    set_review_state(project, "Ann", "PMC2", "done")
    assert touched_place(project, list_history(project)[-1].act, other) is None
    delete_reports(project, ["PMC2"])
    assert list_history(project)[-1].name == "delete report PMC2"
    assert touched_annotators(project, list_history(project)[-1].act) == ()


def test_an_act_on_a_picture_touches_no_place_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    place = {"document": "d", "span_start": 1, "span_end": 2}
    done = [
        SimpleNamespace(before=None, after=place),
        SimpleNamespace(before={**place, "quote": "x"}, after=None),
    ]
    opened: Any = SimpleNamespace(stored=SimpleNamespace(uuid="d"))
    for number, found in ((1, None), (2, (1, 2))):
        monkeypatch.setattr(reading, "changes", lambda *_, number=number: done[:number])
        assert touched_place(cast(Any, None), "act", opened) == found


def test_an_act_tells_whose_verdict_rating_guess_or_answer_it_touched(project: Project) -> None:
    add(project, "one two three")
    uuid = add_span(project, "Bob", SpanPlace("PMC1", 4, 7), "Neuro").added[0].uuid

    def answer() -> None:
        for number in range(2):
            with begin_act(project, "answers", "Ann") as act:
                holder = ensure_annotator(act, "Cas", "person").uuid
                known = runs(project) or [start_run(act, holder, "person", "Cas", {"study": "toy"}, "1")]
                put_answer(act, known[0].uuid, Answer(str(number), "", "A"))

    acts: tuple[Callable[[], object], ...] = (
        lambda: judge_spans(project, "Cas", [uuid], "rejected"),
        lambda: rate_output(project, "Cas", "Bob", "PMC1", {"accuracy": 4}),
        lambda: keep_guess(project, "PMC1", "T1", 1, "Gout?", "0" * 64, "Cas"),
        lambda: amend_guideline(project, "Cas", "Neuro", "include", "Tremor"),
        answer,
    )
    for change in acts:
        change()
        assert touched_annotators(project, list_history(project)[-1].act) == ("Cas",)

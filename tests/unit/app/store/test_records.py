"""Reviews, runs, generations and decisions."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.store.act import begin_act
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.reviews import Review, review_of, reviews, set_review
from app.store.extract.runs import (
    CallRecord,
    GenerationState,
    add_generation,
    count_generations,
    finish_run,
    generations,
    go_on_with_run,
    runs,
    start_run,
)
from app.store.history import changes, history, undo
from app.store.project import Project
from app.store.reconcile.decisions import Decision, add_decision, decisions
from app.store.reports.documents import StoredDocument, add_document
from extractors.model.document import Document
from extractors.model.errors import UnknownNameError
from extractors.model.finding import Finding


@pytest.fixture
def stored(project: Project, report: Callable[..., Document]) -> StoredDocument:
    with begin_act(project, "add", "Ann") as act:
        return add_document(act, report(pmcid="12"), "one.xml", "0" * 64)


@pytest.fixture
def ann(project: Project) -> str:
    return annotator(project, "Ann").uuid


def test_a_review_changes_only_what_is_given(project: Project, stored: StoredDocument, ann: str) -> None:
    assert review_of(project, stored.uuid, ann) == Review(stored.uuid, ann, "untouched", (), ())
    assert reviews(project) == []
    with begin_act(project, "review", "Ann") as act:
        set_review(act, stored.uuid, ann, looked_at=["GI", "Neuro", "GI"], nothing_found=["GI"])
    with begin_act(project, "review", "Ann") as act:
        set_review(act, stored.uuid, ann, state="done")
    expected = Review(stored.uuid, ann, "done", ("GI",), ("Neuro", "GI"))
    assert reviews(project) == [expected]
    assert review_of(project, stored.uuid, ann) == expected
    with begin_act(project, "review", "Ann") as act:
        assert set_review(act, stored.uuid, ann, nothing_found=["GI"]) == expected


def test_nothing_found_can_be_taken_back(project: Project, stored: StoredDocument, ann: str) -> None:
    with begin_act(project, "review", "Ann") as act:
        set_review(act, stored.uuid, ann, nothing_found=["GI"])
        set_review(act, stored.uuid, ann, nothing_found=[])
    assert review_of(project, stored.uuid, ann).nothing_found == ()


def test_the_same_review_again_is_no_act(project: Project, stored: StoredDocument, ann: str) -> None:
    with begin_act(project, "review", "Ann") as act:
        set_review(act, stored.uuid, ann, state="parked")
    before = history(project)
    with begin_act(project, "review", "Ann") as act:
        set_review(act, stored.uuid, ann, state="parked")
    assert history(project) == before


def test_a_review_knows_the_schemes_categories_only(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    with begin_act(project, "review", "Ann") as act, pytest.raises(UnknownNameError):
        set_review(act, stored.uuid, ann, looked_at=["Teeth"])


def test_a_run_and_its_answers_come_back_whole(project: Project, stored: StoredDocument) -> None:
    reply = '["headache"] and a thought 😊'
    settings = {"model": "llama3:8b", "digest": "abc", "options": {"seed": 7, "temperature": 0.0}}
    with begin_act(project, "run", "llama3:8b", undoable=False) as act:
        holder = ensure_annotator(act, "llama3:8b/fcsp/few-shot", "run")
        run = start_run(act, holder.uuid, "model", "fcsp", settings, "0.1.0")
        answer = CallRecord(
            subject=stored.uuid,
            question="Neuro",
            prompt_sha256="f" * 64,
            raw_reply=reply,
            started_at=act.at,
            seconds=1.25,
            tokens_in=900,
            tokens_out=12,
            done_reason="stop",
        )
        failed = CallRecord(stored.uuid, "", "e" * 64, None, act.at, error="no connection", state="failed")
        added = [add_generation(act, run.uuid, each) for each in (answer, failed, answer)]
    assert runs(project) == [run]
    assert (run.state, run.finished_at, run.settings) == ("running", None, settings)
    assert generations(project, run.uuid) == added
    with begin_act(project, "run", "llama3:8b", undoable=False) as act:
        finish_run(act, run.uuid, "cancelled")
    (ended,) = runs(project)
    assert ended.state == "cancelled"
    assert ended.finished_at is not None
    with begin_act(project, "run", "llama3:8b", undoable=False) as act:
        assert go_on_with_run(act, ended, settings) == run
    assert runs(project) == [run]


def test_what_is_asked_several_times_counts_each_time_by_its_best_answer(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    with begin_act(project, "run", "model", undoable=False) as act:
        run = start_run(act, ann, "model", "fcsp", {}, "0.1.0").uuid
        asked = CallRecord(stored.uuid, "GI", "e" * 64, None, act.at)
        came: dict[str, tuple[GenerationState, ...]] = {
            "1": ("done", "failed"),
            "2": ("failed", "incomplete"),
        }
        for again, states in came.items():
            for state in states:
                add_generation(act, run, replace(asked, state=state, again=again))
        add_generation(act, run, replace(asked, prompt_sha256=""))
    assert count_generations(project) == Counter({(run, "done"): 1, (run, "incomplete"): 1})


def test_replies_and_texts_stand_once_and_not_in_the_history(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    reply = "a reply long enough to be recognised"
    with begin_act(project, "run", "model", undoable=False) as act:
        run = start_run(act, ann, "model", "fcsp", {}, "0.1.0")
        for _ in range(3):
            add_generation(act, run.uuid, CallRecord(stored.uuid, "", "e" * 64, reply, act.at))
    digest = hashlib.sha256(reply.encode()).hexdigest()
    assert project.query("SELECT count(*) AS n FROM text WHERE sha256 = ?", [digest]) == [{"n": 1}]
    told = str([changes(project, entry.act) for entry in history(project)])
    assert reply not in told
    assert stored.document.text not in told
    assert digest in told


def test_records_that_are_not_undoable_are_passed_over(
    project: Project, stored: StoredDocument, ann: str
) -> None:
    with begin_act(project, "review", "Ann") as act:
        set_review(act, stored.uuid, ann, state="done")
    with begin_act(project, "run", "rules", undoable=False) as act:
        start_run(act, ann, "rules", "rules", {}, "0.1.0")
    undone = undo(project, "Ann")
    assert undone is not None
    assert undone.name == "review"
    assert len(runs(project)) == 1


def test_an_unknown_run_cannot_end(project: Project) -> None:
    with begin_act(project, "run", "model") as act, pytest.raises(UnknownNameError, match="no run"):
        finish_run(act, "nobody", "done")


def test_decisions_come_back_in_the_order_taken(project: Project, stored: StoredDocument, ann: str) -> None:
    finding = Finding("GI", "vomiting", None, None, "sign", "uncertain", "ungrounded", "not there")
    with begin_act(project, "decide", "Ann") as act:
        ben = ensure_annotator(act, "Ben", "person").uuid
        sides = stored.uuid, "GI", ann, ben
        said = "boundary", "shorter", "Include, 2"
        first = add_decision(act, Decision(*sides, "left", (finding,), *said, confidence=0.5))
        second = add_decision(act, Decision(*sides, "neither"))
        with pytest.raises(UnknownNameError):
            add_decision(act, Decision(stored.uuid, "Teeth", ann, ben, "left"))
    assert decisions(project) == [first, second]
    assert first.findings == (finding,)

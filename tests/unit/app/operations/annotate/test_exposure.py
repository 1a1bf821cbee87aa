"""Blind first: what others have is shown on demand only, and every look is on record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.operations.annotate.exposure import OtherSet, disclose, disclose_all, list_others, unseen_reports
from app.operations.annotate.reports import list_reports
from app.operations.annotate.spans import (
    SpanPlace,
    add_span,
    relabel_span,
    remove_spans,
    set_review_state,
    state_nothing_found,
)
from app.operations.project.files import check_project
from app.operations.project.history import list_history, next_undo, redo_change, undo_change
from app.operations.review.verdicts import judge_spans
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.carried import Carried, add_carried
from app.store.annotate.disclosures import disclosures
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reconcile.decisions import Decision, add_decision
from app.store.reports.documents import add_document, document_summary
from extractors.model.document import Document
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import Finding
from tests.builders import Kept, is_blind

ME, OTHER, RUN = "Ann", "Bob", "rules"


def write_two(path: Path) -> None:
    """Two reports; in the first the rules have a quote with a place and one without, Bob has a span."""
    with create_project_file(path, None, ME) as made:
        with begin_act(made, "add", ME) as act:
            for number in "12":
                document = Document("R", f"A headache {number}.", (), {"pmcid": number})
                stored = add_document(act, document, "r.xml", "0" * 64)
                if number == "1":
                    rules = ensure_annotator(act, RUN, "run").uuid
                    found = Finding("Neuro", "headache", 2, 10)
                    lost = Finding("Neuro", "migraine", None, None, grounding="ungrounded")
                    add_annotations(act, stored.uuid, rules, [found, lost], "model")
        add_span(made, OTHER, SpanPlace("PMC1", 2, 10), "CVS")


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with kept.open(write_two, tmp_path / "study.casespan") as made:
        yield made
        assert check_project(made) == []


def looks(project: Project) -> list[tuple[str, str]]:
    """Whose set was shown in which review state, in order."""
    names = {row["uuid"]: row["name"] for row in project.query("SELECT uuid, name FROM annotator")}
    return [(names[look.shown], look.state) for look in disclosures(project)]


def test_others_are_named_and_counted_without_a_look(project: Project) -> None:
    add_span(project, ME, SpanPlace("PMC1", 2, 10), "Neuro")
    acts = list_history(project)
    assert list_others(project, "PMC1", ME) == (OtherSet(OTHER, "person", 1), OtherSet(RUN, "run", 2))
    assert list_others(project, "PMC2", ME) == ()
    report = document_summary(project, "PMC1").uuid
    with begin_act(project, "import", ME) as act:
        cy = ensure_annotator(act, "Cy", "person").uuid
        add_carried(
            act,
            [
                Carried("", report, cy, None, "Sign", "A", 0, 1, {}),
                Carried("", report, cy, None, "", "", None, None, {}),
            ],
        )
    assert list_others(project, "PMC1", ME)[1] == OtherSet("Cy", "person", 0, 1)
    assert [look.name for look in list_history(project)[len(acts) :]] == ["import"]
    assert is_blind(project, ME, "PMC1")
    with pytest.raises(UnknownNameError):
        list_others(project, "PMC3", ME)


def test_what_is_shown_is_all_that_the_others_have_in_that_report(project: Project) -> None:
    shown = disclose(project, ME, "PMC1", [RUN, OTHER])
    assert [one.finding.quote for one in shown.annotations[RUN]] == ["headache", "migraine"]
    assert [one.finding.category for one in shown.annotations[OTHER]] == ["CVS"]
    assert len(looks(project)) == 2
    assert disclose(project, ME, "PMC2", [RUN]).annotations == {RUN: ()}


def test_a_look_is_recorded_once_for_each_report_looker_set_and_state(project: Project) -> None:
    first = disclose(project, ME, "PMC1", [RUN])
    again = disclose(project, ME, "PMC1", [RUN, RUN, OTHER])
    assert [look.shown for look in disclosures(project)[1:]] == [again.annotations[OTHER][0].annotator]
    assert again.annotations[RUN] == first.annotations[RUN]
    add_span(project, ME, SpanPlace("PMC1", 2, 10), "Neuro")
    disclose(project, ME, "PMC1", [RUN])
    disclose(project, ME, "PMC2", [RUN])
    assert looks(project) == [
        (RUN, "untouched"),
        (OTHER, "untouched"),
        (RUN, "in progress"),
        (RUN, "untouched"),
    ]
    assert not is_blind(project, ME, "PMC1")
    assert not is_blind(project, ME, "PMC2")
    disclose(project, OTHER, "PMC1", [RUN, RUN])
    assert len(looks(project)) == 5


def test_a_report_stays_blind_where_others_are_shown_after_done(project: Project) -> None:
    set_review_state(project, ME, "PMC1", "done")
    disclose(project, ME, "PMC1", [RUN])
    assert looks(project) == [(RUN, "done")]
    assert is_blind(project, ME, "PMC1")
    set_review_state(project, ME, "PMC1", "in progress")
    assert is_blind(project, ME, "PMC1")
    disclose(project, ME, "PMC1", [RUN])
    assert not is_blind(project, ME, "PMC1")
    assert is_blind(project, OTHER, "PMC1")


def label(project: Project) -> None:
    add_span(project, ME, SpanPlace("PMC1", 2, 10), "Neuro")


def relabel(project: Project) -> None:
    (mine,) = own_spans(project)
    relabel_span(project, mine, "CVS")


def unlabel(project: Project) -> None:
    remove_spans(project, own_spans(project))


def find_nothing(project: Project) -> None:
    state_nothing_found(project, ME, "PMC1", "GI")


def own_spans(project: Project) -> list[str]:
    rows = project.query(
        "SELECT n.uuid FROM annotation n JOIN annotator a ON a.uuid = n.annotator WHERE a.name = ?", [ME]
    )
    return [row["uuid"] for row in rows]


@pytest.mark.parametrize("change", [label, relabel, unlabel, find_nothing])
@pytest.mark.parametrize("reopened", [False, True])
def test_a_report_changed_after_others_were_shown_is_not_blind_and_undo_does_not_make_it_so(
    project: Project, change: Callable[[Project], None], reopened: bool
) -> None:
    if change in (relabel, unlabel):
        label(project)
    set_review_state(project, ME, "PMC1", "done")
    disclose(project, ME, "PMC1", [RUN])
    if reopened:
        set_review_state(project, ME, "PMC1", "in progress")
    assert is_blind(project, ME, "PMC1")
    change(project)
    assert not is_blind(project, ME, "PMC1")
    undo_change(project)
    assert not is_blind(project, ME, "PMC1")
    if not reopened:
        disclose(project, ME, "PMC1", [OTHER])
        assert not is_blind(project, ME, "PMC1"), "the first look counts"


def test_what_was_changed_before_the_look_elsewhere_or_by_others_leaves_a_report_blind(
    project: Project,
) -> None:
    label(project)
    set_review_state(project, ME, "PMC1", "done")
    disclose(project, ME, "PMC1", [RUN])
    add_span(project, ME, SpanPlace("PMC2", 2, 10), "Neuro")
    add_span(project, OTHER, SpanPlace("PMC1", 2, 10), "GI")
    for state in ("in progress", "parked", "done"):
        set_review_state(project, ME, "PMC1", state)
    assert is_blind(project, ME, "PMC1")


def test_a_change_counts_also_where_undo_took_the_annotator_away_in_between(project: Project) -> None:
    newcomer = "Cy"
    set_review_state(project, newcomer, "PMC1", "done")
    disclose(project, newcomer, "PMC1", [RUN])
    undo_change(project)
    assert is_blind(project, newcomer, "PMC1")
    add_span(project, newcomer, SpanPlace("PMC1", 2, 10), "Neuro")
    assert not is_blind(project, newcomer, "PMC1")


def test_ones_own_set_is_no_look(project: Project) -> None:
    acts = list_history(project)
    shown = disclose(project, OTHER, "PMC1", [OTHER])
    assert (shown.annotations, looks(project)) == ({}, [])
    assert list_history(project) == acts


def test_undo_passes_over_looks_and_looks_outlive_what_was_shown(project: Project) -> None:
    newcomer = "Cy"
    add_span(project, newcomer, SpanPlace("PMC1", 2, 10), "Neuro")
    disclose(project, newcomer, "PMC1", [RUN, OTHER])
    undo = next_undo(project)
    assert undo is not None
    assert undo.name == "label span as Neurology and cognition in PMC1"
    for _ in range(3):  # the newcomer's span, Bob's span with Bob, everything else
        assert undo_change(project) is not None
    assert list_reports(project, ME) == ()
    assert len(disclosures(project)) == 2
    for _ in range(3):
        assert redo_change(project) is not None
    assert not is_blind(project, newcomer, "PMC1")
    assert looks(project) == [(RUN, "in progress"), (OTHER, "in progress")]
    # Taken away and added anew, the annotator has another UUID and is the same person.
    undo_change(project)
    add_span(project, newcomer, SpanPlace("PMC1", 2, 10), "CVS")
    assert not is_blind(project, newcomer, "PMC1")


def test_a_looker_who_is_new_becomes_an_annotator(project: Project) -> None:
    disclose(project, "Dee", "PMC1", [RUN])
    assert project.query("SELECT kind FROM annotator WHERE name = 'Dee'") == [{"kind": "person"}]
    (look,) = disclosures(project)
    assert (look.annotator, look.state) == ("Dee", "untouched")


def test_looks_outlive_a_restart(project: Project) -> None:
    disclose(project, ME, "PMC1", [RUN])
    before = disclosures(project)
    project.close()
    with Project.open(project.path) as again:
        assert disclosures(again) == before
        disclose(again, ME, "PMC1", [RUN])
        assert disclosures(again) == before
        with pytest.raises(ProjectError, match="open for reading"):
            disclose(again, ME, "PMC1", [OTHER])


def test_who_may_not_look_and_what_is_not_there_is_refused_without_a_trace(project: Project) -> None:
    acts = list_history(project)
    with pytest.raises(ProjectError, match="kept for runs"):
        disclose(project, RUN, "PMC1", [OTHER])
    for key, name in (("PMC3", RUN), ("PMC1", "Nobody")):
        with pytest.raises(UnknownNameError):
            disclose(project, ME, key, [RUN, name])
    assert list_history(project) == acts


def test_looks_at_many_reports_are_one_act_and_only_what_is_new(project: Project) -> None:
    disclose(project, ME, "PMC1", [RUN])
    assert unseen_reports(project, ME, ["PMC1", "PMC2"], [RUN, OTHER]) == ("PMC1", "PMC2")
    assert unseen_reports(project, ME, ["PMC1", "PMC2"], [RUN]) == ("PMC2",)
    before = len(list_history(project))
    disclose_all(project, ME, ["PMC1", "PMC2"], [RUN, OTHER, ME])
    assert len(looks(project)) == 4
    assert len(list_history(project)) == before + 1
    assert list_history(project)[-1].name == "show rules, Bob in 2 reports"
    assert unseen_reports(project, ME, ["PMC1", "PMC2"], [RUN, OTHER]) == ()
    disclose_all(project, ME, ["PMC1", "PMC2"], [RUN, OTHER])
    assert len(list_history(project)) == before + 1
    disclose_all(project, OTHER, ["PMC2", "PMC1"], [RUN], named=False)
    disclose(project, "Cy", "PMC2", [RUN, OTHER])
    disclose(project, "Dee", "PMC2", [RUN, OTHER], named=False)
    assert [one.name for one in list_history(project)[-3:]] == [
        "show what is to be rated in 2 reports",
        "show rules, Bob in PMC2",
        "show what is to be rated in PMC2",
    ]


def test_what_was_seen_in_another_state_is_not_unseen_but_recorded_anew(project: Project) -> None:
    disclose_all(project, ME, ["PMC1"], [RUN])
    add_span(project, ME, SpanPlace("PMC1", 2, 10), "Neuro")
    assert unseen_reports(project, ME, ["PMC1"], [RUN]) == ()
    disclose_all(project, ME, ["PMC1"], [RUN])
    assert looks(project) == [(RUN, "untouched"), (RUN, "in progress")]


def test_whoever_has_judged_or_decided_on_quotes_has_seen_them(project: Project) -> None:
    (found, *_) = disclose(project, OTHER, "PMC1", [RUN]).annotations[RUN]
    judge_spans(project, ME, [found.uuid], "accepted")
    assert unseen_reports(project, ME, ["PMC1"], [RUN]) == ()
    assert unseen_reports(project, ME, ["PMC1"], [OTHER]) == ("PMC1",)
    add_span(project, "Dee", SpanPlace("PMC1", 2, 10), "Neuro")
    assert unseen_reports(project, "Dee", ["PMC1"], [RUN]) == ("PMC1",)
    left, right = (annotator(project, name).uuid for name in (RUN, OTHER))
    with begin_act(project, "decide", "Chi") as act:
        add_decision(act, Decision(found.document, "Neuro", left, right, "left", decided_by="Chi"))
        ensure_annotator(act, "gold", "gold")
    assert unseen_reports(project, "Chi", ["PMC1", "PMC2"], [RUN, OTHER, "gold"]) == ("PMC2",)
    for name in ([RUN, OTHER], ["gold"]):
        assert unseen_reports(project, "Dee", ["PMC1"], name) == ("PMC1",), "nobody else has"

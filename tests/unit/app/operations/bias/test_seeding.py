"""Planted errors: the same for a seed, to look at like the run's own, found again, and taken out again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.operations.annotate.reports import list_reports
from app.operations.annotate.spans import (
    SpanPlace,
    accept_spans,
    add_span,
    move_span,
    relabel_span,
    remove_spans,
    set_span_polarity,
)
from app.operations.bias.seeding import PlantedSummary, plant_errors, remove_planted
from app.operations.bias.seeding_rules import MISTAKES
from app.operations.bias.tables import describe_planting
from app.operations.compare.agreement import measure_agreement
from app.operations.exchange.exporting import export_annotations
from app.operations.project.caveats import caveats
from app.operations.project.files import check_project
from app.operations.project.history import list_history, undo_change
from app.operations.project.seeded_errors import list_planted_accepted, planted_sets
from app.operations.reconcile.queue import read_queue
from app.operations.review.verdicts import judge_spans
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, add_annotations, edit_annotation, read_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.reviews import reviews, set_review
from app.store.extract.runs import RunState, finish_run, planted, start_run
from app.store.project import Project
from app.store.reports.documents import add_document, texts
from extractors.model.document import Document
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.finding import Finding, Grounding
from tests.builders import Kept
from tests.unit.app.operations.helped import GOLD, ME, RUN, copy_set, make_helped, spans_of

COPY = "second look"
_WORD = re.compile(r"\w")


def write_eight(path: Path) -> None:
    """Eight reports with six spans each."""
    make_helped(path, 8).close()


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with kept.open(write_eight, tmp_path / "study.casespan") as made:
        yield made
        assert check_project(made) == []


def said(one: Annotation) -> tuple[object, ...]:
    finding = one.finding
    return one.document, finding.category, finding.start, finding.end, finding.polarity


def errors_of(project: Project, name: str = COPY) -> dict[str, list[Annotation]]:
    """The planted spans by kind."""
    by_uuid = {one.uuid: one for one in spans_of(project, name)}
    found: dict[str, list[Annotation]] = {kind: [] for kind in MISTAKES}
    for error in planted(project):
        found[error.kind].append(by_uuid[error.annotation])
    return found


def test_a_tenth_of_the_spans_is_spoilt_by_default_and_the_kinds_take_turns(project: Project) -> None:
    summary = plant_errors(project, RUN, COPY)
    assert (summary.annotator, summary.run, summary.wanted, summary.errors) == (COPY, RUN, 5, 5)
    assert summary.planted == {"spurious": 2, "label": 1, "boundary": 1, "polarity": 1}
    assert summary.spans == 50
    assert len(spans_of(project, COPY)) == 50
    assert Counter(one.kind for one in planted(project)) == summary.planted


def test_where_fewer_errors_were_planted_than_were_wanted_that_is_said() -> None:
    for wanted, sentences in ((3, 1), (4, 2)):
        said = describe_planting(PlantedSummary("copy", RUN, 9, {"label": 2, "polarity": 1}, wanted, 7))
        assert len(said) == sentences
        assert "3 of them wrong on purpose (2 label, 1 polarity; seed 7)" in said[0]
    assert said[1].startswith("4 were wanted; no more can be made")


def test_the_copy_is_named_after_the_run_where_no_name_is_given(project: Project) -> None:
    assert plant_errors(project, RUN, count=1).annotator == "helper for review"
    assert planted_sets(project) == {"helper for review": RUN}


def test_the_run_is_left_as_it_was_and_undo_takes_the_copy_away(project: Project) -> None:
    before, acts = spans_of(project, RUN), len(list_history(project))
    plant_errors(project, RUN, COPY, share=0.5)
    assert spans_of(project, RUN) == before
    assert len(list_history(project)) == acts + 1
    undo_change(project)
    assert planted(project) == []
    assert planted_sets(project) == {}
    with pytest.raises(UnknownNameError):
        spans_of(project, COPY)


def test_a_seed_always_plants_the_same_and_another_one_something_else(tmp_path: Path) -> None:
    found = []
    for number, seed in enumerate((7, 7, 8)):
        with make_helped(tmp_path / f"{number}.casespan", 8) as project:
            plant_errors(project, RUN, COPY, share=0.5, seed=seed)
            keys = {report.uuid: report.key for report in list_reports(project, ME)}
            found.append(
                {
                    (keys[one.document], *said(one)[1:], kind)
                    for kind, spans in errors_of(project).items()
                    for one in spans
                }
            )
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_every_error_is_wrong_in_its_way_and_nobody_has_said_the_same(project: Project) -> None:
    copy_set(project, RUN, GOLD)
    plant_errors(project, RUN, COPY, count=40, seed=3)
    known = {said(one) for name in (RUN, GOLD) for one in spans_of(project, name)}
    own = spans_of(project, RUN)
    errors = errors_of(project)
    assert all(len(spans) >= 8 for spans in errors.values())
    assert not known & {said(one) for spans in errors.values() for one in spans}

    def met(one: Annotation, *, category: bool) -> list[Annotation]:
        return [
            other
            for other in own
            if other.document == one.document
            and (other.finding.start or 0) < (one.finding.end or 0)
            and (one.finding.start or 0) < (other.finding.end or 0)
            and (not category or other.finding.category == one.finding.category)
        ]

    assert all(not met(one, category=False) for one in errors["spurious"])
    for one in errors["label"]:
        assert [other.surface for other in met(one, category=False)] == [one.surface]
        assert not met(one, category=True)
    for one in errors["boundary"]:
        (other,) = met(one, category=True)
        assert other.finding.polarity == one.finding.polarity
        assert other.surface != one.surface
    for one in errors["polarity"]:
        (other,) = met(one, category=True)
        assert {other.finding.polarity, one.finding.polarity} == {"present", "negated"}
        assert other.surface == one.surface


def test_no_error_reaches_outside_the_text_cuts_a_word_or_runs_over_a_line(project: Project) -> None:
    plant_errors(project, RUN, COPY, count=48, seed=5)
    text_of = texts(project)
    for spans in errors_of(project).values():
        for one in spans:
            text, start, end = text_of[one.document], one.finding.start or 0, one.finding.end or 0
            assert 0 <= start < end <= len(text)
            assert one.finding.quote == text[start:end]
            assert "\n" not in one.finding.quote
            for edge in (start, end):
                assert not _WORD.match(text[edge : edge + 1]) or not _WORD.match(text[edge - 1 : edge])


def test_nothing_but_the_record_tells_an_error_from_the_spans_beside_it(project: Project) -> None:
    with begin_act(project, "notes of the run", RUN) as noting:
        for one in spans_of(project, RUN):
            edit_annotation(noting, one.uuid, note="by rule 3")
    plant_errors(project, RUN, COPY, share=0.5, seed=2)
    spans = spans_of(project, COPY)
    alike = {
        (one.origin, one.note, one.score, one.created_at, one.source, one.finding.grounding) for one in spans
    }
    assert len(alike) == 1
    assert all((one.finding.reason, one.places, one.candidate) == ("", (), None) for one in spans)
    for (document, category), group in grouped(spans).items():
        assert [one.rank for one in group] == list(range(len(group))), (document, category)
        places = [one.finding.start or 0 for one in group]
        assert places == sorted(places), "in the order of the text, wherever the error stands"
    rows = [row["uuid"] for row in project.query("SELECT uuid FROM annotation ORDER BY rowid")]
    stored = [one.uuid for one in sorted(spans, key=lambda one: rows.index(one.uuid))]
    assert stored == [one.uuid for one in spans], "none was written last"
    (act,) = [entry for entry in list_history(project) if COPY in entry.name]
    assert act.name == "copy helper as second look"


def grouped(spans: list[Annotation]) -> dict[tuple[str, str], list[Annotation]]:
    found: dict[tuple[str, str], list[Annotation]] = {}
    for one in spans:
        found.setdefault((one.document, one.finding.category), []).append(one)
    return found


def test_scores_of_a_models_grounding_are_those_of_any_exact_quote(project: Project) -> None:
    with begin_act(project, "score", ME) as act:
        run = ensure_annotator(act, "model", "run").uuid
        for document in {one.document for one in spans_of(project, RUN)}:
            own = [one.finding for one in spans_of(project, RUN) if one.document == document]
            groundings = [Grounding("exact", one.start, one.end, 100.0) for one in own]
            add_annotations(act, document, run, own, "model", groundings=groundings)
    plant_errors(project, "model", COPY, share=0.5, kinds=["spurious", "boundary"])
    assert {(one.score, one.finding.grounding) for one in spans_of(project, COPY)} == {(100.0, "exact")}
    # Where the run's spans have none, those of its copy have none.
    plant_errors(project, RUN, "unscored", share=0.5)
    assert {one.score for one in spans_of(project, "unscored")} == {None}


def test_the_copy_states_nothing_found_where_it_has_nothing(project: Project) -> None:
    plant_errors(project, RUN, COPY, count=16, seed=4, kinds=["label"])
    holder = spans_of(project, COPY)[0].annotator
    run = spans_of(project, RUN)[0].annotator
    assert [one.document for one in reviews(project, holder)] == [
        one.document for one in reviews(project, run)
    ]
    for review in reviews(project, holder):
        found = {one.finding.category for one in read_annotations(project, review.document, holder)}
        assert set(review.nothing_found) == set(project.scheme.ids) - found
        assert (review.state, review.looked_at) == ("done", project.scheme.ids)


def test_edges_are_not_cut_to_words_that_stand_elsewhere_too_where_a_grounding_would_say_so(
    project: Project,
) -> None:
    with begin_act(project, "repeat", ME) as act:
        run = ensure_annotator(act, "model", "run").uuid
        text = "Pain in both legs. No pain in both legs. Pain in both legs."
        document = Document("Legs", text, (), {"pmcid": "99"})
        stored = add_document(act, document, "r.xml", "0" * 64)
        found = Finding("MSK", "Pain in both legs", 0, 17)
        add_annotations(
            act, stored.uuid, run, [found], "model", groundings=[Grounding("exact", 0, 17, 100.0)]
        )
    with pytest.raises(ProjectError, match="unseen"):
        plant_errors(project, "model", COPY, kinds=["boundary"])


def test_a_polarity_that_the_run_never_uses_is_not_planted(project: Project) -> None:
    with begin_act(project, "only present", ME) as act:
        run = ensure_annotator(act, "plain", "run").uuid
        for one in spans_of(project, RUN):
            if one.finding.polarity == "present":
                add_annotations(act, one.document, run, [one.finding], "model")
    with pytest.raises(ProjectError, match="unseen"):
        plant_errors(project, "plain", COPY, kinds=["polarity"])
    summary = plant_errors(project, "plain", COPY, count=4, kinds=["polarity", "boundary"])
    assert summary.planted == {"boundary": 4, "polarity": 0}


def test_what_cannot_be_planted_is_refused_and_leaves_no_trace(project: Project) -> None:
    copy_set(project, RUN, "Ben")
    plant_errors(project, RUN, COPY, count=1)
    with begin_act(project, "an empty run", ME) as act:
        ensure_annotator(act, "silent", "run")
    acts = len(list_history(project))
    refused: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (UnknownNameError, "no annotator 'nobody'", lambda: plant_errors(project, "nobody", "other")),
        (ProjectError, "is no run", lambda: plant_errors(project, "Ben", "other")),
        (ProjectError, "holds planted errors already", lambda: plant_errors(project, COPY, "other")),
        (ProjectError, "no spans with a place", lambda: plant_errors(project, "silent", "other")),
        (ProjectError, "called 'Ben' already", lambda: plant_errors(project, RUN, "Ben")),
        (ProjectError, "one line", lambda: plant_errors(project, RUN, " x")),
        (ProjectError, "kept for the gold set", lambda: plant_errors(project, RUN, "Gold")),
        (CallError, "At least one", lambda: plant_errors(project, RUN, "other", count=0)),
        (CallError, "share of 1.5", lambda: plant_errors(project, RUN, "other", share=1.5)),
        (UnknownNameError, "of no kind", lambda: plant_errors(project, RUN, "other", kinds=[])),
    ]
    for error, words, call in refused:
        with pytest.raises(error, match=words):
            call()
    assert len(list_history(project)) == acts
    assert plant_errors(project, RUN, "other", share=1).wanted == 48
    assert plant_errors(project, RUN, "few", share=0.001).wanted == 1


def accept_one_of_each(project: Project) -> dict[str, Annotation]:
    """Plant one error of each kind; the reviewer accepts every one."""
    plant_errors(project, RUN, COPY, count=4, seed=1)
    errors = {kind: spans[0] for kind, spans in errors_of(project).items()}
    for one in errors.values():
        judge_spans(project, ME, [one.uuid], "accepted")
    return errors


def test_accepted_errors_are_named_wherever_the_set_is_compared_or_exported(
    project: Project, tmp_path: Path
) -> None:
    copy_set(project, RUN, GOLD)
    accept_one_of_each(project)
    words = "4 spans of Ann were accepted from planted errors; remove them before use."
    assert caveats(project, ME) == (words,)
    assert words in measure_agreement(project, ME, GOLD, "paper").caveats
    assert read_queue(project, ME, GOLD).caveats == read_queue(project, GOLD, ME).caveats == (words,)
    assert words in export_annotations(project, tmp_path / "out.jsonl", "jsonl", ME).notes
    assert caveats(project, GOLD) == ()
    assert caveats(project, ME, in_review=True) == ()


def test_a_planted_set_says_what_it_is_to_everybody_but_its_reviewer(project: Project) -> None:
    plant_errors(project, RUN, COPY, count=4)
    words = "second look holds 4 planted errors: it is a copy of helper, made to measure reviewers by."
    assert caveats(project, COPY) == (words,)
    assert caveats(project, COPY, in_review=True) == ()
    assert words in measure_agreement(project, COPY, RUN, "strict").caveats


def test_what_is_unfinished_of_a_run_is_said_of_its_copy_too(project: Project) -> None:
    plant_errors(project, RUN, COPY, count=1)

    def say(*states: RunState) -> None:
        with begin_act(project, "run", RUN, undoable=False) as act:
            for state in states:
                holder = annotator(project, RUN).uuid
                run = start_run(act, holder, "model", RUN, {"about": "Invented."}, "1")
                finish_run(act, run.uuid, state)
            for uuid in list(texts(project))[:7]:
                set_review(act, uuid, holder, state="in progress")

    words = (
        "helper: Invented.",
        "helper is incomplete in PMC1, PMC2, PMC3, PMC4, PMC5 and 2 more: not every category was answered in "
        "full.",
    )
    say("failed", "done")
    assert caveats(project, COPY)[1:] == words
    say("cancelled")
    assert caveats(project, COPY)[1:] == (*words, "helper has not come to its end; reports may be missing.")
    assert caveats(project, COPY, in_review=True) == caveats(project, COPY)[1:] == caveats(project, RUN)


def test_an_error_that_was_mended_is_none_any_more(project: Project) -> None:
    errors = accept_one_of_each(project)
    assert {one.kind for one in list_planted_accepted(project)} == set(MISTAKES)
    own = {said(one): one.uuid for one in spans_of(project, ME)}
    relabel_span(project, own[said(errors["label"])], "GI")
    wrong = errors["boundary"]
    move_span(project, own[said(wrong)], wrong.finding.start or 0, (wrong.finding.end or 0) + 1)
    assert {one.kind for one in list_planted_accepted(project, ME)} == {"spurious", "polarity"}


def test_errors_taken_over_without_a_review_are_found_and_ones_own_findings_are_not(project: Project) -> None:
    plant_errors(project, RUN, COPY, count=4, seed=1)
    errors = errors_of(project)
    accept_spans(project, "Ben", [errors["spurious"][0].uuid])
    place = errors["label"][0].finding
    key = next(one.key for one in list_reports(project, ME) if one.uuid == errors["label"][0].document)
    add_span(project, "Ben", SpanPlace(key, place.start or 0, place.end or 0), place.category)
    for name, origin in (("Ben", "accepted"), ("Cy", "edited")):
        (own,) = accept_spans(project, name, [errors["boundary"][0].uuid]).added
        wrong = own.finding
        if origin == "edited":
            # Changed and changed back it says the same.
            for end in ((wrong.end or 0) - 1, wrong.end or 0):
                move_span(project, own.uuid, wrong.start or 0, end)
        kept = next(one for one in spans_of(project, name) if one.uuid == own.uuid)
        assert kept.origin == origin
        assert "boundary" in [one.kind for one in list_planted_accepted(project, name)]
        remove_spans(project, [own.uuid])
    (found,) = list_planted_accepted(project, "Ben")
    assert (found.annotator, found.kind, found.planted_set) == ("Ben", "spurious", COPY)
    assert found.quote == errors["spurious"][0].finding.quote
    assert list_planted_accepted(project, ME) == ()


def test_a_gold_set_that_took_an_error_over_says_so(project: Project) -> None:
    plant_errors(project, RUN, COPY, count=4, seed=1)
    wrong = errors_of(project)["boundary"][0]
    with begin_act(project, "gold", ME) as act:
        gold = ensure_annotator(act, GOLD, "gold").uuid
        add_annotations(act, wrong.document, gold, [wrong.finding], "human")
    assert caveats(project, GOLD) == (
        "1 span of gold was accepted from planted errors; remove it before use.",
    )


def test_removing_takes_all_of_them_out_in_one_act_and_leaves_the_rest(project: Project) -> None:
    accept_one_of_each(project)
    good = next(
        one for one in spans_of(project, COPY) if one.uuid not in {e.annotation for e in planted(project)}
    )
    judge_spans(project, ME, [good.uuid], "accepted")
    acts = len(list_history(project))
    assert len(remove_planted(project, ME)) == 4
    assert len(list_history(project)) == acts + 1
    assert [said(one) for one in spans_of(project, ME)] == [said(good)]
    assert caveats(project, ME) == ()
    assert remove_planted(project, ME) == ()
    assert len(list_history(project)) == acts + 1
    undo_change(project)
    assert len(list_planted_accepted(project, ME)) == 4


def test_an_error_that_was_changed_and_not_mended_is_removed_too(project: Project) -> None:
    wrong = accept_one_of_each(project)["boundary"]
    (own,) = (one for one in spans_of(project, ME) if said(one) == said(wrong))
    set_span_polarity(project, own.uuid, "uncertain")
    assert len(remove_planted(project, ME)) == 4
    assert spans_of(project, ME) == []


def test_removing_gives_back_what_an_accepted_error_had_replaced(project: Project) -> None:
    copy_set(project, RUN, "Ben")
    plant_errors(project, RUN, COPY, count=4, seed=1)
    before = {said(one) for one in spans_of(project, "Ben")}
    for spans in errors_of(project).values():
        judge_spans(project, "Ben", [spans[0].uuid], "accepted")
    assert {said(one) for one in spans_of(project, "Ben")} != before
    assert len(remove_planted(project, "Ben")) == 4
    assert {said(one) for one in spans_of(project, "Ben")} == before


def test_nothing_is_removed_from_a_run(project: Project) -> None:
    plant_errors(project, RUN, "rules for me", count=1)
    with pytest.raises(ProjectError, match="kept for runs"):
        remove_planted(project, "rules")

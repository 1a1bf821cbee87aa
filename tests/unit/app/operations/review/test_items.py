"""A run beside one's own spans: how each quote stands to them, what a verdict does, and what it leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.operations.annotate.concepts import set_concept
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import (
    SpanPlace,
    add_span,
    move_span,
    remove_spans,
    set_span_field,
    set_span_note,
    set_span_polarity,
    state_nothing_found,
)
from app.operations.compare.annotation_sets import people_and
from app.operations.project.files import check_project
from app.operations.project.history import list_history, redo_change, undo_change
from app.operations.review.items import (
    ReportReview,
    ReviewRow,
    align_spans,
    find_items,
    in_place_of,
    look_at_reviews,
    next_to_review,
    read_review,
)
from app.operations.review.verdicts import SpanEdit, accept_all_same, edit_judged_span, judge_spans
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, add_annotations, remove_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.reviews import set_review
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reconcile.verdicts import gone_spans, verdicts
from app.store.reports.documents import add_document, document
from extractors.model.coding import Coding
from extractors.model.document import Document
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.finding import Finding, Grounding, Polarity
from tests.builders import Kept

ME, OTHER, RUN, REPORT = "Ann", "Bob", "llama3:8b/fcsp#1", "PMC1"
TEXT = "Severe headache and fever, no cough, then ataxia of gait and a rash on both arms."
FOUND: tuple[tuple[str, str, Polarity], ...] = (
    ("Neuro", "headache", "present"),
    ("History", "fever", "present"),
    ("RESP", "cough", "present"),
    ("Neuro", "ataxia of gait", "present"),
    ("DERM", "rash", "present"),
)
MINE: tuple[tuple[str, str, Polarity], ...] = (
    ("Neuro", "headache", "present"),
    ("Vitals_Hema", "fever", "present"),
    ("RESP", "cough", "negated"),
    ("Neuro", "then ataxia", "present"),
    ("MSK", "both arms", "present"),
)
AT_FEVER = (TEXT.index("fever"), TEXT.index("fever") + 5)


def found(category: str, quote: str, polarity: Polarity = "present") -> Finding:
    start = TEXT.index(quote)
    return Finding(category, quote, start, start + len(quote), polarity=polarity)


def write_reviewed(path: Path) -> None:
    """Two reports and a run; the first report has two quotes without a place."""
    with create_project_file(path, None, ME) as made, begin_act(made, "add", ME) as act:
        run = ensure_annotator(act, RUN, "run").uuid
        for number in "12":
            document = Document("R", f"{TEXT}{number}", (), {"pmcid": number})
            stored = add_document(act, document, "r.xml", "0" * 64)
            quotes = FOUND if number == "1" else FOUND[:1]
            add_annotations(act, stored.uuid, run, [found(*one) for one in quotes], "model")
            if number == "1":
                lost = Finding("GI", "vomiting", None, None, grounding="ungrounded", reason="Absent.")
                torn = Finding("EENT", "no fever", None, None, grounding="conflict", reason="Denied.")
                groundings = [
                    Grounding("ungrounded", None, None, 0, "Absent."),
                    Grounding("conflict", None, None, 90, "Denied.", candidate=AT_FEVER),
                ]
                add_annotations(act, stored.uuid, run, [lost, torn], "model", groundings=groundings)


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    """The run is never touched."""
    with kept.open(write_reviewed, tmp_path / "study.casespan") as made:
        before = rows_of(made, RUN)
        yield made
        assert rows_of(made, RUN) == before
        assert check_project(made) == []


@pytest.fixture
def mine(project: Project) -> Project:
    """The same, with spans of mine that stand to the run's in every way there is."""
    for category, quote, polarity in MINE:
        start = TEXT.index(quote)
        place = SpanPlace(REPORT, start, start + len(quote))
        add_span(project, ME, place, category, polarity=polarity)
    return project


def rows_of(project: Project, name: str) -> list[dict[str, object]]:
    holder = annotator(project, name).uuid
    return project.query("SELECT * FROM annotation WHERE annotator = ? ORDER BY uuid", [holder])


def review(project: Project) -> ReportReview:
    return read_review(project, ME, RUN, REPORT)


def row(project: Project, quote: str) -> ReviewRow:
    """The row of the run's quote."""
    return next(r for r in review(project).rows if any(one.finding.quote == quote for one in r.right))


def theirs(project: Project, quote: str) -> str:
    return next(one.uuid for one in row(project, quote).right if one.finding.quote == quote)


def own(project: Project) -> list[Annotation]:
    return list(open_report(project, REPORT, ME).annotations)


def said(project: Project) -> set[tuple[str, str, str, str]]:
    """What the own set says: category, quote, polarity, origin."""
    return {(o.finding.category, o.finding.quote, o.finding.polarity, o.origin) for o in own(project)}


def test_every_span_of_both_sides_stands_in_one_row_that_says_how(mine: Project) -> None:
    report_review = review(mine)
    relations = {r.right[0].finding.quote: r.relation for r in report_review.rows if r.right}
    assert relations == {
        "headache": "same",
        "fever": "label",
        "cough": "polarity",
        "ataxia of gait": "overlapping",
        "rash": "only right",
        "vomiting": "ungrounded",
        "no fever": "conflict",
    }
    assert [r.left[0].finding.quote for r in report_review.rows if not r.right] == ["both arms"]
    spans = [one.uuid for r in report_review.rows for one in (*r.left, *r.right)]
    assert len(spans) == len(set(spans)) == len(MINE) + len(FOUND) + 2
    assert (report_review.judged, len(report_review.items)) == (0, 7)
    # From the beginning of mine to the end of theirs.
    assert row(mine, "ataxia of gait").place == (TEXT.index("then ataxia"), TEXT.index(" and a rash"))


def test_rows_stand_in_scheme_order_then_in_text_order(mine: Project) -> None:
    order = list(mine.scheme.ids)
    rows = review(mine).rows
    keys = [(order.index(r.category), r.place is None, r.place or (0, 0)) for r in rows]
    assert keys == sorted(keys)


def test_a_conflict_keeps_its_reason_and_its_candidate_place(project: Project) -> None:
    quote = row(project, "no fever").right[0]
    assert (quote.finding.reason, quote.candidate) == ("Denied.", AT_FEVER)


def test_accepting_what_only_the_run_has_copies_it(project: Project) -> None:
    judged = judge_spans(project, ME, [theirs(project, "rash")], "accepted", seconds=2.5)
    assert said(project) == {("DERM", "rash", "present", "accepted")}
    beside = judge_spans(project, ME, [theirs(project, "headache")], "accepted").changed
    assert (len(beside.added), beside.edited, beside.removed) == (1, (), ())
    undo_change(project)
    (verdict,) = verdicts(project)
    assert (verdict.relation, verdict.verdict, verdict.seconds) == ("only right", "accepted", 2.5)
    assert verdict.result == own(project)[0].uuid == judged.changed.added[0].uuid
    assert judged.verdicts == (verdict,)
    assert review(project).judged == 1
    assert open_report(project, REPORT, ME).review.state == "in progress"


def test_accepting_other_edges_puts_the_runs_in_the_place_of_ones_own(mine: Project) -> None:
    judge_spans(mine, ME, [theirs(mine, "ataxia of gait")], "accepted")
    assert ("Neuro", "ataxia of gait", "present", "edited") in said(mine)
    assert "then ataxia" not in {quote for _, quote, _, _ in said(mine)}
    assert row(mine, "ataxia of gait").relation == "same"
    assert verdicts(mine)[0].relation == "overlapping"


def test_accepting_one_of_the_runs_spans_replaces_all_of_ones_own_that_it_overlaps(project: Project) -> None:
    for quote in ("ataxia", "gait"):
        start = TEXT.index(quote)
        span = add_span(project, ME, SpanPlace(REPORT, start, start + len(quote)), "Neuro").added[0]
    set_concept(project, span.uuid, "HPO", "HP:0001288")
    before, uuid = own(project), theirs(project, "ataxia of gait")
    judge_spans(project, ME, [uuid], "accepted")
    assert said(project) == {("Neuro", "ataxia of gait", "present", "edited")}
    judge_spans(project, ME, [uuid], "rejected")
    assert own(project) == before
    assert [one.code for one in before[1].concepts] == ["HP:0001288"]


def test_where_one_of_ones_own_was_changed_since_none_of_them_is_given_back(project: Project) -> None:
    for quote in ("ataxia", "gait"):
        start = TEXT.index(quote)
        add_span(project, ME, SpanPlace(REPORT, start, start + len(quote)), "Neuro")
    uuid = theirs(project, "ataxia of gait")
    judge_spans(project, ME, [uuid], "accepted")
    (one,) = own(project)
    set_span_note(project, one.uuid, "why")
    judge_spans(project, ME, [uuid], "rejected")
    assert [(kept.finding.quote, kept.note) for kept in own(project)] == [("ataxia of gait", "why")]


def test_codes_that_came_with_a_verdict_go_with_it_and_the_span_that_was_there_stays(
    project: Project,
) -> None:
    fever = Coding("HPO", "", "HP:0001945", "Fever", "", "human")
    span = add_span(project, OTHER, SpanPlace(REPORT, *AT_FEVER), "GI", concepts=(fever,)).added[0]
    add_span(project, ME, SpanPlace(REPORT, *AT_FEVER), "GI")
    edit_judged_span(project, ME, span.uuid, SpanEdit(*AT_FEVER))
    assert [one.concepts for one in own(project)] == [(replace(fever, origin="accepted"),)]
    judge_spans(project, ME, [span.uuid], "rejected")
    assert [(one.finding.quote, one.concepts) for one in own(project)] == [("fever", ())]
    reviewed = look_at_reviews(project, "Cy", OTHER)
    assert [one.report for one in reviewed] == [REPORT], "where the other has something"


def test_in_a_chain_of_overlaps_only_what_a_span_touches_gives_way(tmp_path: Path) -> None:
    with create_project_file(tmp_path / "chain.casespan", None, ME) as project:
        with begin_act(project, "add", ME) as act:
            stored = add_document(act, Document("R", TEXT, (), {"pmcid": "1"}), "r.xml", "0" * 64)
            run = ensure_annotator(act, RUN, "run").uuid
            quotes = [found("Neuro", quote) for quote in ("Severe headache", "fever, no cough")]
            first, second = add_annotations(act, stored.uuid, run, quotes, "model")
        for quote in ("headache and fever", "cough"):
            start = TEXT.index(quote)
            add_span(project, ME, SpanPlace(REPORT, start, start + len(quote)), "Neuro")
        assert [len(r.left) + len(r.right) for r in review(project).rows] == [4]
        judge_spans(project, ME, [first.uuid], "accepted")
        assert {quote for _, quote, _, _ in said(project)} == {"Severe headache", "cough"}
        judge_spans(project, ME, [second.uuid], "accepted")
        assert {quote for _, quote, _, _ in said(project)} == {"Severe headache", "fever, no cough"}


def test_accepting_another_category_relabels_and_another_polarity_sets_it(mine: Project) -> None:
    state_nothing_found(mine, ME, REPORT, "History")
    judge_spans(mine, ME, [theirs(mine, "fever"), theirs(mine, "cough")], "accepted")
    assert {("History", "fever", "present", "edited"), ("RESP", "cough", "present", "edited")} <= said(mine)
    assert len(own(mine)) == len(MINE)
    assert open_report(mine, REPORT, ME).review.nothing_found == ()


def test_accepting_keeps_field_and_concepts_that_the_reviewer_gave_but_no_field_of_another_category(
    mine: Project,
) -> None:
    cough, fever = (next(one.uuid for one in own(mine) if one.finding.quote == q) for q in ("cough", "fever"))
    set_span_field(mine, cough, "respiratory")
    set_span_field(mine, fever, mine.scheme.category("Vitals_Hema").fields[0])
    set_concept(mine, cough, "HPO", "HP:0012735")
    judge_spans(mine, ME, [theirs(mine, "cough"), theirs(mine, "fever")], "accepted")
    after = {one.uuid: one for one in own(mine)}
    assert (after[cough].finding.field, after[fever].finding.field) == ("respiratory", "")
    assert [one.code for one in after[cough].concepts] == ["HP:0012735"]
    start = TEXT.index("cough")
    edit_judged_span(mine, ME, theirs(mine, "cough"), SpanEdit(start, start + 5, field=""))
    assert next(one for one in own(mine) if one.uuid == cough).finding.field == ""


def test_an_edit_into_another_category_keeps_a_field_that_both_have(project: Project) -> None:
    fields = [project.scheme.category(one).fields for one in ("CVS", "RESP")]
    shared = next(one for one in fields[0] if one in fields[1])
    span = add_span(project, OTHER, SpanPlace(REPORT, 0, 6), "CVS", field=shared).added[0]
    edit_judged_span(project, ME, span.uuid, SpanEdit(0, 6, "RESP"))
    assert [(one.finding.category, one.finding.field) for one in own(project)] == [("RESP", shared)]


def test_a_span_is_named_by_how_its_id_begins_where_no_other_begins_so(project: Project) -> None:
    uuids = ["abcdef01-1", "abcdef01-2"]
    for uuid, report in zip(uuids, (REPORT, "PMC2"), strict=True):
        add_span(project, OTHER, SpanPlace(report, 0, 6), "CVS", uuid=uuid)
    assert find_items(project, OTHER, ["ABCDEF01-2", "abcdef01-1"]) == uuids[::-1]
    assert find_items(project, OTHER, ["abcdef01"], REPORT) == uuids[:1]
    with pytest.raises(CallError, match="The IDs of 2 spans begin"):
        find_items(project, OTHER, ["abcdef01"])
    with pytest.raises(UnknownNameError, match="no span 'abcdef01-2' here"):
        find_items(project, OTHER, ["abcdef01-2"], REPORT)
    with pytest.raises(CallError, match="too short"):
        find_items(project, OTHER, ["abcdef0"])


def test_ones_own_quote_without_a_place_stands_beside_the_first_that_says_the_same(project: Project) -> None:
    lost = next(one for one in review(project).items if one.finding.quote == "vomiting")
    own_one, again = replace(lost, uuid="own"), replace(lost, uuid="again")
    rows = align_spans([own_one], [lost, again])
    assert [(row.relation, row.left, row.right) for row in rows] == [
        ("ungrounded", (own_one,), (lost,)),
        ("ungrounded", (), (again,)),
    ]


def test_accepting_what_is_the_same_changes_no_span(mine: Project) -> None:
    before = rows_of(mine, ME)
    judge_spans(mine, ME, [theirs(mine, "headache")], "accepted")
    assert rows_of(mine, ME) == before
    (verdict,) = verdicts(mine)
    assert verdict.relation == "same"
    assert verdict.result == next(o.uuid for o in own(mine) if o.finding.quote == "headache")


def test_rejecting_is_recorded_and_takes_nothing_away(mine: Project) -> None:
    before = rows_of(mine, ME)
    for quote in ("rash", "ataxia of gait", "vomiting"):
        judge_spans(mine, ME, [theirs(mine, quote)], "rejected")
    assert rows_of(mine, ME) == before
    assert [(v.verdict, v.result) for v in verdicts(mine)] == [("rejected", "")] * 3


@pytest.mark.parametrize("quote", ["vomiting", "no fever"])
def test_a_quote_without_a_place_is_not_accepted_as_it_is(project: Project, quote: str) -> None:
    acts = list_history(project)
    both = [theirs(project, "rash"), theirs(project, quote)]
    with pytest.raises(ProjectError, match="has no place in the report and cannot be accepted as it is"):
        judge_spans(project, ME, both, "accepted")
    assert list_history(project) == acts


def test_an_ungrounded_quote_gets_its_place_by_editing_and_stands_beside_it(project: Project) -> None:
    start = TEXT.index("cough")
    edit_judged_span(project, ME, theirs(project, "vomiting"), SpanEdit(start, start + 5, "RESP", "negated"))
    assert said(project) == {("RESP", "cough", "negated", "edited")}
    (verdict,) = verdicts(project)
    assert (verdict.relation, verdict.verdict) == ("ungrounded", "edited")
    assert judge_spans(project, ME, [theirs(project, "cough")], "rejected").verdicts[0].relation == "polarity"


def test_a_span_that_came_of_a_quote_without_a_place_stands_beside_that_quote(project: Project) -> None:
    edit_judged_span(project, ME, theirs(project, "vomiting"), SpanEdit(0, 6))
    there = row(project, "vomiting")
    assert [one.finding.quote for one in there.left] == ["Severe"]
    assert there.place is None
    assert not any(r.relation == "only left" for r in review(project).rows)


def test_a_conflicts_candidate_place_may_be_taken_by_editing(project: Project) -> None:
    edit_judged_span(project, ME, theirs(project, "no fever"), SpanEdit(*AT_FEVER))
    assert said(project) == {("EENT", "fever", "present", "edited")}


def test_editing_puts_other_edges_in_the_place_of_ones_own(mine: Project) -> None:
    start = TEXT.index("ataxia")
    edit_judged_span(mine, ME, theirs(mine, "ataxia of gait"), SpanEdit(start, start + 6), seconds=4)
    quotes = [o.finding.quote for o in own(mine) if o.finding.category == "Neuro"]
    assert sorted(quotes) == ["ataxia", "headache"]
    assert verdicts(mine)[0].seconds == 4
    start = TEXT.index("headache")
    edit_judged_span(mine, ME, theirs(mine, "ataxia of gait"), SpanEdit(start, start + 8))
    assert [o.finding.quote for o in own(mine) if o.finding.category == "Neuro"] == ["headache"]


@pytest.mark.parametrize(
    "edit",
    [
        SpanEdit(0, 0),
        SpanEdit(6, 7),
        SpanEdit(0, 999),
        SpanEdit(0, 6, "Nothing"),
        SpanEdit(0, 6, field="wing"),
    ],
)
def test_an_edit_that_cannot_be_is_refused_and_leaves_no_trace(project: Project, edit: SpanEdit) -> None:
    acts = list_history(project)
    with pytest.raises((ProjectError, UnknownNameError)):
        edit_judged_span(project, ME, theirs(project, "rash"), edit)
    assert list_history(project) == acts


def test_one_verdict_is_one_step_of_undo_and_redo(mine: Project) -> None:
    before, uuid = rows_of(mine, ME), theirs(mine, "ataxia of gait")
    judge_spans(mine, ME, [uuid], "accepted")
    after = rows_of(mine, ME)
    undo_change(mine)
    assert (rows_of(mine, ME), verdicts(mine)) == (before, [])
    redo_change(mine)
    assert rows_of(mine, ME) == after
    assert len(verdicts(mine)) == 1


@pytest.mark.parametrize("quote", ["rash", "ataxia of gait", "fever", "cough", "headache"])
def test_a_second_verdict_starts_from_where_the_first_one_did(mine: Project, quote: str) -> None:
    before, uuid, relation = rows_of(mine, ME), theirs(mine, quote), row(mine, quote).relation
    judge_spans(mine, ME, [uuid], "accepted")
    edit_judged_span(mine, ME, uuid, SpanEdit(0, 6))
    judge_spans(mine, ME, [uuid], "accepted")
    accepted = said(mine)
    judge_spans(mine, ME, [uuid], "rejected")
    assert rows_of(mine, ME) == before
    assert [(v.verdict, v.relation, v.result) for v in verdicts(mine)] == [("rejected", relation, "")]
    judge_spans(mine, ME, [uuid], "accepted")
    assert said(mine) == accepted


def test_a_second_verdict_finds_its_start_across_undo_and_redo(mine: Project) -> None:
    before, uuid = rows_of(mine, ME), theirs(mine, "ataxia of gait")
    judge_spans(mine, ME, [uuid, theirs(mine, "rash")], "accepted")
    undo_change(mine)
    redo_change(mine)
    judge_spans(mine, ME, [uuid], "rejected")
    undo_change(mine)
    judge_spans(mine, ME, [uuid], "rejected")
    assert {quote for _, quote, _, _ in said(mine)} == {quote for _, quote, _ in MINE} | {"rash"}
    judge_spans(mine, ME, [theirs(mine, "rash")], "rejected")
    assert rows_of(mine, ME) == before


def test_what_was_changed_since_is_not_taken_back(project: Project) -> None:
    uuid = theirs(project, "rash")
    judge_spans(project, ME, [uuid], "accepted")
    set_span_note(project, own(project)[0].uuid, "look again")
    judge_spans(project, ME, [uuid], "rejected")
    assert [one.note for one in own(project)] == ["look again"]


def test_what_was_moved_since_is_not_taken_back(project: Project) -> None:
    uuid, start = theirs(project, "rash"), TEXT.index("a rash")
    judge_spans(project, ME, [uuid], "accepted")
    move_span(project, own(project)[0].uuid, start, start + 6)
    judge_spans(project, ME, [uuid], "rejected")
    assert said(project) == {("DERM", "a rash", "present", "edited")}


def test_the_same_verdict_again_changes_nothing(mine: Project) -> None:
    uuid = theirs(mine, "rash")
    judge_spans(mine, ME, [uuid], "accepted", seconds=1)
    acts = list_history(mine)
    assert judge_spans(mine, ME, [uuid], "accepted", seconds=9).verdicts == tuple(verdicts(mine))
    assert list_history(mine) == acts


def test_accepting_takes_nothing_found_back(project: Project) -> None:
    state_nothing_found(project, ME, REPORT, "DERM")
    judge_spans(project, ME, [theirs(project, "rash")], "accepted")
    assert open_report(project, REPORT, ME).review.nothing_found == ()


def test_all_that_is_the_same_is_accepted_in_one_act(mine: Project) -> None:
    before, acts = rows_of(mine, ME), len(list_history(mine))
    assert len(accept_all_same(mine, ME, RUN, REPORT).verdicts) == 1
    assert rows_of(mine, ME) == before
    assert len(list_history(mine)) == acts + 1
    assert accept_all_same(mine, ME, RUN, REPORT).verdicts == ()
    assert len(list_history(mine)) == acts + 1


def test_somebody_elses_spans_are_reviewed_as_a_runs_are(project: Project) -> None:
    add_span(project, OTHER, SpanPlace(REPORT, 0, 6), "Neuro")
    report_review = read_review(project, ME, OTHER, REPORT)
    judge_spans(project, ME, [report_review.items[0].uuid], "accepted")
    assert said(project) == {("Neuro", "Severe", "present", "accepted")}


def test_each_reviewer_has_verdicts_of_ones_own(project: Project) -> None:
    uuid = theirs(project, "rash")
    judge_spans(project, ME, [uuid], "accepted")
    judge_spans(project, OTHER, [uuid], "rejected")
    assert len(verdicts(project)) == 2
    assert review(project).verdicts[uuid].verdict == "accepted"


def test_verdicts_on_spans_that_a_run_no_longer_has_are_not_counted(tmp_path: Path) -> None:
    with create_project_file(tmp_path / "own.casespan", None, ME) as project:
        with begin_act(project, "add", ME) as act:
            stored = add_document(act, Document("R", TEXT, (), {"pmcid": "1"}), "r.xml", "0" * 64)
            run = ensure_annotator(act, RUN, "run").uuid
            new = add_annotations(act, stored.uuid, run, [found(*one) for one in FOUND], "model")
        judge_spans(project, ME, [new[0].uuid], "rejected")
        with begin_act(project, "run again", RUN) as act:
            remove_annotations(act, [new[0].uuid])
        report_review = review(project)
        assert (report_review.judged, len(report_review.items), dict(report_review.verdicts)) == (
            0,
            len(FOUND) - 1,
            {},
        )


def test_nobody_reviews_the_own_set_and_no_run_reviews(project: Project) -> None:
    uuid = theirs(project, "rash")
    mine_ = add_span(project, ME, SpanPlace(REPORT, 0, 6), "Neuro").added[0].uuid
    for call in (
        lambda: read_review(project, ME, ME, REPORT),
        lambda: read_review(project, "rules", RUN, REPORT),
        lambda: judge_spans(project, ME, [mine_], "accepted"),
        lambda: judge_spans(project, RUN, [mine_], "accepted"),
        lambda: judge_spans(project, ME, [], "accepted"),
        lambda: judge_spans(project, ME, [uuid, mine_], "accepted"),
    ):
        with pytest.raises(ProjectError):
            call()
    with pytest.raises(UnknownNameError):
        read_review(project, ME, "nobody", REPORT)
    with pytest.raises(UnknownNameError):
        judge_spans(project, ME, ["nothing"], "accepted")


def test_the_next_report_to_review_is_the_next_one_with_unjudged_items(project: Project) -> None:
    assert next_to_review(project, ME, RUN, REPORT) == "PMC2"
    there = read_review(project, ME, RUN, "PMC2").items[0].finding.category
    by_category = {one: next_to_review(project, ME, RUN, REPORT, one) for one in project.scheme.ids}
    assert {one for one, report in by_category.items() if report} == {there}
    report_review = read_review(project, ME, RUN, "PMC2")
    judge_spans(project, ME, [one.uuid for one in report_review.items], "rejected")
    assert next_to_review(project, ME, RUN, REPORT) is None
    assert next_to_review(project, ME, RUN, "PMC2") == REPORT
    assert next_to_review(project, OTHER, RUN, REPORT) == "PMC2"
    with begin_act(project, "terms", OTHER) as act:
        by, term = (
            ensure_annotator(act, OTHER, "person").uuid,
            Coding("HPO", "", "HP:1", "Fever", "", "human"),
        )
        (uuid,) = (one for (one,) in project.tuples("SELECT uuid FROM document WHERE key = 'PMC2'"))
        add_annotations(act, uuid, by, [found("", "fever")], "human", layer="phenotype", concepts=[(term,)])
    assert next_to_review(project, ME, OTHER, REPORT) is None, "terms are reviewed elsewhere"


def quotes(project: Project) -> list[tuple[str, str, str]]:
    return sorted((one.finding.category, one.finding.quote, one.origin) for one in own(project))


def test_an_accepted_span_stands_beside_ones_own_where_both_are_kept(mine: Project) -> None:
    before = quotes(mine)
    judge_spans(mine, ME, [theirs(mine, "ataxia of gait")], "accepted", beside=True)
    assert quotes(mine) == sorted([*before, ("Neuro", "ataxia of gait", "accepted")])
    undo_change(mine)
    assert quotes(mine) == before


def test_a_span_that_replaced_ones_own_gives_it_back_where_both_are_to_be_kept(mine: Project) -> None:
    before, uuid = quotes(mine), theirs(mine, "ataxia of gait")
    judge_spans(mine, ME, [uuid], "accepted")
    assert ("Neuro", "then ataxia", "human") not in quotes(mine)
    for _ in range(2):
        judge_spans(mine, ME, [uuid], "accepted", beside=True)
        assert quotes(mine) == sorted([*before, ("Neuro", "ataxia of gait", "accepted")])
        assert list_history(mine)[-1].name.endswith("beside one's own in PMC1")
    assert sum(one.name.endswith("beside one's own in PMC1") for one in list_history(mine)) == 1
    judge_spans(mine, ME, [uuid], "rejected")
    assert quotes(mine) == before


def test_what_accepting_would_replace_is_known_before(mine: Project) -> None:
    replaced = {
        one.finding.quote: [kept.finding.quote for kept in in_place_of(each, one)]
        for each in review(mine).rows
        for one in each.right
    }
    assert replaced == {
        "headache": [],
        "fever": ["fever"],
        "cough": ["cough"],
        "ataxia of gait": ["then ataxia"],
        "rash": [],
        "no fever": [],
        "vomiting": [],
    }


def test_what_is_gone_said_what_it_said_when_it_went_last(mine: Project) -> None:
    one = open_report(mine, REPORT, ME).annotations[0]
    remove_spans(mine, [one.uuid])
    undo_change(mine)
    set_span_polarity(mine, one.uuid, "uncertain")
    remove_spans(mine, [one.uuid])
    said = (one.finding.category, one.finding.start, one.finding.end, "uncertain")
    assert gone_spans(mine, [one.uuid, "never there"]) == {one.uuid: said}


def test_who_looked_at_nothing_and_runs_stand_in_comparisons_only_where_they_are_named(mine: Project) -> None:
    with begin_act(mine, "add", ME) as act:
        other = ensure_annotator(act, OTHER, "person").uuid
        set_review(act, document(mine, REPORT).uuid, other, state="parked")
        set_review(act, document(mine, REPORT).uuid, annotator(mine, RUN).uuid, looked_at=["GI"])
    state_nothing_found(mine, ME, REPORT, "GI")
    assert people_and(mine) == (ME,)
    assert set(people_and(mine, OTHER)) == {ME, OTHER}
    assert set(people_and(mine, RUN)) == {ME, RUN}

"""The queue of two annotators with known errors, decisions on it, and the gold set that comes of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from app.operations.annotate.spans import SpanPlace, add_span, set_span_polarity
from app.operations.exchange.exporting import export_annotations, exporting_annotations
from app.operations.exchange.importing import ImportOptions, import_reports
from app.operations.project.files import check_project
from app.operations.project.history import list_history, redo_change, undo_change
from app.operations.reconcile.decisions import EditedSpan, Resolution, decide, decide_all, with_alike
from app.operations.reconcile.gold import build_gold, building_gold, comparing_gold, gold_sentences
from app.operations.reconcile.queue import Queue, list_alike, list_corrections, listing_alike, read_queue
from app.reconcile.gold import Choice, choices_for
from app.reconcile.queue import Likeness
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, read_annotations, remove_annotations
from app.store.annotate.annotators import annotator, annotators
from app.store.annotate.reviews import reviews, set_review
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reconcile.decisions import gold_builds
from app.store.reports.documents import document_summaries
from extractors.assets import asset
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.progress import finished
from tests.simulated import ANA, BEN, TRUTH, Error, Marked, Simulation, by_report, mark_of, simulate

ME = "Dr Cas"
# Some, in which as many kinds of errors are as in all.
REPORTS = ("PMC99000001", "PMC99000003", "PMC99000004", "PMC99000006")
# What the two sides of a difference say: report, kind, the left's marks and the right's.
Said = tuple[str, str, frozenset[Marked], frozenset[Marked]]


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Simulation]:
    """A project file that the tests copy."""
    path = tmp_path_factory.mktemp("simulated") / "study.casespan"
    with create_project_file(path, None, ME) as project:
        return path, simulate(project, 7, REPORTS)


@pytest.fixture
def project(simulated: tuple[Path, Simulation], tmp_path: Path) -> Iterator[Project]:
    copy = tmp_path / "study.casespan"
    copy.write_bytes(simulated[0].read_bytes())
    with Project.open(copy, write=True) as opened:
        yield opened


@pytest.fixture
def errors(simulated: tuple[Path, Simulation]) -> tuple[Error, ...]:
    return simulated[1].errors


@pytest.fixture
def truth(simulated: tuple[Path, Simulation]) -> dict[str, set[Marked]]:
    return simulated[1].truth


def expected(error: Error, left: str = ANA) -> Said:
    wrong, right = ([mark_of(one)] if one else [] for one in (error.given, error.true))
    ours, theirs = (wrong, right) if error.by == left else (right, wrong)
    return error.report, error.kind, frozenset(ours), frozenset(theirs)


def said(queue: Queue) -> dict[str, Said]:
    return {
        one.id: (
            one.report,
            one.kind,
            frozenset(mark_of(mark.finding) for mark in one.left),
            frozenset(mark_of(mark.finding) for mark in one.right),
        )
        for one in queue.differences.values()
    }


def right_choices(queue: Queue, errors: tuple[Error, ...]) -> dict[str, Choice]:
    """The decision that the truth asks for, by difference."""
    side_of: dict[Said, Choice] = {
        expected(error): "right" if error.by == ANA else "left" for error in errors
    }
    return {name: side_of[what] for name, what in said(queue).items()}


def gold_of(project: Project, name: str = "gold") -> dict[str, set[Marked]]:
    keys = key_of(project)
    return by_report([(keys[one.document], one.finding) for one in quotes(project, name)])


def quotes(project: Project, name: str) -> list[Annotation]:
    return read_annotations(project, annotator=annotator(project, name).uuid)


def key_of(project: Project) -> dict[str, str]:
    return {report.uuid: report.key for report in document_summaries(project)}


def settle(project: Project, errors: tuple[Error, ...]) -> None:
    """Decide everything as the truth has it."""
    queue = read_queue(project, ANA, BEN)
    orders = [([name], Resolution(choice)) for name, choice in right_choices(queue, errors).items()]
    decide_all(project, ME, queue, orders)


def first(queue: Queue, kind: str) -> str:
    return next(one.id for one in queue.differences.values() if one.kind == kind)


def test_the_errors_are_of_every_kind_and_many(errors: tuple[Error, ...]) -> None:
    assert {error.kind for error in errors} == {"missing", "boundary", "label", "polarity"}
    assert {error.by for error in errors} == {ANA, BEN}
    assert len(errors) > 60


@pytest.mark.parametrize(("left", "right"), [(ANA, BEN), (BEN, ANA)])
def test_the_queue_holds_every_planted_disagreement_and_no_agreement(
    project: Project, errors: tuple[Error, ...], left: str, right: str
) -> None:
    queue = read_queue(project, left, right)
    assert sorted(said(queue).values(), key=repr) == sorted(
        (expected(error, left) for error in errors), key=repr
    )
    in_items = {one.id for item in queue.items for one in item.differences}
    assert in_items == set(queue.differences)


def test_a_queue_of_one_annotator_with_themselves_is_empty(project: Project) -> None:
    assert read_queue(project, ANA, ANA).items == ()


def test_no_pair_is_taken_as_a_whole_below_a_threshold_of_zero(project: Project) -> None:
    items = read_queue(project, ANA, BEN, below=0).items
    assert {item.kind for item in items} == {"missing", "boundary", "label", "polarity"}
    assert len({item.id for item in items}) == len(items)


def test_both_sides_give_a_difference_the_same_name_whichever_is_left(project: Project) -> None:
    assert set(read_queue(project, ANA, BEN).differences) == set(read_queue(project, BEN, ANA).differences)


def test_gold_after_the_right_decisions_is_the_truth_to_the_character(
    project: Project, errors: tuple[Error, ...], truth: dict[str, set[Marked]]
) -> None:
    settle(project, errors)
    summary = build_gold(project, ME, ANA, BEN)
    assert gold_of(project) == truth
    assert (summary.undecided, summary.decided) == (0, len(errors))
    holder = annotator(project, "gold").uuid
    assert {review.state for review in reviews(project, holder)} == {"done"}
    assert {review.looked_at for review in reviews(project, holder)} == {project.scheme.ids}
    assert check_project(project.path) == []


def test_gold_is_built_and_exported_in_steps_and_given_up_leaves_all_as_it_was(
    project: Project, tmp_path: Path
) -> None:
    acts, out = len(list_history(project)), tmp_path / "ana.jsonl"
    out.write_text("before", encoding="utf-8")
    whole = len(list(building_gold(project, ME, ANA, BEN)))
    undo_change(project)
    acts = len(list_history(project))
    for steps in range(1, whole, 7):
        given_up = building_gold(project, ME, ANA, BEN)
        told = [next(given_up) for _ in range(steps)]
        given_up.close()
        assert all(0 <= one.done <= one.total for one in told)
        assert (len(list_history(project)), project.acting) == (acts, False)
    exporting = exporting_annotations(project, out, "jsonl", ANA)
    while next(exporting).note != "reports written":
        assert out.read_text(encoding="utf-8") == "before"
    exporting.close()
    assert out.read_text(encoding="utf-8") == "before"
    again = exporting_annotations(project, out, "jsonl", ANA)
    next(again)
    building = building_gold(project, ME, ANA, BEN, "gold")
    next(building)
    with pytest.raises(ProjectError, match="export when it has ended"):
        finished(again)
    building.close()
    assert check_project(project) == []


def test_what_is_undecided_leaves_nothing_in_gold_and_its_category_incomplete(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    decide(project, ME, queue, [first(queue, "missing")], Resolution("ask"))
    summary = build_gold(project, ME, ANA, BEN)
    assert summary.undecided == len(queue.differences)
    assert summary.spans == summary.agreed == sum(len(report.agreed) for report in queue.compared)
    differences = queue.differences.values()
    disputed = {(one.report, category) for one in differences for category in one.group.categories}
    holder = annotator(project, "gold").uuid
    complete = {
        (key_of(project)[review.document], category)
        for review in reviews(project, holder)
        for category in review.looked_at
    }
    assert not complete & disputed
    # Of what is complete, it is said where nothing was found.
    found = {(one.document, one.finding.category) for one in read_annotations(project, None, holder)}
    for review in reviews(project, holder):
        silent = {one for one in review.looked_at if (review.document, one) not in found}
        assert set(review.nothing_found) == silent
    assert found
    begun = {key for key, _ in disputed}
    assert {key_of(project)[one.document]: one.state for one in reviews(project, holder)} == {
        key: "in progress" if key in begun else "done" for key in key_of(project).values()
    }
    assert len(complete | disputed) == len(key_of(project)) * len(project.scheme.ids)


def test_every_gold_quote_says_where_it_comes_from(project: Project, errors: tuple[Error, ...]) -> None:
    settle(project, errors)
    build_gold(project, ME, ANA, BEN)
    decided = {one.uuid: one for one in read_queue(project, ANA, BEN).decisions.values()}
    for quote in quotes(project, "gold"):
        source = json.loads(quote.source)
        if source["from"] == "agreement":
            assert source["annotators"] == [ANA, BEN]
        else:
            assert quote.finding in decided[source["decision"]].findings
            assert source["annotators"] == [{"left": ANA, "right": BEN}[source["choice"]]]


def test_gold_built_again_after_a_decision_changes_only_what_it_says(project: Project) -> None:
    build_gold(project, ME, ANA, BEN)
    before = {one.uuid for one in quotes(project, "gold")}
    queue = read_queue(project, ANA, BEN)
    decide(project, ME, queue, [first(queue, "polarity")], Resolution("left"))
    summary = build_gold(project, ME, ANA, BEN)
    assert (summary.added, summary.removed) == (1, 0)
    assert len({one.uuid for one in quotes(project, "gold")} - before) == 1
    assert before <= {one.uuid for one in quotes(project, "gold")}
    left_out, gold = queue.compared[0].document, annotator(project, "gold").uuid
    with begin_act(project, "clear", ANA) as act:
        remove_annotations(act, [one.uuid for one in quotes(project, ANA) if one.document == left_out])
        ana = annotator(project, ANA).uuid
        set_review(act, left_out, ana, state="untouched", looked_at=(), nothing_found=())
    build_gold(project, ME, ANA, BEN)
    assert left_out not in {one.document for one in reviews(project, gold) if one.state != "untouched"}
    assert left_out not in {one.document for one in quotes(project, "gold")}


def test_gold_that_is_as_it_should_be_is_not_written_again(project: Project) -> None:
    build_gold(project, ME, ANA, BEN)
    last = project.query("SELECT max(seq) AS last FROM history")
    built = build_gold(project, ME, ANA, BEN)
    assert project.query("SELECT max(seq) AS last FROM history") == last
    key = next(iter(key_of(project).values()))
    add_span(project, ANA, SpanPlace(key, 0, 3), "GI")
    more = build_gold(project, ME, ANA, BEN)
    assert (more.undecided, more.added, more.removed) == (built.undecided + 1, 0, 0)
    assert [one.undecided for one in gold_builds(project)] == [built.undecided, more.undecided]
    assert build_gold(project, ME, "gold", BEN, dry_run=True).name == "gold of gold and ben"
    build_gold(project, ME, BEN, TRUTH, "gold")
    told = finished(comparing_gold(project, "gold"))
    assert told is not None
    assert (told.left, told.right, told.added, told.removed) == (BEN, TRUTH, 0, 0)


def test_gold_built_again_states_what_both_sides_look_at_now(project: Project) -> None:
    build_gold(project, ME, ANA, BEN)
    gold, sides = annotator(project, "gold").uuid, [annotator(project, name).uuid for name in (ANA, BEN)]
    before = reviews(project, gold)
    one = next(one for one in before if one.nothing_found)
    for nothing in ((), one.nothing_found):
        looked_at = {*project.scheme.ids} - {*one.nothing_found} | {*nothing}
        with begin_act(project, "look again", ME) as act:
            for side in sides:
                set_review(act, one.document, side, looked_at=looked_at, nothing_found=nothing)
        assert getattr(finished(comparing_gold(project, "gold")), "restated", None) == 1
        again = build_gold(project, ME, ANA, BEN)
        assert (again.added, again.removed) == (0, 0)
        now = next(each for each in reviews(project, gold) if each.document == one.document)
        assert ({*now.looked_at}, now.nothing_found) == ({*one.looked_at} & looked_at, nothing)
    assert reviews(project, gold) == before


def test_gold_is_undone_and_redone_whole(project: Project) -> None:
    summary = build_gold(project, ME, ANA, BEN)
    assert not any("different fields" in one for one in gold_sentences(summary))
    (said,) = [one for one in gold_sentences(replace(summary, fields_differ=3)) if "fields" in one]
    assert said == f"3 agreed quotes with different fields: that of {ANA} was taken."
    built = gold_of(project)
    undo_change(project)
    assert "gold" not in {one.name for one in annotators(project)}
    redo_change(project)
    assert gold_of(project) == built


def test_an_imported_gold_set_is_never_built_over(project: Project) -> None:
    source = Path(asset("resources", "demo", "annotations", "gold.json"))
    for _ in import_reports(project, [source], ImportOptions("crb", "gold")):
        pass
    before = quotes(project, "gold")
    with pytest.raises(ProjectError, match="not built from two"):
        build_gold(project, ME, ANA, BEN, "gold")
    assert build_gold(project, ME, ANA, BEN).name == "gold of ana and ben"
    assert build_gold(project, ME, "gold", BEN, dry_run=True).name == "gold of gold and ben"
    assert quotes(project, "gold") == before


def test_the_sides_stay_as_they_are_whatever_is_decided(project: Project, errors: tuple[Error, ...]) -> None:
    before = quotes(project, ANA), quotes(project, BEN)
    settle(project, errors)
    build_gold(project, ME, ANA, BEN)
    assert (quotes(project, ANA), quotes(project, BEN)) == before


def test_a_decision_is_undone_across_a_restart(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    name = first(queue, "label")
    decide(
        project,
        ME,
        queue,
        [name],
        Resolution("both", reason="ambiguous-text", note="two readings", confidence=1),
    )
    assert read_queue(project, ANA, BEN).state(name) == "decided"
    project.close()
    with Project.open(project.path, write=True) as again:
        assert read_queue(again, ANA, BEN).decisions[name].note == "two readings"
        undo_change(again)
        assert read_queue(again, ANA, BEN).state(name) == "open"


def test_the_last_decision_holds_and_the_earlier_stays_on_record(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    name = first(queue, "boundary")
    decide(project, ME, queue, [name], Resolution("left"))
    decide(project, ME, queue, [name], Resolution("neither"))
    assert read_queue(project, ANA, BEN).decisions[name].choice == "neither"
    assert len(project.query("SELECT * FROM decision WHERE difference = ?", [name])) == 2


def test_a_question_put_again_is_not_decided(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    name = first(queue, "missing")
    decide(project, ME, queue, [name], Resolution("ask", note="ask Ben"))
    after = read_queue(project, ANA, BEN)
    assert after.state(name) == "asked"
    assert after.decided == 0
    assert list_corrections(project, ANA) == ()
    assert after.counts() == {"open": len(queue.differences) - 1, "asked": 1}


def test_a_decision_seen_from_the_other_side_names_the_same_annotator(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    name = first(queue, "label")
    decide(project, ME, queue, [name], Resolution("left"))
    assert read_queue(project, BEN, ANA).decisions[name].choice == "right"


def test_a_pair_is_decided_whole_but_for_what_is_decided_already(project: Project) -> None:
    queue = read_queue(project, ANA, BEN, below=101)
    pair = max((item for item in queue.items if item.kind == "pair"), key=lambda item: len(item.differences))
    assert len(pair.differences) > 1
    decide(project, ME, queue, [pair.differences[0].id], Resolution("left"))
    decide(project, ME, queue, [pair.differences[-1].id], Resolution("ask"))
    queue = read_queue(project, ANA, BEN, below=101)
    assert queue.state_of(queue.item(pair.id)) == "open"
    taken = decide(project, ME, queue, [pair.id], Resolution("right", seconds=6))
    assert sum(one.seconds or 0 for one in taken) == pytest.approx(6)
    assert {one.difference for one in taken} == {one.id for one in pair.differences[1:]}
    after = read_queue(project, ANA, BEN, below=101)
    assert after.state_of(after.item(pair.id)) == "decided"
    undo_change(project)
    assert read_queue(project, ANA, BEN).decided == 1


def test_what_a_side_says_anew_is_undecided_and_the_old_decision_is_named(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    name = first(queue, "boundary")
    decide(project, ME, queue, [name], Resolution("left"))
    with begin_act(project, "remove", ANA) as act:
        remove_annotations(act, [mark.uuid for mark in queue.differences[name].left])
    after = read_queue(project, ANA, BEN)
    assert name not in after.differences
    assert [one.difference for one in after.outdated] == [name]
    with pytest.raises(ProjectError, match="changed since"):
        decide(project, ME, queue, [name], Resolution("right"))


def test_merged_reaches_from_the_first_character_to_the_last(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    one = queue.differences[first(queue, "boundary")]
    (decision,) = decide(project, ME, queue, [one.id], Resolution("merged"))
    (finding,) = decision.findings
    assert (finding.start, finding.end) == one.place


def test_what_is_edited_holds_as_the_adjudicator_gave_it(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    one = queue.differences[first(queue, "label")]
    start, end = one.place or (0, 0)
    spans = (EditedSpan(start, end - 1, "Neuro", "uncertain"),)
    (decision,) = decide(project, ME, queue, [one.id], Resolution("edited", spans=spans))
    build_gold(project, ME, ANA, BEN)
    assert mark_of(decision.findings[0]) == ("Neuro", start, end - 1, "uncertain")
    assert mark_of(decision.findings[0]) in gold_of(project)[one.report]
    edited = [quote for quote in quotes(project, "gold") if quote.origin == "edited"]
    assert [mark_of(quote.finding) for quote in edited] == [mark_of(decision.findings[0])]
    assert json.loads(edited[0].source)["annotators"] == []


@pytest.mark.parametrize(
    ("kind", "resolution", "sentence"),
    [
        ("polarity", Resolution("both"), "choose one of"),
        ("missing", Resolution("merged"), "choose one of"),
        ("label", Resolution("edited"), "needs a span"),
        ("label", Resolution("left", spans=(EditedSpan(0, 4, "Neuro"),)), "goes with"),
        ("label", Resolution("left", reason="mood"), "no reason 'mood'"),
        ("label", Resolution("left", confidence=1.5), "0 to 1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence_and_leaves_no_trace(
    project: Project, kind: str, resolution: Resolution, sentence: str
) -> None:
    queue = read_queue(project, ANA, BEN)
    last = project.query("SELECT max(seq) AS last FROM history")
    with pytest.raises(CallError, match=sentence):
        decide(project, ME, queue, [first(queue, kind)], resolution)
    assert project.query("SELECT max(seq) AS last FROM history") == last


def test_an_edited_span_outside_of_the_text_is_refused(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    spans = (EditedSpan(0, 10_000_000, "Neuro"),)
    with pytest.raises(ProjectError, match="is no span"):
        decide(project, ME, queue, [first(queue, "label")], Resolution("edited", spans=spans))


def test_what_is_not_in_the_queue_cannot_be_decided(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    with pytest.raises(UnknownNameError, match="no 'nowhere'"):
        decide(project, ME, queue, ["nowhere"], Resolution("left"))


def test_alike_are_undecided_ones_of_the_same_pair_of_labels(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    labels = {
        one.id: ({m.finding.category for m in one.left}, {m.finding.category for m in one.right})
        for one in queue.differences.values()
        if one.kind == "label"
    }
    name = next(one for one in labels if list(labels.values()).count(labels[one]) > 1)
    found = {one.difference.id for one in list_alike(project, queue, name)}
    assert found == {one for one in labels if labels[one] == labels[name]} - {name}
    decide(project, ME, queue, [*found], Resolution("ask"))
    queue = read_queue(project, ANA, BEN)
    assert {one.difference.id for one in list_alike(project, queue, name)} == found
    decide(project, ME, queue, [name, *found], Resolution("left"))
    assert list_alike(project, read_queue(project, ANA, BEN), name) == ()
    undo_change(project)
    assert read_queue(project, ANA, BEN).decided == 0


def test_what_is_alike_is_found_in_steps_that_look_at_every_difference_once(
    project: Project,
) -> None:
    queue = read_queue(project, ANA, BEN)
    one, *more = (one.id for one in queue.differences.values() if one.kind == "boundary")
    given_up = listing_alike(project, queue, one)
    assert next(given_up).done == 0
    given_up.close()
    assert len(list(listing_alike(project, queue, one))) == len(queue.compared) - 1
    assert all(not list(listing_alike(project, queue, other)) for other in (one, *more))
    fresh = read_queue(project, ANA, BEN)
    assert [list_alike(project, queue, other) for other in more] == [
        list_alike(project, fresh, other) for other in more
    ]


def test_corrections_show_each_annotator_what_became_of_their_quotes(
    project: Project, errors: tuple[Error, ...]
) -> None:
    settle(project, errors)
    for name in (ANA, BEN):
        found = list_corrections(project, name)
        assert len(found) == len(errors)
        assert sum(not one.kept for one in found) == sum(error.by == name for error in errors)


def test_an_export_of_gold_says_how_much_is_undecided(project: Project, tmp_path: Path) -> None:
    build_gold(project, ME, ANA, BEN)
    exported = export_annotations(project, tmp_path / "gold.jsonl", "jsonl", "gold")
    total = len(read_queue(project, ANA, BEN).differences)
    assert exported.undecided == total
    assert any(f"Undecided: {total} of {total} differences." in note for note in exported.notes)
    queue = read_queue(project, ANA, BEN)
    decide(project, ME, queue, [first(queue, "polarity")], Resolution("left"))
    again = export_annotations(project, tmp_path / "gold.jsonl", "jsonl", "gold")
    assert any("build it anew" in note for note in again.notes)
    assert finished(comparing_gold(project, ANA)) is None
    build_gold(project, ME, BEN, ANA)
    compared = finished(comparing_gold(project, "gold"))
    assert compared is not None
    assert (compared.left, compared.right, compared.added) == (BEN, ANA, 0), "as it was built last"


def test_both_annotators_sets_travel_to_another_project_and_differ_there_as_here(
    project: Project, errors: tuple[Error, ...], tmp_path: Path
) -> None:
    with create_project_file(tmp_path / "other.casespan", None, ME) as other:
        for name in (ANA, BEN):
            out = tmp_path / f"{name}.jsonl"
            export_annotations(project, out, "jsonl", name)
            for _ in import_reports(other, [out], ImportOptions("jsonl", name)):
                pass
        # Reports without a number have another short name there.
        there = [what[1:] for what in said(read_queue(other, ANA, BEN)).values()]
    assert sorted(there, key=repr) == sorted((expected(error)[1:] for error in errors), key=repr)


def test_every_choice_that_is_offered_can_be_taken(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    for kind in ("missing", "boundary", "label", "polarity"):
        one = queue.differences[first(queue, kind)]
        for choice in choices_for(one):
            spans = (EditedSpan(0, 4, "Neuro"),) if choice == "edited" else ()
            (decision,) = decide(project, ME, queue, [one.id], Resolution(choice, spans=spans))
            assert decision.choice == choice


def test_an_edited_span_holds_in_its_own_report_and_nowhere_else(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    one, other = (
        next(one for one in queue.differences.values() if one.report == key)
        for key in sorted(key_of(project).values())[:2]
    )
    edited = Resolution("edited", spans=(EditedSpan(0, 4, "Neuro"),))
    with pytest.raises(CallError, match="one report"):
        decide(project, ME, queue, [one.id, other.id], edited)
    with pytest.raises(CallError, match="one report"):
        with_alike(project, queue, [([one.id], edited)], ["words", "cue", "labels"])
    assert read_queue(project, ANA, BEN).decided == 0
    both = [difference.id for difference in queue.differences.values() if difference.report == one.report]
    assert [len(taken.findings) for taken in decide(project, ME, queue, both[:2], edited)] == [1, 0]


def test_what_is_named_by_itself_is_not_decided_by_its_pair_or_by_what_is_alike(project: Project) -> None:
    queue = read_queue(project, ANA, BEN, below=101)
    pair = max((item for item in queue.items if item.kind == "pair"), key=lambda item: len(item.differences))
    named = pair.differences[0].id
    orders = [([pair.id], Resolution("neither")), ([named], Resolution("left"))]
    assert len(decide_all(project, ME, queue, orders)) == len(pair.differences)
    number = len(pair.differences)
    assert list_history(project)[-1].name == f"decide on {number} differences in {pair.report}"
    taken = read_queue(project, ANA, BEN).decisions
    assert taken[named].choice == "left"
    assert {taken[one.id].choice for one in pair.differences[1:]} == {"neither"}


def test_what_is_alike_follows_unless_it_is_named_by_itself(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    one, other = next(
        (name, found[0].difference.id)
        for name, difference in queue.differences.items()
        if difference.kind == "missing" and len(found := list_alike(project, queue, name)) > 1
    )
    wherein = get_args(Likeness)
    left, right = Resolution("left"), Resolution("right")
    followed = with_alike(project, queue, [([one], left)], wherein)
    assert other in followed[1][0]
    both = with_alike(project, queue, [([one], left), ([other], right)], wherein)
    assert both[1][0]
    assert set(both[1][0]).isdisjoint(both[3][0])
    decide_all(project, ME, queue, both)
    taken = read_queue(project, ANA, BEN).decisions
    assert (taken[one].choice, taken[other].choice) == ("left", "right")


def test_a_difference_is_not_decided_twice_in_one_call(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    name = first(queue, "label")
    orders = [([name], Resolution("left")), ([name], Resolution("right"))]
    with pytest.raises(CallError, match="twice"):
        decide_all(project, ME, queue, orders)


def test_what_is_alike_but_cannot_be_decided_so_is_left_out(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    for name, one in queue.differences.items():
        if one.kind == "label":
            assert with_alike(project, queue, [([name], Resolution("merged"))], ["labels"])[1][0] == []


def test_a_gold_quote_changed_by_hand_is_never_built_over(project: Project) -> None:
    build_gold(project, ME, ANA, BEN)
    quote = quotes(project, "gold")[0]
    set_span_polarity(project, quote.uuid, "uncertain")
    with pytest.raises(ProjectError, match="not built from two"):
        build_gold(project, ME, ANA, BEN, "gold")


def test_gold_is_exported_also_where_nobody_can_say_any_more_what_is_undecided(
    project: Project, tmp_path: Path
) -> None:
    build_gold(project, ME, ANA, BEN)
    set_span_polarity(project, quotes(project, "gold")[0].uuid, "uncertain")
    told = export_annotations(project, tmp_path / "gold.jsonl", "jsonl", "gold")
    assert told.undecided is None
    assert any("It is not known how much of" in note for note in told.notes)


def test_corrections_pass_over_whoever_shares_no_report_any_more(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    decide(project, ME, queue, [first(queue, "label")], Resolution("left"))
    with begin_act(project, "forget", ME) as act:
        holder = annotator(project, BEN).uuid
        remove_annotations(act, [one.uuid for one in quotes(project, BEN)])
        for review in reviews(project, holder):
            set_review(act, review.document, holder, state="untouched", looked_at=(), nothing_found=())
    assert list_corrections(project, ANA) == ()


def test_gold_of_other_sides_is_another_building_though_nothing_is_in_it(project: Project) -> None:
    with begin_act(project, "forget", ME) as act:
        for name in (ANA, BEN):
            remove_annotations(act, [one.uuid for one in quotes(project, name)])
    for sides in ((ANA, BEN), (BEN, ANA)):
        assert build_gold(project, ME, *sides).spans == 0
        assert gold_builds(project)[-1].annotator_left == annotator(project, sides[0]).uuid


def test_reports_and_categories_that_one_side_alone_looked_at_are_not_compared(project: Project) -> None:
    keys = list(key_of(project))
    with begin_act(project, "narrow", ME) as act:
        holder = annotator(project, BEN).uuid
        here = [one.uuid for one in quotes(project, BEN) if one.document in keys[:2]]
        remove_annotations(act, here)
        set_review(act, keys[0], holder, looked_at=(), nothing_found=())
        set_review(act, keys[1], holder, looked_at=("Neuro",), nothing_found=("Neuro",))
    queue = read_queue(project, ANA, BEN)
    assert (queue.reports, queue.only_left, queue.only_right) == (len(keys) - 1, 1, 0)
    assert (read_queue(project, BEN, ANA).only_left, read_queue(project, BEN, ANA).only_right) == (0, 1)
    narrowed = next(report for report in queue.compared if report.document == keys[1])
    assert tuple(narrowed.tsr) == tuple(narrowed.left) == tuple(narrowed.right) == ("Neuro",)
    assert {category for one in narrowed.differences for category in one.group.categories} <= {"Neuro"}


def test_seconds_that_no_clock_gives_are_refused(project: Project) -> None:
    queue = read_queue(project, ANA, BEN)
    for seconds in (-5.0, float("inf"), float("nan")):
        with pytest.raises(CallError, match="seconds"):
            decide(project, ME, queue, [first(queue, "label")], Resolution("left", seconds=seconds))

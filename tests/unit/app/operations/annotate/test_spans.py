"""Annotating by hand: one act per deed, on disk, undone and redone across reports and restarts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.operations.annotate.report import open_report
from app.operations.annotate.spans import (
    Changed,
    SpanPlace,
    accept_spans,
    add_span,
    add_spans,
    move_span,
    relabel_span,
    remove_spans,
    set_review_state,
    set_section_categories,
    set_span_field,
    set_span_note,
    set_span_polarity,
    state_nothing_found,
    state_nothing_in_rest,
)
from app.operations.project.files import check_project
from app.operations.project.history import list_history, redo_change, undo_change
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.reviews import ReviewState
from app.store.creation import create_project_file
from app.store.extract.runs import start_run
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.document import Document, Section
from extractors.model.errors import CasespanError, ProjectError, UnknownNameError
from extractors.model.finding import Finding, Grounding

ME, RUN = "Ann", "rules"
TEXT = "Case 😊\nShe had fe\u0301ver,\u00a0headache and ataxia; no fever later.\n"
QUOTE = TEXT.index("headache"), TEXT.index("headache") + len("headache")
State: TypeAlias = dict[str, list[dict[str, Any]]]


def make(path: Path) -> Project:
    """A project of two reports, a fuzzy span and a quote without a place by a run in the first."""
    project = create_project_file(path, None, ME)
    with begin_act(project, "add", ME) as act:
        for number in "12":
            section = Section("Case", ("Case",), 0, len(TEXT) + 1, ("Neuro",), "excluded", "a reason")
            add_document(act, Document("R", TEXT + number, (section,), {"pmcid": number}), "r.xml", "0" * 64)
        holder = ensure_annotator(act, RUN, "run").uuid
        report = open_report(project, "PMC1", RUN).stored.uuid
        found = Finding("Neuro", "head ache", *QUOTE, "", "negated", "fuzzy", "nearly")
        lost = Finding("Neuro", "migraine", None, None, grounding="ungrounded", reason="not there")
        fuzzy = Grounding("fuzzy", *QUOTE, 94.0, "nearly")
        add_annotations(act, report, holder, [found, lost], "model", groundings=[fuzzy, None])
    return project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with make(tmp_path / "study.casespan") as made:
        yield made


def state(project: Project) -> State:
    """Every row that acts by hand may change."""
    tables = ("annotator", "annotation", "review", "section")
    return {table: project.query(f"SELECT * FROM {table} ORDER BY uuid") for table in tables}


def place(words: str = "headache", report: str = "PMC1") -> SpanPlace:
    start = TEXT.index(words)
    return SpanPlace(report, start, start + len(words))


def label(project: Project, words: str = "headache", category: str = "Neuro", report: str = "PMC1") -> str:
    return add_span(project, ME, place(words, report), category).added[0].uuid


def offered(project: Project) -> str:
    """The run's placed span."""
    return open_report(project, "PMC1", RUN).annotations[0].uuid


Deed: TypeAlias = Callable[[Project], object]
DEEDS: dict[str, Deed] = {
    "add": lambda project: add_span(project, ME, place("ataxia"), "Neuro", note="seen", uuid="u-1"),
    "propagate": lambda project: add_spans(
        project, ME, [place("fever"), place("fever", "PMC2")], "Vitals_Hema", uuids=("a", "b")
    ),
    "move": lambda project: move_span(project, own(project), QUOTE[0], QUOTE[1] - 1),
    "relabel": lambda project: relabel_span(project, own(project), "EENT"),
    "second label": lambda project: add_span(project, ME, place(), "EENT"),
    "field": lambda project: set_span_field(
        project, own(project), project.scheme.category("Neuro").fields[0]
    ),
    "polarity": lambda project: set_span_polarity(project, own(project), "uncertain"),
    "note": lambda project: set_span_note(project, own(project), "a note"),
    "remove": lambda project: remove_spans(project, [own(project)]),
    "nothing found": lambda project: state_nothing_found(project, ME, "PMC2", "GU"),
    "nothing in the rest": lambda project: state_nothing_in_rest(project, ME, "PMC2"),
    "park": lambda project: set_review_state(project, ME, "PMC2", "parked"),
    "done": lambda project: set_review_state(project, ME, "PMC1", "done"),
    "section": lambda project: set_section_categories(project, ME, "PMC2", 0, ["GU", "Neuro"]),
    "accept": lambda project: accept_spans(project, "Bob", [offered(project)]),
}


def own(project: Project) -> str:
    return open_report(project, "PMC1", ME).annotations[0].uuid


@pytest.mark.parametrize("deed", DEEDS)
def test_each_act_is_one_step_that_undo_and_redo_carry_across_restarts(project: Project, deed: str) -> None:
    label(project)
    before, acts = state(project), len(list_history(project))
    DEEDS[deed](project)
    after = state(project)
    assert after != before
    assert len(list_history(project)) == acts + 1
    assert list_history(project)[-1].name.endswith(("PMC1", "PMC2", "2 reports"))
    assert list_history(project)[-1].who == ME
    assert check_project(project) == []
    project.close()
    with Project.open(project.path, write=True) as again:
        assert state(again) == after
        assert undo_change(again)
        assert state(again) == before
    with Project.open(project.path, write=True) as again:
        assert redo_change(again)
        assert state(again) == after
        assert check_project(again) == []


# Done a second time, this would speak of a span that is no longer there.
AGAIN: dict[str, Deed] = {
    "remove": lambda project: remove_spans(project, []),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_an_act_that_changes_nothing_leaves_no_trace(project: Project, deed: str) -> None:
    label(project)
    DEEDS[deed](project)
    before, acts = state(project), len(list_history(project))
    assert AGAIN.get(deed, DEEDS[deed])(project) == Changed() or deed == "section"
    assert (state(project), len(list_history(project))) == (before, acts)


def test_a_span_is_the_text_at_its_code_points_and_bears_the_uuid_given(project: Project) -> None:
    changed = add_span(project, ME, place("fe\u0301ver,\u00a0headache"), "Neuro", uuid="mine")
    (added,) = changed.added
    finding = added.finding
    assert (added.uuid, added.origin, finding.grounding) == ("mine", "human", "exact")
    assert TEXT[finding.start : finding.end] == finding.quote == added.surface == "fe\u0301ver,\u00a0headache"
    assert open_report(project, "PMC1", ME).annotations == (added,)


@pytest.mark.parametrize(
    ("start", "end"),
    [(3, 3), (4, 3), (-1, 2), (0, len(TEXT) + 2), (TEXT.index("\u00a0"), TEXT.index("\u00a0") + 1)],
)
def test_an_empty_blank_or_outside_span_is_refused_and_nothing_changes(
    project: Project, start: int, end: int
) -> None:
    uuid = label(project)
    before = state(project)
    with pytest.raises(ProjectError):
        add_spans(project, "Bob", [place("ataxia"), SpanPlace("PMC1", start, end)], "Neuro")
    with pytest.raises(ProjectError):
        move_span(project, uuid, start, end)
    assert state(project) == before


def test_the_first_span_begins_the_report_and_takes_back_nothing_found(project: Project) -> None:
    set_review_state(project, ME, "PMC2", "parked")
    assert state_nothing_found(project, ME, "PMC1", "Neuro").reviews[0].state == "in progress"
    changed = add_spans(project, ME, [place(), place(report="PMC2")], "Neuro")
    assert [review.nothing_found for review in changed.reviews] == [()]
    assert open_report(project, "PMC2", ME).review.state == "parked"
    assert add_span(project, ME, place("ataxia"), "GU").reviews == ()
    undo_change(project)
    undo_change(project)
    assert open_report(project, "PMC1", ME).review.nothing_found == ("Neuro",)
    assert open_report(project, "PMC1", ME).annotations == ()


def test_a_span_relabelled_takes_back_nothing_found_in_its_new_category(project: Project) -> None:
    uuid = label(project)
    state_nothing_found(project, ME, "PMC1", "GU")
    relabel_span(project, uuid, "GU")
    assert open_report(project, "PMC1", ME).review.nothing_found == ()


def test_nothing_found_is_refused_beside_spans_and_can_be_taken_back(project: Project) -> None:
    label(project)
    with pytest.raises(ProjectError, match="remove them"):
        state_nothing_found(project, ME, "PMC1", "Neuro")
    state_nothing_found(project, ME, "PMC1", "GU")
    review = state_nothing_found(project, ME, "PMC1", "GU", stated=False).reviews[0]
    assert (review.nothing_found, review.looked_at) == ((), ())


def test_done_says_that_every_category_was_looked_at_until_it_is_taken_back(project: Project) -> None:
    label(project)
    state_nothing_found(project, ME, "PMC1", "GU")
    done = set_review_state(project, ME, "PMC1", "done").reviews[0]
    assert done.looked_at == project.scheme.ids
    taken_back = state_nothing_found(project, ME, "PMC1", "GU", stated=False).reviews[0]
    assert (taken_back.nothing_found, taken_back.looked_at) == ((), project.scheme.ids)
    state_nothing_found(project, ME, "PMC1", "GU")
    assert set(set_review_state(project, ME, "PMC1", "parked").reviews[0].looked_at) == {"Neuro", "GU"}


def test_a_span_accepted_is_the_text_in_ones_own_set_and_edited_from_the_first_change(
    project: Project,
) -> None:
    theirs = open_report(project, "PMC1", RUN).annotations
    (mine,) = accept_spans(project, ME, [theirs[0].uuid]).added
    assert (mine.origin, mine.finding) == ("accepted", Finding("Neuro", "headache", *QUOTE, "", "negated"))
    assert mine.score is None
    assert set_span_note(project, mine.uuid, "why").edited[0].origin == "accepted"
    assert move_span(project, mine.uuid, QUOTE[0], QUOTE[1] - 1).edited[0].origin == "edited"
    assert open_report(project, "PMC1", RUN).annotations == theirs


def test_what_a_run_found_is_not_changed_by_hand(project: Project) -> None:
    placed, lost = (one.uuid for one in open_report(project, "PMC1", RUN).annotations)
    before = state(project)
    deeds: tuple[Callable[[], object], ...] = (
        lambda: move_span(project, placed, 1, 3),
        lambda: set_span_note(project, placed, "x"),
        lambda: remove_spans(project, [placed]),
        lambda: add_span(project, RUN, place("ataxia"), "Neuro"),
        lambda: set_review_state(project, RUN, "PMC1", "done"),
        lambda: accept_spans(project, ME, [placed, lost]),
    )
    for deed in deeds:
        with pytest.raises(ProjectError):
            deed()
    assert state(project) == before
    with begin_act(project, "name", ME) as act:
        named = ensure_annotator(act, "terms", "run").uuid
        start_run(act, named, "model", "terms", {"layer": "phenotype"}, "1")
        report = open_report(project, "PMC1", ME).stored.uuid
        term = Finding("", "headache", *QUOTE)
        (one,) = add_annotations(act, report, named, [term], "model", layer="phenotype")
    with pytest.raises(ProjectError, match="What terms found stays as it is"):
        remove_spans(project, [one.uuid])


def test_a_quote_without_a_place_becomes_exact_when_it_is_given_one(project: Project) -> None:
    report = open_report(project, "PMC1", ME).stored.uuid
    lost = Finding("Neuro", "migraine", None, None, grounding="conflict", reason="two places")
    with begin_act(project, "import", ME) as act:
        holder = ensure_annotator(act, ME, "person").uuid
        why = Grounding("conflict", None, None, 80.0, "two places", ((0, 4), QUOTE), QUOTE)
        (before,) = add_annotations(act, report, holder, [lost], "imported", groundings=[why])
    (after,) = move_span(project, before.uuid, *QUOTE).edited
    assert after.finding == Finding("Neuro", "headache", *QUOTE)
    assert (after.origin, after.score, after.places, after.candidate) == ("edited", None, (), None)
    assert check_project(project) == []


def test_a_place_labelled_so_already_is_not_labelled_twice(project: Project) -> None:
    first, second = label(project), label(project, "ataxia")
    third = label(project, category="EENT")
    deeds: tuple[Callable[[], object], ...] = (
        lambda: move_span(project, second, *QUOTE),
        lambda: relabel_span(project, third, "Neuro"),
    )
    for deed in deeds:
        with pytest.raises(ProjectError, match="already"):
            deed()
    assert [one.uuid for one in add_spans(project, ME, [place()] * 2, "GU").added] != [first]
    assert len(open_report(project, "PMC1", ME).annotations) == 4


def test_names_that_the_scheme_or_project_lacks_are_refused(project: Project) -> None:
    uuid = label(project)
    before = state(project)
    deeds: tuple[Callable[[], object], ...] = (
        lambda: add_span(project, ME, place(report="PMC9"), "Neuro"),
        lambda: add_span(project, ME, place(), "Nothing"),
        lambda: add_span(project, ME, place("ataxia"), "Neuro", field="no such field"),
        lambda: relabel_span(project, uuid, "Nothing"),
        lambda: set_span_field(project, uuid, "no such field"),
        lambda: set_span_polarity(project, uuid, cast("Any", "perhaps")),
        lambda: set_review_state(project, ME, "PMC1", cast("Any", "lost")),
        lambda: state_nothing_found(project, ME, "PMC1", "Nothing"),
        lambda: set_section_categories(project, ME, "PMC1", 0, ["Nothing"]),
        lambda: set_section_categories(project, ME, "PMC1", 1, ["Neuro"]),
        lambda: remove_spans(project, [uuid, "no such span"]),
    )
    for deed in deeds:
        with pytest.raises(UnknownNameError):
            deed()
    assert state(project) == before


def test_a_section_keeps_its_role_and_reason_when_its_categories_are_corrected(project: Project) -> None:
    section = set_section_categories(project, ME, "PMC1", 0, ["Neuro", "GU", "GU"])
    assert section.categories == tuple(one for one in project.scheme.ids if one in ("Neuro", "GU"))
    assert (section.role, section.reason) == ("excluded", "a reason")
    assert open_report(project, "PMC1", ME).sections == (section,)


STATES: tuple[ReviewState, ...] = ("untouched", "in progress", "parked", "done")
REPORTS = st.sampled_from(["PMC1", "PMC2"])
LABELS = st.sampled_from(["Neuro", "GU", "EENT"])
SPANS = st.tuples(st.integers(0, len(TEXT)), st.integers(1, 9))
STEPS = st.lists(
    st.tuples(st.integers(0, 9), REPORTS, LABELS, SPANS, st.integers(0, 99), st.sampled_from(STATES)),
    max_size=12,
)


def perform(project: Project, step: tuple[int, str, str, tuple[int, int], int, ReviewState]) -> None:
    kind, report, category, (start, length), pick, review = step
    spans = [one.uuid for key in ("PMC1", "PMC2") for one in open_report(project, key, ME).annotations]
    uuid = spans[pick % len(spans)] if spans else "none yet"
    both = [SpanPlace(key, start, start + length) for key in ("PMC1", "PMC2")]
    deeds: list[Callable[[], object]] = [
        lambda: add_span(project, ME, SpanPlace(report, start, start + length), category),
        lambda: add_spans(project, ME, both, category),
        lambda: move_span(project, uuid, start, start + length),
        lambda: relabel_span(project, uuid, category),
        lambda: add_span(project, ME, SpanPlace("PMC1", *QUOTE), category),
        lambda: remove_spans(project, spans[: pick % 3]),
        lambda: state_nothing_found(project, ME, report, category, stated=pick % 3 > 0),
        lambda: set_review_state(project, ME, report, review),
        lambda: set_section_categories(project, ME, report, 0, [category]),
        lambda: accept_spans(project, "Bob", [offered(project)]),
    ]
    with suppress(CasespanError):  # a span that is blank, say; then nothing may have changed
        deeds[kind]()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_acts_all_undone_give_the_start_and_all_redone_the_end(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Any]
) -> None:
    with make(tmp_path_factory.mktemp("acts") / "study.casespan") as project:
        states, acts = [state(project)], len(list_history(project))
        for step in steps:
            perform(project, step)
            if len(list_history(project)) > acts:
                acts = len(list_history(project))
                states.append(state(project))
            assert state(project) == states[-1]
        assert check_project(project) == []
        for expected in reversed(states[:-1]):
            assert undo_change(project)
            assert state(project) == expected
        project.close()
        with Project.open(project.path, write=True) as again:
            for expected in states[1:]:
                assert redo_change(again)
                assert state(again) == expected
            assert redo_change(again) is None
            assert check_project(again) == []


def test_acts_name_categories_as_people_do_and_not_by_their_ids(project: Project) -> None:
    one = add_span(project, ME, SpanPlace("PMC1", *QUOTE), "Vitals_Hema").added[0].uuid
    add_span(project, ME, SpanPlace("PMC1", *QUOTE), "Neuro")
    relabel_span(project, one, "CVS")
    state_nothing_found(project, ME, "PMC1", "Vitals_Hema")
    with pytest.raises(ProjectError, match="has spans in Cardio- and cerebrovascular"):
        state_nothing_found(project, ME, "PMC1", "CVS")
    with pytest.raises(ProjectError, match="is labelled Neurology and cognition there"):
        relabel_span(project, one, "Neuro")
    state_nothing_found(project, ME, "PMC1", "Vitals_Hema", stated=False)
    assert [entry.name for entry in list_history(project)][-5:] == [
        "label span as Vital signs and haematology in PMC1",
        "label span as Neurology and cognition in PMC1",
        "relabel Vital signs and haematology as Cardio- and cerebrovascular in PMC1",
        "state nothing found in Vital signs and haematology in PMC1",
        "take back nothing found in Vital signs and haematology in PMC1",
    ]

"""What a decision proposes: by its kind, in the right category, with an example that holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.operations.annotate.spans import SpanPlace, add_span, remove_spans, set_review_state
from app.operations.exchange.importing import import_reports
from app.operations.guidelines.amendments import amend_guideline
from app.operations.guidelines.drafts import Draft, draft_amendment
from app.operations.reconcile.decisions import EditedSpan, Resolution, decide
from app.operations.reconcile.queue import read_queue
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import annotator
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import document
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import Finding, Polarity
from extractors.model.guideline import ExampleQuote

LEFT, RIGHT, BY = "Ann", "Ben", "Dr Ruiz"
TEXT = (
    'Dr. Ito saw him at 4.5 months. Fever of 39.2 °C and "odd" gait were seen; no rash.\n\n'
    "He had no seizures. All else was well."
)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """One short report, which both sides have done."""
    (tmp_path / "r1.txt").write_text(TEXT, encoding="utf-8")
    with create_project_file(tmp_path / "study.casespan", None, BY) as made:
        for _ in import_reports(made, [tmp_path / "r1.txt"]):
            pass
        for name in (LEFT, RIGHT):
            set_review_state(made, name, "r1", "done")
        yield made


def text_of(project: Project) -> str:
    from app.operations.annotate.report import open_report

    return open_report(project, "r1", LEFT).text


def mark(
    project: Project, who: str, words: str, category: str = "Neuro", polarity: Polarity = "present"
) -> str:
    start = text_of(project).index(words)
    place = SpanPlace("r1", start, start + len(words))
    return add_span(project, who, place, category, polarity=polarity).added[0].uuid


def decided(project: Project, resolution: Resolution, which: int = 0) -> Draft:
    queue = read_queue(project, LEFT, RIGHT)
    name = sorted(queue.differences.values(), key=lambda one: one.place or (0, 0))[which].id
    decision = decide(project, BY, queue, [name], resolution)[0]
    draft = draft_amendment(project, decision.uuid)
    assert draft_amendment(project.path, name) == draft
    assert draft.decision == decision.uuid
    return draft


def quote(words: str, polarity: Polarity = "present", *also: str) -> ExampleQuote:
    return ExampleQuote(words, "", polarity, also)


GAIT = 'Fever of 39.2 °C and "odd" gait were seen; no rash.'


def test_something_missing_that_holds_is_to_be_included(project: Project) -> None:
    mark(project, LEFT, '"odd" gait')
    draft = decided(project, Resolution("left", note="#Gait is a sign."))
    assert (draft.category, draft.section) == ("Neuro", "Include")
    assert draft.clause == 'Gait is a sign. Passages such as ""odd" gait".'
    assert draft.example_text == GAIT
    assert draft.example_quotes == (quote('"odd" gait'),)
    assert draft.report == "r1"


def test_something_that_does_not_hold_is_to_be_left_out(project: Project) -> None:
    mark(project, RIGHT, "Fever of 39.2 °C")
    draft = decided(project, Resolution("neither"))
    assert (draft.category, draft.section) == ("Neuro", "Exclude")
    assert draft.clause == 'Passages such as "Fever of 39.2 °C": no category.'
    assert (draft.example_text, draft.example_quotes) == (GAIT, ())
    assert draft.reason == '"Fever of 39.2 °C" is not marked.'


def test_an_example_marks_all_that_holds_in_its_sentence(project: Project) -> None:
    for name in (LEFT, RIGHT):
        mark(project, name, '"odd" gait')
        mark(project, name, "no rash", "DERM")
    mark(project, RIGHT, "Fever of 39.2 °C")
    draft = decided(project, Resolution("neither"))
    assert draft.example_quotes == (quote('"odd" gait'),)
    assert draft.reason == ""


def test_an_example_has_every_sentence_that_what_was_decided_reaches_into(project: Project) -> None:
    mark(project, LEFT, "no seizures. All else")
    draft = decided(project, Resolution("left"))
    assert draft.example_text == "He had no seizures. All else was well."
    assert draft.example_quotes == (quote("no seizures. All else"),)


def test_what_was_decided_before_holds_in_the_example_too(project: Project) -> None:
    mark(project, LEFT, "no rash")
    mark(project, LEFT, '"odd" gait')
    decided(project, Resolution("left"), 1)
    assert decided(project, Resolution("left"), 0).example_quotes == (quote('"odd" gait'), quote("no rash"))


def test_what_was_decided_later_of_the_same_question_holds_in_no_earlier_draft(project: Project) -> None:
    mark(project, LEFT, '"odd" gait')
    queue = read_queue(project, LEFT, RIGHT)
    first, later = (
        decide(project, BY, queue, list(queue.differences), Resolution(choice))[0]
        for choice in ("neither", "left")
    )
    draft = draft_amendment(project, first.uuid)
    assert draft_amendment(project, first.difference).decision == later.uuid, "the question's last"
    assert (draft.section, draft.example_quotes) == ("Exclude", ())
    assert draft_amendment(project, later.uuid).example_quotes == (quote('"odd" gait'),)


def test_a_boundary_says_what_is_good_and_what_is_bad(project: Project) -> None:
    mark(project, LEFT, "Fever", "Vitals_Hema")
    mark(project, RIGHT, "Fever of 39.2 °C", "Vitals_Hema")
    draft = decided(project, Resolution("right"))
    assert (draft.category, draft.section) == ("Vitals_Hema", "Boundaries")
    assert draft.clause == 'Good: "Fever of 39.2 °C". Bad: "Fever".'
    assert draft.example_quotes == (quote("Fever of 39.2 °C"),)


def test_an_edited_boundary_is_the_good_one_and_both_sides_are_bad(project: Project) -> None:
    mark(project, LEFT, "Fever", "Vitals_Hema")
    mark(project, RIGHT, "Fever of", "Vitals_Hema")
    draft = decided(project, Resolution("edited", spans=(EditedSpan(31, 47, "Vitals_Hema"),)))
    assert draft.clause == 'Good: "Fever of 39.2 °C". Bad: "Fever" and "Fever of".'


def test_the_category_that_lost_sends_to_the_one_that_won(project: Project) -> None:
    mark(project, LEFT, '"odd" gait', "MSK")
    mark(project, RIGHT, '"odd" gait', "Neuro")
    draft = decided(project, Resolution("right"))
    assert (draft.category, draft.section) == ("MSK", "Exclude")
    assert draft.clause == 'Passages such as ""odd" gait": `Neuro`.'
    assert (draft.example_quotes, draft.reason) == ((), '""odd" gait" is `Neuro`.')


def test_where_both_labels_hold_one_names_the_other(project: Project) -> None:
    mark(project, LEFT, '"odd" gait', "MSK")
    mark(project, RIGHT, '"odd" gait', "Neuro")
    draft = decided(project, Resolution("both"))
    assert (draft.category, draft.section) == ("MSK", "Include")
    assert draft.clause == 'Passages such as ""odd" gait", `Neuro` too.'
    assert draft.example_quotes == (quote('"odd" gait', "present", "Neuro"),)


def test_what_has_no_place_has_no_example_and_no_reason_why(project: Project) -> None:
    lost = Finding("Neuro", "ataxia", None, None, grounding="ungrounded", reason="absent")
    with begin_act(project, "add", LEFT) as act:
        report = document(project, "r1").uuid
        add_annotations(act, report, annotator(project, LEFT).uuid, [lost], "human")
    draft = decided(project, Resolution("left"))
    assert (draft.section, draft.clause) == ("Include", 'Passages such as "ataxia".')
    assert (draft.example_text, draft.example_quotes, draft.reason) == ("", (), "")
    assert (draft.example, draft.report) == (None, "r1")


def test_a_polarity_is_shown_by_an_example(project: Project) -> None:
    mark(project, LEFT, "no seizures", polarity="negated")
    mark(project, RIGHT, "no seizures")
    draft = decided(project, Resolution("left"))
    assert (draft.category, draft.section, draft.clause) == ("Neuro", "", "")
    assert (draft.example_text, draft.example_quotes) == (
        "He had no seizures.",
        (quote("no seizures", "negated"),),
    )


def test_a_polarity_with_a_note_has_a_clause(project: Project) -> None:
    mark(project, LEFT, "no seizures", polarity="negated")
    mark(project, RIGHT, "no seizures")
    draft = decided(project, Resolution("left", note="what is absent is negated"))
    assert draft.section == "Boundaries"
    assert draft.clause == 'What is absent is negated. "no seizures" is negated.'


def test_every_draft_can_be_adopted_as_it_is(project: Project) -> None:
    mark(project, LEFT, "Fever", "Vitals_Hema")
    mark(project, RIGHT, "Fever of 39.2 °C", "Vitals_Hema")
    mark(project, LEFT, '"odd" gait', "MSK")
    mark(project, RIGHT, '"odd" gait', "Neuro")
    mark(project, LEFT, "no rash", "DERM")
    mark(project, LEFT, "no seizures", polarity="negated")
    mark(project, RIGHT, "no seizures")
    for which in range(4):
        draft = decided(project, Resolution("left"), which)
        made = amend_guideline(
            project, BY, draft.category, draft.section, draft.clause, draft.example, draft.decision
        )
        assert made.decision == draft.decision


def test_a_question_put_again_proposes_nothing(project: Project) -> None:
    mark(project, LEFT, "no rash")
    with pytest.raises(ProjectError, match="question open"):
        decided(project, Resolution("ask"))


def test_where_a_side_changed_since_the_decision_alone_tells(project: Project) -> None:
    uuid = mark(project, LEFT, "no rash", "DERM")
    mark(project, RIGHT, '"odd" gait', "Neuro")
    queue = read_queue(project, LEFT, RIGHT)
    rash = next(one for one in queue.differences.values() if one.category == "DERM")
    kept = decide(project, BY, queue, [rash.id], Resolution("left"))[0]
    dropped = decide(project, BY, queue, [rash.id], Resolution("neither"))[0]
    remove_spans(project, [uuid])
    assert draft_amendment(project, kept.uuid).clause == 'Passages such as "no rash".'
    with pytest.raises(ProjectError, match="changed since"):
        draft_amendment(project, dropped.uuid)


def test_there_is_no_draft_without_a_decision(project: Project) -> None:
    with pytest.raises(UnknownNameError, match="no decision 'nope'"):
        draft_amendment(project, "nope")

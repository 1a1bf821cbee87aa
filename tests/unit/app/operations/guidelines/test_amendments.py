"""Guidelines that learn: one act, every version kept, and whose work is older than the text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.operations.annotate.spans import SpanPlace, add_span, set_review_state, state_nothing_found
from app.operations.bias.seeding import plant_errors
from app.operations.exchange.importing import import_reports
from app.operations.extract.models import replay
from app.operations.extract.options import ModelOptions, ModelSummary
from app.operations.extract.quotes import extract_with_model
from app.operations.extract.rules import extract_with_rules
from app.operations.guidelines.amendments import (
    Outdated,
    amend_guideline,
    compare_versions,
    list_amendments,
    list_outdated,
    list_worked_on,
    preview_amendment,
)
from app.operations.guidelines.amendments import _since as since_run
from app.operations.project.files import check_project
from app.operations.project.history import redo_change, undo_change
from app.operations.study.building import build_items
from app.operations.study.people import record_answer
from app.operations.study.running import StudyOptions
from app.store.annotate.annotators import annotators
from app.store.creation import create_project_file
from app.store.extract.runs import runs
from app.store.project import Project
from app.store.reconcile.amendments import guideline_text
from extractors.assets import asset
from extractors.model.errors import CallError, CasespanError, ProjectError, SchemeError, UnknownNameError
from extractors.model.guideline import Example, ExampleQuote, parse_guideline
from extractors.model.progress import finished
from tests.builders import Kept
from tests.toy_study.study import STUDY

ME, HER, REPORT = "Ann", "Dr Ruiz", "PMC99000001"
CLAUSE = "Hiccups after anaesthesia: `RESP`."
EXAMPLE = Example("E", "Hiccups for days.", (ExampleQuote("Hiccups", "gastrointestinal", "present", ()),), "")


def write_two(path: Path) -> None:
    """A project with two of the sample reports."""
    with create_project_file(path, None, ME) as made:
        reports = asset("resources", "demo", "reports")
        for _ in import_reports(made, [reports / f"{REPORT}.xml", reports / "PMC99000002.xml"]):
            pass


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with kept.open(write_two, tmp_path / "study.casespan") as made:
        yield made


def label(project: Project, who: str, category: str, report: str = REPORT, start: int = 0) -> None:
    add_span(project, who, SpanPlace(report, start, start + 4), category)


def amend(project: Project, clause: str = CLAUSE, category: str = "GI") -> str:
    return amend_guideline(project, HER, category, "Exclude", clause).uuid


def long_ago(project: Project) -> None:
    """Let all that was done and amended so far lie back, in that order: times have seconds."""
    db = project.db
    db.execute("UPDATE annotation SET created_at = '2026-01-01T00:00:00Z' WHERE created_at > '2026-01-01'")
    db.execute("UPDATE review SET changed_at = '2026-01-01T00:00:00Z' WHERE changed_at > '2026-01-01'")
    db.execute("UPDATE run SET started_at = '2026-01-01T00:00:00Z' WHERE started_at > '2026-01-01'")
    db.execute("UPDATE amendment SET amended_at = '2026-01-02T00:00:00Z' WHERE amended_at > '2026-01-02'")
    db.conn.commit()


def named(found: tuple[Outdated, ...]) -> list[tuple[str, str, str, int]]:
    return [(one.report, one.annotator, one.category, len(one.amendments_since)) for one in found]


def ask(project: Project, **more: object) -> ModelSummary:
    client, recording = replay(asset("resources", "demo", "replies.jsonl"))
    options = ModelOptions(
        recording.model,
        recording.strategy,
        recording.prompting,
        documents=(REPORT,),
        categories=("GI",),
        resume=bool(more),
    )
    job = extract_with_model(project, client, options)
    while True:
        try:
            next(job)
        except StopIteration as stop:
            summary: ModelSummary = stop.value
            return summary


def test_an_amendment_is_one_act_that_undo_and_redo_follow(project: Project) -> None:
    before = project.scheme
    made = amend_guideline(project, HER, "GI", "exclude", f" {CLAUSE} ", EXAMPLE)
    after = parse_guideline(project.scheme.category("GI").guideline, "GI")
    assert after.exclude[-1] == CLAUSE
    assert after.examples[-1] == EXAMPLE
    assert (made.section, made.clause, made.author) == ("Exclude", CLAUSE, HER)
    assert project.scheme.category("GI").amended == (CLAUSE,)
    assert guideline_text(project, made.before_sha256) == before.category("GI").guideline
    assert guideline_text(project, made.after_sha256) == project.scheme.category("GI").guideline
    undone = undo_change(project)
    assert undone is not None
    assert undone.name == "amend the guideline of Gastrointestinal"
    assert project.scheme == before
    assert list_amendments(project) == ()
    redo_change(project)
    assert list_amendments(project) == (made,)
    assert project.scheme.category("GI").amended == (CLAUSE,)
    assert check_project(project) == []
    with Project.open(project.path) as again:
        assert again.scheme == project.scheme


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("Toes", "Exclude", CLAUSE), UnknownNameError),
        (("GI", "Exclude", ""), SchemeError),
        (("GI", "Exclude", "one\ntwo"), SchemeError),
        (
            ("GI", "", "", Example("", "A b.", (ExampleQuote("A", "toe", "present", ()),), "")),
            UnknownNameError,
        ),
        (
            ("GI", "", "", Example("", "A b.", (ExampleQuote("A", "", "present", ("X",)),), "")),
            UnknownNameError,
        ),
        (("GI", "Exclude", CLAUSE, None, "no-such-decision"), UnknownNameError),
    ],
)
def test_what_cannot_be_added_changes_nothing(
    project: Project, arguments: tuple[str, str, str], error: type[CasespanError]
) -> None:
    before = project.scheme
    with pytest.raises(error):
        amend_guideline(project, HER, *arguments)
    if len(arguments) < 5:
        with pytest.raises(error):
            preview_amendment(project, *arguments)
    assert project.scheme == before
    assert list_amendments(project) == ()


def test_a_person_amends(project: Project, tmp_path: Path) -> None:
    assert amend_guideline(project, "", "GI", "Exclude", CLAUSE).author == ME
    with pytest.raises(ProjectError):
        amend_guideline(project, "rules", "GI", "Exclude", "Hiccups.")
    with (
        create_project_file(tmp_path / "nobody.casespan") as nobodys,
        pytest.raises(CallError, match="--by"),
    ):
        amend_guideline(nobodys, "", "GI", "Exclude", CLAUSE)


def test_versions_are_compared_line_by_line(project: Project) -> None:
    amend(project)
    lines = compare_versions(project, list_amendments(project, "GI")[0])
    assert [line for line in lines if line.startswith("+") and line[1] != "+"] == [f"+- {CLAUSE}"]
    assert not [line for line in lines if line.startswith("-") and line[1] != "-"]
    assert list_amendments(project, "GU") == ()
    with pytest.raises(UnknownNameError):
        list_amendments(project, "Toes")


def test_work_on_the_amended_category_is_listed_and_no_other(project: Project) -> None:
    label(project, ME, "GI")
    label(project, HER, "GU")
    state_nothing_found(project, HER, "PMC99000002", "GI")
    assert list_outdated(project) == ()
    amend(project)
    long_ago(project)
    assert named(list_outdated(project)) == [(REPORT, ME, "GI", 1), ("PMC99000002", HER, "GI", 1)]
    amend(project, "Belching.")
    (outdated,) = list_outdated(project, "GI", report=REPORT)
    assert named((outdated,)) == [(REPORT, ME, "GI", 2)]
    before, last = outdated.amendments_since
    assert ("Belching" in before.clause, last.clause) == (False, "Belching.")
    assert outdated.worked_on < before.amended_at <= last.amended_at == outdated.amended_at
    later = (before, replace(last, amended_at="9999"))
    assert replace(outdated, amendments_since=later).amended_at == "9999"
    assert named(list_outdated(project, annotator=HER)) == [("PMC99000002", HER, "GI", 2)]
    assert list_outdated(project, "GU") == ()
    assert [one.annotator for one in list_worked_on(project, "GU")] == [HER]
    undo_change(project)
    assert named(list_outdated(project, annotator=HER)) == [("PMC99000002", HER, "GI", 1)]


def test_marking_a_report_done_again_takes_it_off_the_list(project: Project) -> None:
    label(project, ME, "GI")
    set_review_state(project, ME, REPORT, "done")
    amend(project)
    long_ago(project)
    assert named(list_outdated(project)) == [(REPORT, ME, "GI", 1)]
    set_review_state(project, ME, REPORT, "in progress")
    assert named(list_outdated(project)) == [(REPORT, ME, "GI", 1)]
    set_review_state(project, ME, REPORT, "done")
    assert list_outdated(project) == ()


def test_work_on_another_category_leaves_a_report_on_the_list_and_on_its_own_takes_it_off(
    project: Project,
) -> None:
    label(project, ME, "GI")
    amend(project)
    long_ago(project)
    label(project, ME, "GU")
    assert named(list_outdated(project)) == [(REPORT, ME, "GI", 1)]
    label(project, ME, "GI", start=10)
    assert list_outdated(project) == ()


def test_what_was_done_in_the_second_of_the_amendment_counts_as_older(project: Project) -> None:
    label(project, ME, "GI")
    amend(project)
    project.db.execute("UPDATE amendment SET amended_at = (SELECT max(created_at) FROM annotation)")
    project.db.conn.commit()
    assert named(list_outdated(project)) == [(REPORT, ME, "GI", 1)]


def test_the_rules_read_no_guideline_and_are_not_listed(project: Project) -> None:
    for _ in extract_with_rules(project):
        pass
    for category in project.scheme.ids:
        amend(project, category=category)
    assert list_outdated(project) == ()
    assert list_worked_on(project, "GI") == ()


def test_a_run_is_listed_by_the_text_that_it_read_whatever_the_clock_says(project: Project) -> None:
    ask(project)
    amend(project)
    run = runs(project)[0]
    assert run.settings["guidelines"]["GI"] == list_amendments(project)[0].before_sha256
    project.db.execute("UPDATE run SET started_at = '2099-01-01T00:00:00Z'")
    project.db.conn.commit()
    assert named(list_outdated(project)) == [(REPORT, run.name, "GI", 1)]
    ask(project)
    amend(project, "Belching.")
    assert [(one.annotator, len(one.amendments_since)) for one in list_outdated(project)] == [
        (run.name, 2),
        (f"{run.name}#2", 1),
    ]


def test_a_run_that_read_a_text_of_no_amendment_is_listed_by_when_it_began(project: Project) -> None:
    ask(project)
    amend(project)
    amend(project, "Belching.")
    db, (run,) = project.db, runs(project)
    settings = {**run.settings, "guidelines": {"GI": "0" * 64}}
    db.execute("UPDATE run SET settings = ?", [json.dumps(settings)])
    for one, at in zip(list_amendments(project), ("2026-01-02", "2026-01-04"), strict=True):
        db.execute("UPDATE amendment SET amended_at = ? WHERE uuid = ?", [f"{at}T00:00:00Z", one.uuid])
    for began, since in (("2026-01-01", 2), ("2026-01-03", 1), ("2026-01-05", 0)):
        db.execute("UPDATE run SET started_at = ?", [f"{began}T00:00:00Z"])
        db.conn.commit()
        assert [len(one.amendments_since) for one in list_outdated(project)] == [since] * bool(since)


def test_a_run_that_read_a_text_which_came_back_knew_of_all_that_led_to_it() -> None:
    made: Any = [
        SimpleNamespace(category="GI", before_sha256=before, after_sha256=after, amended_at=at)
        for before, after, at in (("0", "1", "2026-01"), ("1", "2", "2026-02"), ("2", "1", "2026-03"))
    ]

    def unknown(read: object, began: str = "2026-02") -> list[str]:
        run: Any = SimpleNamespace(settings={"guidelines": read}, started_at=began)
        return [one.amended_at for one in since_run(run, made)]

    assert unknown({"GI": "1"}) == []
    assert unknown({"GI": "2"}) == ["2026-03"]
    assert unknown({"GI": "0"}) == ["2026-01", "2026-02", "2026-03"]
    # Of a text that nobody knows, and of a run that records none, the time tells.
    assert unknown({"GI": "9"}) == unknown(None) == ["2026-02", "2026-03"]


def test_a_copy_made_to_measure_reviewers_is_nobodys_work(project: Project) -> None:
    ask(project)
    for _ in extract_with_rules(project):
        pass
    name = runs(project)[0].annotator
    model = next(one.name for one in annotators(project) if one.uuid == name)
    for source in (model, "rules"):
        plant_errors(project, source, f"{source} again", count=1)
    amend(project)
    assert {one.annotator for one in list_outdated(project)} == {model}
    assert {one.annotator for one in list_worked_on(project, "GI")} == {model}
    assert list_outdated(project, annotator="rules again") == ()


def test_a_run_goes_on_under_its_own_text_only(project: Project) -> None:
    first = ask(project)
    amend(project)
    second = ask(project, resume=True)
    assert second.annotator == f"{first.annotator}#2"
    assert (
        f"The guideline of GI was amended since {first.annotator} began; this is another run." in second.notes
    )
    assert [run.settings["guidelines"]["GI"] for run in runs(project)] == [
        list_amendments(project)[0].before_sha256,
        list_amendments(project)[0].after_sha256,
    ]
    assert not [note for note in ask(project).notes if "amended" in note]
    # Another version of the program put its prompts otherwise: no guideline was amended for that.
    latest = runs(project)[-1]
    settings = json.dumps({**latest.settings, "prompts_sha256": "f" * 64})
    project.db.table("run").update(latest.uuid, {"settings": settings})
    third = ask(project)
    assert third.annotator == f"{first.annotator}#3"
    assert not [note for note in third.notes if "amended" in note]
    undo_change(project, past_runs=True)
    again = ask(project)
    assert (again.annotator, again.made) == (first.annotator, 0)
    assert not [note for note in again.notes if "amended" in note]


def test_who_answers_a_study_still_has_worked_on_reports(project: Project) -> None:
    finished(build_items(project, STUDY, (), {"licence": ""}, 1))
    record_answer(project, STUDY, HER, [("jaundice", "", "A")], StudyOptions({}))
    label(project, HER, "GI")
    long_ago(project)
    amend(project)
    assert named(list_outdated(project)) == [(REPORT, HER, "GI", 1)]

"""The list of runs: how far each came, and whether it can be taken up again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.cli.arguments import finish
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import set_section_categories
from app.operations.exchange.importing import import_reports
from app.operations.extract import runs as listing
from app.operations.extract.calling.asked import about_unknown, list_prompts
from app.operations.extract.grid import _row as grid_row
from app.operations.extract.models import replay
from app.operations.extract.options import IDENTITY, ModelOptions, identity, identity_of_quotes
from app.operations.extract.quotes import extract_with_model
from app.operations.extract.rules import extract_with_rules
from app.operations.extract.runs import RunRow, list_runs
from app.operations.extract.work import Work
from app.operations.project.files import list_project
from app.store.act import begin_act
from app.store.annotate.annotations import read_annotations, remove_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.creation import create_project_file
from app.store.extract.runs import CallRecord, add_generation, generations, runs, start_run
from app.store.faults import DamagedProjectError
from app.store.project import Project
from app.store.reports.documents import document
from extractors.assets import asset
from extractors.llm.backends.ollama import OllamaClient
from extractors.llm.backends.replay import ReplayClient
from extractors.llm.types import ModelCard
from extractors.model.errors import UnknownNameError
from extractors.model.finding import Finding
from extractors.rules import RulesExtractor
from extractors.tasks import QUOTES
from tests.builders import Kept

FIRST, SECOND, RUN = "PMC99000001", "PMC99000002", "invented-replies/ucp/few-shot"
WANTED = ModelOptions("invented-replies", "ucp", "few-shot")


def write_two(path: Path) -> None:
    """A project with two of the sample reports."""
    with create_project_file(path, None, "Ann") as made:
        add(made, FIRST, SECOND)


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with kept.open(write_two, tmp_path / "study.casespan") as made:
        yield made


def add(project: Project, *names: str) -> None:
    for _ in import_reports(
        project, [asset("resources", "demo", "reports") / f"{name}.xml" for name in names]
    ):
        pass


def client() -> ReplayClient:
    return replay(asset("resources", "demo", "replies.jsonl"))[0]


def ask(project: Project, options: ModelOptions = WANTED, calls: int | None = None) -> RunRow:
    """The row of the run after all its calls, or where it is given up after some."""
    job = extract_with_model(project, client(), options)
    for step in job:
        if step.total and step.done == calls:
            job.close()
    return list_runs(project)[-1]


def asked(project: Project) -> dict[str, int]:
    """How many categories of each report have an answer."""
    rows = project.query(
        "SELECT d.key, count(DISTINCT g.question) AS n FROM generation g "
        "JOIN document d ON d.uuid = g.subject WHERE g.state <> 'cancelled' GROUP BY d.key"
    )
    return {row["key"]: row["n"] for row in rows}


def first_answers(project: Project) -> list[CallRecord]:
    """What the first run was answered, in order."""
    return [one.record for one in generations(project, runs(project)[0].uuid)]


def answer(project: Project, given: CallRecord) -> None:
    """Record one more answer of the first run."""
    with begin_act(project, "answer", RUN, undoable=False) as act:
        add_generation(act, runs(project)[0].uuid, given)


def test_runs_over_a_studys_items_or_that_name_terms_are_no_runs_over_reports(project: Project) -> None:
    with begin_act(project, "begin runs", "Ann", undoable=False) as act:
        holder = ensure_annotator(act, RUN, "run").uuid
        for settings in ({"study": "toy"}, {"layer": "phenotype"}):
            start_run(act, holder, "method", RUN, settings, "1")
    assert (len(runs(project)), list_runs(project)) == (2, ())


def test_a_recording_of_some_categories_says_which_to_ask_for(project: Project) -> None:
    recording = client()._recording
    some = {one: reply for one, reply in recording.replies.items() if one.asks[0] in ("GI", "CVS")}
    notes = []
    for categories in ((), ("GI",)):
        part = ReplayClient(replace(recording, replies=some), "some.jsonl")
        summary = finish(extract_with_model(project, part, replace(WANTED, categories=categories)))
        notes.append([note for note in summary.notes if "--category" in note])
    said = "The recording has replies for CVS, GI and no other category: ask for these alone, by --category."
    assert notes == [[said], []]


def test_the_rules_are_a_run_that_has_no_end_to_come_to(project: Project) -> None:
    for _ in extract_with_rules(project, [FIRST]):
        pass
    (row,) = list_runs(project)
    assert (row.name, row.kind, row.state, row.unfinished, row.options) == (
        "rules",
        "rules",
        "done",
        False,
        None,
    )
    assert (row.calls, row.about, row.remotes) == ({}, "", ())


def test_categories_that_the_rules_do_not_know_are_named_and_left(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RulesExtractor, "categories", ("CVS",))
    summary = finish(extract_with_rules(project, [FIRST], ["Neuro", "CVS"]))
    assert summary.notes[-1:] == ("The rules know nothing of Neuro; left as it was.",)
    with pytest.raises(UnknownNameError, match="nothing of Neuro; nothing was extracted"):
        next(extract_with_rules(project, [FIRST], ["Neuro"]))


def test_the_rules_asked_for_one_category_leave_what_they_found_in_the_others(project: Project) -> None:
    def found() -> list[Finding]:
        return [one.finding for one in read_annotations(project, document(project, FIRST).uuid)]

    whole = finish(extract_with_rules(project, [FIRST]))
    before = found()
    assert whole.findings == {FIRST: len(before)}
    own = sum(one.category == "CVS" for one in before)
    again = finish(extract_with_rules(project, [FIRST], ["CVS"]))
    assert 0 < own < len(before)
    assert (again.findings, again.unchanged, found()) == ({FIRST: own}, 1, before)
    review = open_report(project, FIRST, "rules").review
    assert set(review.looked_at) == set(project.scheme.ids)
    assert set(review.nothing_found) == set(project.scheme.ids) - {one.category for one in before}
    gone = [one for one in read_annotations(project) if one.finding.category in ("CVS", "GI")]
    with begin_act(project, "remove", "Ann") as act:
        remove_annotations(act, [one.uuid for one in gone])
    mended = finish(extract_with_rules(project, [FIRST], ["CVS"]))
    assert (mended.findings, mended.unchanged) == ({FIRST: own}, 0)
    assert found() == [one for one in before if one.category != "GI"]
    assert set(review.nothing_found) | {"GI"} == set(
        open_report(project, FIRST, "rules").review.nothing_found
    )


def test_a_run_that_asked_everything_is_finished_and_says_whose_replies_it_has(project: Project) -> None:
    row = ask(project)
    (prompts,) = list_prompts(project)
    assert (len(prompts.prompts), prompts.unknown, about_unknown(prompts)) == (28, 0, "")
    assert (row.name, row.kind, row.state, row.calls) == (RUN, "model", "done", {"done": 28})
    assert "written by hand" in row.about
    assert not row.unfinished
    assert row.finished_at is not None
    # What was divided has its answer in its parts.
    project.db.execute("UPDATE generation SET state = 'divided' WHERE rowid = 1")
    assert list_runs(project)[0].unfinished


def test_no_more_calls_are_in_flight_than_the_server_can_take(project: Project) -> None:
    ask(project, replace(WANTED, parallel=8))
    assert runs(project)[-1].settings["parallel"] == 1


def test_a_run_given_up_is_taken_up_by_its_options_where_it_stopped(project: Project) -> None:
    row = ask(project, replace(WANTED, seed=3), calls=5)
    assert (row.state, row.unfinished) == ("cancelled", True)
    assert row.options is not None
    assert row.options.resume
    assert asked(project) == {FIRST: 5}
    row = ask(project, row.options)
    assert (row.state, row.unfinished, row.calls) == ("done", False, {"done": 28})
    assert len(list_runs(project)) == 1


def test_a_call_that_was_given_up_is_made_again_unasked_and_one_that_failed_on_demand(
    project: Project,
) -> None:
    ask(project)
    project.db.execute("UPDATE generation SET state = 'failed' WHERE rowid = 1")
    project.db.execute("UPDATE generation SET state = 'cancelled' WHERE rowid = 2")
    assert ask(project).calls == {"done": 27, "failed": 1}
    assert ask(project, replace(WANTED, resume=True)).calls == {"done": 28}


def test_how_a_run_was_sampled_and_made_comes_along_when_it_goes_on(project: Project) -> None:
    machine = replace(WANTED, keep_alive="2h", gpu_layers=3, threads=2)
    how = replace(machine, strategy="fcsp", temperature=0.5, sections="inferred")
    row = ask(project, how, calls=1)
    assert row.options == replace(how, categories=project.scheme.ids, resume=True)
    # What it goes on with, if that is something else, is how it would go on the next time.
    other = replace(row.options, keep_alive="5m", threads=4)
    assert ask(project, other, calls=1).options == other


def test_a_run_over_some_reports_and_categories_goes_on_with_those_alone(project: Project) -> None:
    row = ask(project, replace(WANTED, documents=(SECOND,), categories=("GI", "Neuro")), calls=1)
    assert row.unfinished
    assert row.options is not None
    assert row.options.documents == (SECOND,)
    row = ask(project, row.options)
    assert (row.state, row.unfinished) == ("done", False)
    assert asked(project) == {SECOND: 2}


def test_what_a_run_is_asked_for_later_counts_as_well(project: Project) -> None:
    ask(project, replace(WANTED, documents=(SECOND,), categories=("GI",)))
    row = ask(project, replace(WANTED, documents=(FIRST,), categories=("Neuro",)), calls=0)
    assert row.options is not None
    assert set(row.options.documents) == {FIRST, SECOND}
    assert set(row.options.categories) == {"GI", "Neuro"}
    row = ask(project, WANTED, calls=3)
    assert row.options is not None
    assert (row.options.documents, len(row.options.categories)) == ((), 14)
    # Asked of all, it is so whatever is named later.
    row = ask(project, replace(WANTED, documents=(FIRST,)), calls=1)
    assert row.options is not None
    assert row.options.documents == ()
    assert not ask(project, row.options).unfinished
    # What is said of a call counts what it asked for, and no more.
    (run,) = runs(project)
    held, others = (
        [one.finding for one in read_annotations(project, document(project, key).uuid, run.annotator)]
        for key in (FIRST, SECOND)
    )
    one_alone = {one.category for one in held} - {one.category for one in others}
    for asked in ("CVS", "Pregnancy", min(one_alone)):
        narrow = replace(WANTED, documents=(FIRST,), categories=(asked,))
        said = finish(extract_with_model(project, client(), narrow))
        own = [one for one in held if one.category == asked]
        assert (said.findings, said.planned, said.made) == ({FIRST: len(own)}, 1, 0)
        assert (sum(said.groundings.values()), said.nothing_found) == (len(own), not own)


def test_reports_imported_since_are_unfinished_work_of_a_run_over_all(project: Project) -> None:
    assert not ask(project).unfinished
    add(project, "PMC99000003")
    (row,) = list_runs(project)
    assert (row.state, row.unfinished) == ("done", True)
    assert row.options is not None
    assert not ask(project, row.options).unfinished


def test_what_a_report_has_no_section_for_is_not_missing(project: Project) -> None:
    for position, section in enumerate(open_report(project, FIRST, "Ann").sections):
        set_section_categories(project, "Ann", FIRST, position, set(section.categories) - {"GI"})
    row = ask(project, replace(WANTED, strategy="fcsp"))
    assert row.calls == {"done": 27}
    assert (row.state, row.unfinished) == ("done", False)
    # Nor is it a call in a grid, or a prompt that nobody knows any more.
    (run,) = runs(project)
    (prompts,) = list_prompts(project)
    assert (len(prompts.prompts), prompts.unknown) == (27, 0)
    told = grid_row(project, run, [FIRST, SECOND])
    assert (told["calls"], told["incomplete"], told["failed"], told["missing"]) == (27, 0, 0, 0)


def test_calls_that_failed_leave_a_run_unfinished(project: Project) -> None:
    # The recording has no replies to prompts that ask for everything at once.
    row = ask(project, replace(WANTED, strategy="ugp"))
    assert (row.state, row.calls, row.unfinished) == ("failed", {"failed": 2}, True)
    assert row.options is not None
    assert row.options.strategy == "ugp"
    assert ask(project, row.options).calls == {"failed": 2}


@pytest.mark.parametrize(("wanted", "state"), [(1, "cancelled"), (2, "failed")])
def test_as_many_calls_as_were_wanted_end_a_run_and_only_what_is_left_makes_it_stopped(
    project: Project, wanted: int, state: str
) -> None:
    row = ask(project, replace(WANTED, strategy="ugp", calls=wanted))
    assert (row.state, row.calls) == (state, {"failed": wanted})


def test_a_run_that_was_broken_off_still_says_running(project: Project) -> None:
    job = extract_with_model(project, client(), WANTED)
    while next(job).done < 2:
        pass
    (row,) = list_runs(project)
    assert (row.state, row.unfinished, row.finished_at) == ("running", True, None)
    assert row.options is not None
    job.close()


def test_of_runs_that_are_alike_only_the_last_is_taken_up(project: Project) -> None:
    ask(project, replace(WANTED, prompting="zero-shot"), calls=1)
    ask(project, calls=2)
    ask(project, replace(WANTED, new_run=True), calls=2)
    other, first, second = list_runs(project)
    assert other.options is not None
    assert (first.options, second.name) == (None, f"{RUN}#2")
    assert second.options is not None
    assert first.unfinished


@pytest.mark.parametrize(("setting", "value"), [("prompts_sha256", "f" * 64), ("options", {"seed": 1})])
def test_a_run_that_another_program_began_otherwise_cannot_be_taken_up(
    project: Project, setting: str, value: object
) -> None:
    ask(project, calls=2)
    (run,) = runs(project)
    settings = json.dumps({**run.settings, setting: value})
    project.db.table("run").update(run.uuid, {"settings": settings})
    (row,) = list_runs(project)
    assert (row.unfinished, row.options) == (True, None)


def test_a_run_record_without_its_settings_is_damage(project: Project) -> None:
    ask(project, calls=2)
    project.db.table("run").update(runs(project)[0].uuid, {"settings": "{}"})
    with pytest.raises(DamagedProjectError, match="record of the run"):
        list_runs(project)


def test_the_keys_that_make_runs_alike_are_all_there() -> None:
    made = identity(WANTED, ModelCard("tiny"), OllamaClient(), QUOTES, identity_of_quotes(WANTED, "p", ()))
    assert tuple(made) == IDENTITY


def test_calls_that_were_divided_are_neither_counted_nor_missing(project: Project) -> None:
    ask(project)
    too_long = replace(first_answers(project)[0], prompt_sha256="f" * 64, raw_reply=None, state="divided")
    answer(project, too_long)
    (row,) = list_runs(project)
    assert (row.calls, row.unfinished) == ({"done": 28}, False)


def test_the_other_machines_that_answers_came_from_stand_beside_their_run(project: Project) -> None:
    ask(project, calls=1)
    one = first_answers(project)[0]
    for place in ("b.example.org", "a.example.org"):
        answer(project, replace(one, details={**one.details, "remote": place}))
    (row,) = list_runs(project)
    assert row.remotes == ("a.example.org", "b.example.org")
    assert list_project(project).remotes == {runs(project)[0].uuid: row.remotes}


def test_a_run_over_reports_that_are_all_gone_is_not_taken_up_over_all_others(project: Project) -> None:
    ask(project, replace(WANTED, documents=(FIRST,)), calls=2)
    (run,) = runs(project)
    settings = json.dumps({**run.settings, "documents": ["gone"]})
    project.db.table("run").update(run.uuid, {"settings": settings})
    (row,) = list_runs(project)
    assert row.options is None


@pytest.mark.parametrize("state", ["running", "cancelled", "failed"])
def test_a_run_that_did_not_come_to_its_end_is_unfinished_though_every_call_was_answered(
    project: Project, state: str
) -> None:
    ask(project)
    project.db.table("run").update(runs(project)[0].uuid, {"state": state})
    (row,) = list_runs(project)
    assert (row.calls, row.unfinished) == ({"done": 28}, True)


def test_one_answer_for_everything_lacks_nothing_where_all_was_asked_at_once(project: Project) -> None:
    ask(project, replace(WANTED, strategy="ugp"))
    for failed in first_answers(project):
        answer(project, replace(failed, raw_reply="{}", state="done", error=""))
    project.db.table("run").update(runs(project)[0].uuid, {"state": "done"})
    (row,) = list_runs(project)
    assert (row.calls, row.unfinished) == ({"done": 2}, False)
    add(project, "PMC99000003")
    assert list_runs(project)[0].unfinished


def test_calls_are_begun_in_order_the_failed_last_and_beside_others_about_another_report() -> None:
    entries = [
        SimpleNamespace(at=at, report=SimpleNamespace(uuid=report), pending=pending, repeated=repeated)
        for at, (report, pending, repeated) in enumerate((
            *(("a", False, False), ("a", True, True), ("a", True, False), ("a", True, False)),
            *(("b", True, True), ("b", True, False), ("c", True, False)),
        ))
    ]  # fmt: skip
    _, failed, first, second, again, other, last = entries

    def begun(flying: list[Any], ended: list[Any], *, within: bool = False) -> object:
        capabilities = SimpleNamespace(within_report=within)
        work: Any = SimpleNamespace(
            client=SimpleNamespace(capabilities=capabilities), entries=entries, _begun=0
        )
        return Work.next(work, flying, ended)

    assert begun([], []) is first
    # What ended may be followed by a call about the same report, what is in flight by one about another.
    assert begun([], [first]) is second
    assert begun([first], []) is other
    assert begun([first], [other]) is last
    assert begun([first, other], []) is last
    assert begun([first, other, last], []) is None
    assert begun([first], [], within=True) is second
    assert begun([], [first, second, other, last]) is failed
    assert begun([], [first, second, other, last, failed]) is again
    assert begun([failed], [first, second, other, last]) is again
    for one in entries:
        one.pending = False
    assert begun([], []) is None


def test_a_cut_answer_is_to_be_asked_for_again_and_a_report_that_is_gone_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = {"asked": ["GI"], "documents": ["d", "gone"], "about": ""}
    run: Any = SimpleNamespace(uuid="u", name="r", kind="model", state="done", settings=settings)
    assert not listing._lacks_answers(run, {"d": "R"}, {"d": {"GI"}})
    assert listing._lacks_answers(run, {"d": "R"}, {"d": {"CVS"}})
    run.started_at = run.finished_at = ""
    run.settings = {"task": "quotes"}
    project: Any = SimpleNamespace(path=Path("p"))
    for name, value in (
        ("runs", [run]), ("document_summaries", []), ("remote_answers", {}), ("answered_cells", {}),
        ("_options", None),
    ):  # fmt: skip
        monkeypatch.setattr(listing, name, lambda *_, value=value: value)
    for state, unfinished in (("done", False), ("cut", True), ("failed", True)):
        monkeypatch.setattr(listing, "count_generations", lambda _, state=state: Counter({("u", state): 1}))
        assert [one.unfinished for one in list_runs(project)] == [unfinished]

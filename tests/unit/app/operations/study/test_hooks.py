"""What a study may say beyond the usual: items that a model writes, several questions, choices of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from app.messages import under_licence
from app.operations.extract.models import connect
from app.operations.extract.options import RunOptions
from app.operations.project.history import undo_change
from app.operations.study import asking, exchange
from app.operations.study.answers import (
    NO_RECORDED_REPLY,
    answered,
    in_words,
    list_answers,
    list_counting,
    reading_overview,
    study_runs,
)
from app.operations.study.asking import ahead, counted_minutes, saying_what_fits
from app.operations.study.building import Writer, build_items
from app.operations.study.exchange import answers_json, export_study, import_study, write_lines
from app.operations.study.items import KeptItem, as_json, built_details, freeze, item_named, kept_items
from app.operations.study.judging import judge_answers, next_to_rate, rate_answer, rate_answers, write_sheet
from app.operations.study.methods import run_with_method
from app.operations.study.people import Sitting, close_answers, next_question, record_answer, sitting_of
from app.operations.study.running import StudyOptions, draft_replies, plain, run_with_model, run_with_replies
from app.operations.study.scoring import page_labels, scores_json, scoring_study
from app.store.act import begin_act
from app.store.creation import create_project_file
from app.store.extract.runs import CallRecord, Run, add_generation, answers, put_answer, runs
from app.store.project import Project
from app.store.study.items import add_items, guards, item_ratings
from app.studies.icd11.asking import PersonsNames
from app.studies.results import Again, Item, Measure, Row
from app.studies.study import Ask, Building, Built, Job, Method, Study
from app.tables import read_csv
from extractors.model.errors import CallError, FormatError, ProjectError, ServerError, UnknownNameError
from extractors.model.progress import Progress, finished
from extractors.tasks.base import Prompt
from extractors.tasks.coding import Names
from extractors.tasks.forms import Choice, Score, Text
from tests.scripted_behaviours import prompt_text
from tests.scripted_ollama import FakeModel, ScriptedOllama
from tests.toy_study.study import ORGANS, RUBRIC, STUDY

if TYPE_CHECKING:
    from app.operations.extract.work import Work

SETTINGS: Mapping[str, Any] = {"please": "", "orders": 1}
OPTIONS = StudyOptions(SETTINGS, model=RunOptions(model="tiny"))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with create_project_file(tmp_path / "p.casespan") as made:
        yield made


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    def answer(body: dict[str, Any]) -> str:
        return (
            f"about {prompt_text(body).split()[-1]}" if "format" not in body else json.dumps({"answer": "B"})
        )

    with ScriptedOllama(answer=answer, models=[FakeModel("tiny", tokens=(), kinds=())]) as started:
        yield started


def built(project: Project, study: Study = STUDY, writer: Writer | None = None) -> None:
    finished(build_items(project, study, (), {"licence": ""}, 1, writer=writer))


def written(request: Building, needed: bool = False) -> Generator[Progress, None, Built]:
    """Items whose question a model writes."""
    drafts = [Item(name, "organ", {"finding": name}, {"key": "A"}) for name in ("rash", "cough")]
    how = Ask(lambda item, again, question: Prompt("Write.", f"of {item.id}", Text()), needed=needed)
    said = yield from request.ask("tiny", drafts, how)
    known = [one for one in drafts if (one.task, one.id) in said]
    return Built([replace(one, input={"finding": said[one.task, one.id]}) for one in known])


def test_a_build_may_ask_a_model_which_is_asked_nothing_twice(
    project: Project, server: ScriptedOllama
) -> None:
    study = replace(STUDY, build=written)
    with pytest.raises(CallError, match="no model"):
        built(project, study)
    writer = Writer(lambda: connect(server.url), RunOptions(model=""))
    for _ in range(2):
        built(project, study, writer)
    assert len(server.calls) == 2
    (row, _) = score_rows(project, study, server)
    assert row.item.input == {"finding": "about rash"}
    assert [run.name for run in study_runs(project, study)] == ["tiny/toy"]


@pytest.mark.parametrize(
    ("new", "way"), [(False, "with --resume"), (True, "without --new-run, and with --resume,")]
)
def test_a_build_that_ends_early_is_taken_up_by_the_same_command(
    project: Project, server: ScriptedOllama, monkeypatch: pytest.MonkeyPatch, new: bool, way: str
) -> None:
    def gone(*_: object) -> Generator[Progress, None, object]:
        yield from ()
        return SimpleNamespace(stopped="It is gone.")

    monkeypatch.setattr(asking, "run_task", gone)
    writer = Writer(lambda: connect(server.url), RunOptions(model="", new_run=new))
    with pytest.raises(ServerError, match=f"gone. Nothing was built; the same command {way} goes on.$"):
        built(project, replace(STUDY, build=written, guard="MIMIC-IV"), writer)
    # What a model wrote of guarded notes may be there by now, though no item is.
    assert guards(project) == ["MIMIC-IV"]


@pytest.mark.parametrize("needed", [False, True])
def test_a_build_may_be_given_what_a_model_wrote_and_says_what_it_needs(
    project: Project, tmp_path: Path, needed: bool
) -> None:
    study = replace(STUDY, build=partial(written, needed=needed))
    file = tmp_path / "replies.jsonl"
    file.write_text(json.dumps({"item": "rash", "reply": "red spots"}) + "\n", encoding="utf-8")
    writer = Writer(lambda: pytest.fail("no server is asked"), RunOptions(model=""), file)
    if needed:
        with pytest.raises(ServerError, match=r"first\. Nothing was built; once the replies recorded in"):
            built(project, study, writer)
    else:
        built(project, study, writer)
    found = [one.item.input["finding"] for one in kept_items(project, STUDY)]
    assert found == ([] if needed else ["red spots"])


def score_rows(project: Project, study: Study, server: ScriptedOllama) -> list[Row]:
    finished(run_with_model(project, study, connect(server.url), OPTIONS))
    return [one.row for one in answered(project, study, study_runs(project, study)[0])]


def test_the_probabilities_of_labels_make_one_answer(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prompt(item: Item, again: Again, question: str) -> Prompt:
        return Prompt("Name it.", str(item.input["finding"]), Score(question))

    def best(item: Item, again: Again, read: Mapping[str, Any]) -> Any:  # noqa: ANN401
        return max(read, key=lambda label: float(read[label]["sum"]) / int(read[label]["tokens"]))

    study = replace(STUDY, ask=lambda job: Ask(prompt, questions=lambda item: tuple(ORGANS), value=best))
    built(project, study)
    file = tmp_path / "r.jsonl"
    told = {"A": [['"', 0.0], ["A", -1.0], ['"', 0.0]], "B": [['"', 0.0], ["B", -0.5], ['"', 0.0]]}
    file.write_text(
        "".join(
            json.dumps({"item": item, "question": key, "reply": f'"{key}"', "probabilities": told[key]})
            + "\n"
            for item in ("jaundice", "haematuria", "ascites")
            for key in ORGANS
        ),
        "utf-8",
    )
    summary = finished(run_with_replies(project, study, file, OPTIONS))
    assert (summary.calls, summary.answered, summary.failed) == (6, 3, {})
    (run,) = study_runs(project, study)
    assert [one.row.value for one in answered(project, study, run)] == ["B", "B", "B"]
    # What was asked beforehand is said once, with the first of them.
    monkeypatch.setattr(exchange, "draft_replies", lambda *_: [{"item": "d"}])
    told_of = answers_json(project, study, run.name)
    assert [one.get("drafts") for one in told_of] == [[{"item": "d"}], None, None]
    assert [len(one["replies"]) for one in told_of] == [2, 2, 2]
    # Where one of the questions has no answer, that is why the item has none, in whatever order they came.
    for lacking in ORGANS:
        with create_project_file(tmp_path / f"{lacking}.casespan") as other:
            built(other, study)
            kept = [
                line for line in file.read_text("utf-8").splitlines() if f'"{lacking}", "reply"' not in line
            ]
            (tmp_path / "fewer.jsonl").write_text("\n".join(kept), "utf-8")
            finished(run_with_replies(other, study, tmp_path / "fewer.jsonl", OPTIONS))
            found = [one.row for one in answered(other, study, study_runs(other, study)[0])]
            assert [(row.value, row.error) for row in found] == [(None, NO_RECORDED_REPLY)] * 3


def test_what_a_model_writes_first_is_for_what_is_asked_and_said_with_its_answers(
    project: Project, tmp_path: Path
) -> None:
    def drafts(job: Job) -> tuple[Sequence[Item], Ask]:
        wanted = [Item(f"of {one.id}", "draft", {"of": one.id}) for one in job.items]
        return wanted, Ask(lambda item, again, question: Prompt("Write.", item.id, Text()), needed=True)

    sign = Item("rash", "sign", {"finding": "rash"}, {"key": "A"})
    items = [Item("jaundice", "organ", {"finding": "jaundice"}, {"key": "A"}), sign]
    study = replace(STUDY, tasks=("organ", "sign"), drafts=drafts)
    freeze(project, study, Built(items), "build")
    asked = replace(OPTIONS, tasks=("organ",))
    for digest in "de":

        def written(body: dict[str, Any], digest: str = digest) -> str:
            told = f"{digest}: {prompt_text(body).split()[-1]}"
            return json.dumps({"answer": "B"}) if "format" in body else told

        tiny = FakeModel("tiny", digest * 64, tokens=(), kinds=())
        with ScriptedOllama(answer=written, models=[tiny]) as server:
            summary = finished(run_with_model(project, study, connect(server.url), asked))
            assert (summary.calls, summary.answered) == (1, 1)
            assert len(server.calls) == 2, "what another task would need first is not asked"
    # A model of the same name that is another one wrote its own.
    said = [draft_replies(project, study, run) for run in study_runs(project, study)]
    assert [[(one["item"], one["reply"]) for one in lines] for lines in said] == [
        [("of jaundice", "d: jaundice")],
        [("of jaundice", "e: jaundice")],
    ]
    file = tmp_path / "r.jsonl"
    write_lines(file, [{"item": one.id, "task": one.task, "reply": "A"} for one in items])
    summary = finished(run_with_replies(project, study, file, asked))
    assert (summary.answered, summary.notes) == (1, ["1 of 2 replies are to what is not asked now."])


def test_what_came_of_a_cut_reply_counts_by_its_form_unless_the_prompt_was_cut_too() -> None:
    cut = CallRecord("i", "q", "p", "gout; ague", "", state="incomplete")
    calls = (replace(cut, state="done"), cut, replace(cut, details={"cut_prompt": True}))
    counted = [[asking._counts(call, form) for call in calls] for form in (Names(frozenset()), Text())]
    assert counted == [[True, True, False], [True, False, False]]


def test_an_item_that_does_not_fit_is_an_error_and_the_others_are_asked(
    project: Project, server: ScriptedOllama
) -> None:
    def ask(job: Job) -> Ask:
        long = "word " * 20_000
        return Ask(
            lambda item, again, question: Prompt("", long * (item.id == "ascites") + item.id, Choice(ORGANS))
        )

    study = replace(STUDY, ask=ask)
    built(project, study)
    summary = finished(run_with_model(project, study, connect(server.url), OPTIONS))
    assert (summary.calls, summary.answered) == (2, 2)
    assert summary.failed == {"It does not fit into the context of the model.": 1}


def test_a_study_chooses_its_items_grades_them_and_completes_the_scores(
    project: Project, server: ScriptedOllama
) -> None:
    told: list[Mapping[str, Any]] = []

    def grade(rows: Sequence[Row], settings: Mapping[str, Any]) -> list[dict[str, object]]:
        told.append(settings)
        return [{"scores": {"right": row.value == "B"}} for row in rows]

    study = replace(
        STUDY,
        choose=lambda items, settings: items[:2],
        grade=grade,
        finish=lambda said, scores: {**said, "own": [row.graded for row in scores.rows["tiny/toy"]]},
    )
    built(project, study)
    summary = finished(run_with_model(project, study, connect(server.url), OPTIONS))
    assert (summary.items, summary.answered) == (2, 2)
    # What scoring says counts before what the run said, and that where scoring says nothing.
    scoring = {"please": None, "orders": 2, "shown": None}
    said = scores_json(study, finished(scoring_study(project, study, settings=scoring)))
    assert {name: told[0][name] for name in scoring} == {"please": "", "orders": 2, "shown": None}
    assert said["own"] == [{"scores": {"right": True}}] * 2
    assert said["runs"]["tiny/toy"]["accuracy"] == 0.5
    assert [one.kept.item.id for one in list_answers(project, study, "tiny/toy")] == [
        "jaundice",
        "haematuria",
    ]
    (line,) = finished(reading_overview(project, study)).runs
    assert (line.answered, line.failed, line.asked) == (2, 0, 2)
    less = replace(study, choose=lambda items, settings: items[:1])
    (line,) = finished(reading_overview(project, less)).runs
    assert (line.answered, line.asked) == (1, 1), "what is asked no longer counts on neither side"


def test_of_items_of_one_id_the_one_of_the_task_named_is_answered(project: Project) -> None:
    built(project)
    (first, *_) = kept_items(project, STUDY)
    with begin_act(project, "build", "Ana") as act:
        add_items(act, STUDY.id, [as_json(replace(first.item, task="sign"))], "", {})
    for task in ("sign", "organ"):
        record_answer(project, STUDY, "Ben", [(first.item.id, task, "A")], OPTIONS)
        (run,) = study_runs(project, STUDY)
        assert task in {one.row.item.task for one in answered(project, STUDY, run)}


def test_what_a_person_answered_is_read_as_if_it_were_typed_today(project: Project) -> None:
    built(project)
    record_answer(project, STUDY, "Ben", [("jaundice", "", "A")], OPTIONS)
    several = replace(STUDY, form=lambda item: Choice(ORGANS, several=True))
    (run,) = study_runs(project, several)
    assert [one.row.value for one in answered(project, several, run)] == [["A"]]
    # What is no answer any more stays as it was.
    other = replace(STUDY, form=lambda item: Choice({"Z": "spleen"}))
    assert [one.row.value for one in answered(project, other, run)] == ["A"]
    # What was kept as the reply had been read already.
    names = replace(STUDY, form=lambda item: PersonsNames(3))
    record_answer(project, names, "Ben", [("jaundice", "", "gout; rash")], OPTIONS)
    (given,) = answers(project, run.uuid)
    with begin_act(project, "as before", "Ben") as act:
        put_answer(act, run.uuid, replace(given, reply=json.dumps(given.value)))
    assert [one.row.value for one in answered(project, names, run)] == [given.value]
    # A file from elsewhere may have any words there.
    told = replace(STUDY, form=lambda item: Text())
    with begin_act(project, "from elsewhere", "Ben") as act:
        put_answer(act, run.uuid, replace(given, value="gout", reply="gout, I think"))
    assert [one.row.value for one in answered(project, told, run)] == ["gout, I think"]


def test_a_person_is_asked_again_only_after_everything_was_asked_once(project: Project) -> None:
    def person(item: Item, given: Any, settings: Mapping[str, Any]) -> Again | None:  # noqa: ANN401
        return {} if not given else {"idk": False} if len(given) == 1 and given[0].value == "B" else None

    study = replace(STUDY, person=person)
    built(project, study)
    # What waits comes last, yet before anything is asked again.
    parked = [one.uuid for one in kept_items(project, study) if one.item.id == "ascites"]
    for item, key in (("jaundice", "B"), ("haematuria", "A"), ("ascites", "B")):
        question = next_question(project, study, "Ben", OPTIONS, parked)
        assert question is not None
        assert (question.kept.item.id, question.round) == (item, 1)
        record_answer(project, study, "Ben", [(item, "", key)], OPTIONS)
    again = next_question(project, study, "Ben", OPTIONS)
    assert again is not None
    assert (again.kept.item.id, again.round, again.left, again.again) == ("jaundice", 2, 2, {"idk": False})
    record_answer(project, study, "Ben", [("jaundice", "", "A"), ("ascites", "", "A")], OPTIONS)
    assert next_question(project, study, "Ben", OPTIONS) is None
    rows = [one.row for one in answered(project, study, study_runs(project, study)[0])]
    assert [(row.again, row.value) for row in rows][:2] == [({}, "B"), ({"idk": False}, "A")]
    # What is answered once more takes the place of the last.
    record_answer(project, study, "Ben", [("jaundice", "", "A"), ("jaundice", "", "B")], OPTIONS)
    rows = [one.row for one in answered(project, study, study_runs(project, study)[0])]
    assert [row.value for row in rows if row.item.id == "jaundice"] == ["B", "B"]
    # A guess is no further item.
    (line,) = finished(reading_overview(project, study)).runs
    assert (len(rows), line.answered, line.asked) == (5, 3, 3)


def test_what_is_right_is_written_beside_a_persons_answers_once_they_are_closed(project: Project) -> None:
    # What begins with a line is for measures alone.
    study = replace(
        STUDY, grade=lambda rows, settings: [{"right": row.value == "A", "_by": 1} for row in rows]
    )
    built(project, study)
    record_answer(project, study, "Ben", [("jaundice", "", "A")], OPTIONS)
    (open_,) = answers_json(project, study, "Ben")
    assert close_answers(project, study, "Ben") == 1
    with pytest.raises(ProjectError):
        undo_change(project)
    assert answers_json(project, study, "Ben", ["organ"]) == [{**open_, "right": True}]
    assert answers_json(project, study, "Ben", ["sign"]) == []
    assert "right" not in open_


def test_an_item_is_kept_once_and_never_with_two_contents(project: Project) -> None:
    first, same, other = (Item("rash", "organ", {"finding": "rash"}, {"key": key}) for key in "AAB")
    with pytest.raises(ProjectError, match="with other content"):
        freeze(project, STUDY, Built([first, other]), "build")
    summary = freeze(project, STUDY, Built([first, same]), "build")
    assert (summary.items, summary.added) == (1, 1)
    assert freeze(project, STUDY, Built([same]), "build").added == 0
    with pytest.raises(ProjectError, match="with other content"):
        freeze(project, STUDY, Built([other]), "build")
    assert [one.item.reference for one in kept_items(project, STUDY)] == [{"key": "A"}]
    summary = freeze(project, STUDY, Built([first, replace(first, task="organ/left")]), "build")
    assert (summary.items, summary.added) == (2, 1), "an id may be one of several tasks"
    with pytest.raises(FormatError, match="is not what its name says"):
        freeze(project, STUDY, Built([first], pictures={"0" * 64: b"x"}), "build")
    # Nothing but what was left out is no build, unless it is to be put on record.
    lost = Built([], {"too easy": 2}, details={"seed": 5})
    summary = freeze(project, STUDY, lost, "build")
    assert (summary.wrong, summary.left_out, len(summary.notes)) == (True, {"too easy": 2}, 1)
    assert "seed" not in built_details(project, STUDY)
    for _ in range(2):
        freeze(project, STUDY, replace(lost, record=True), "build")
    assert built_details(project, STUDY)["seed"] == 5
    card = export_study(project, STUDY, project.path.with_name("out"))
    assert (card["items"], card["left_out"]) == (2, {"too easy": 4})
    labels = ({"side": "left", "age": "old"}, {"side": "right", "age": "old"}, {"side": "left", "age": "new"})
    more = [Item(f"i{number}", "organ", {}, labels=one) for number, one in enumerate(labels)]
    freeze(project, STUDY, Built(more), "build")
    for wanted, found in (({"side": ["left", "right"], "age": "old"}, "01"), ({"side": "left"}, "02")):
        assert [one.item.id for one in kept_items(project, STUDY, labels=wanted)] == [
            f"i{at}" for at in found
        ]


def test_items_that_name_a_licence_of_their_sources_bring_it_along(project: Project, tmp_path: Path) -> None:
    sources = [under_licence("MIMIC-IV"), "a book", under_licence("MIMIC-IV")]
    items = [Item(str(at), "organ", {}, {"key": "A"}, sources=(words,)) for at, words in enumerate(sources)]
    write_lines(tmp_path / "items.jsonl", [as_json(one) for one in items])
    import_study(project, STUDY, tmp_path / "items.jsonl")
    assert guards(project) == ["MIMIC-IV"]
    write_lines(tmp_path / "more.jsonl", [as_json(replace(items[0], id="more"))])
    import_study(project, STUDY, tmp_path / "more.jsonl")
    assert export_study(project, STUDY, tmp_path / "out")["guards"] == ["MIMIC-IV"]
    card = tmp_path / "out" / "card.json"
    card.write_text(card.read_text("utf-8").replace(f'"study": "{STUDY.id}"', '"study": "other"'), "utf-8")
    with pytest.raises(FormatError, match="items of other, not of toy"):
        import_study(project, STUDY, tmp_path / "out")
    made: Any = [SimpleNamespace(summary={"details": {"refused": [{"item": "a"}]}})] * 2
    assert exchange._said_once(made, "refused") == [{"item": "a"}]


def with_replies(project: Project, folder: Path, said: Mapping[str, str]) -> Run:
    """The run of the replies to these items."""
    built(project, STUDY)
    file = folder / "said.jsonl"
    file.write_text("".join(json.dumps({"item": k, "reply": v}) + "\n" for k, v in said.items()), "utf-8")
    finished(run_with_replies(project, STUDY, file, OPTIONS))
    return study_runs(project, STUDY)[0]


def test_a_judge_asked_by_criterion_keeps_what_it_said_of_the_others(
    project: Project, tmp_path: Path
) -> None:
    built(project)
    twice = replace(OPTIONS, settings={**SETTINGS, "orders": 2})
    for name, keys in (("first", "AB"), ("second", "BB")):
        file = tmp_path / f"{name}.jsonl"
        said = [{"item": "jaundice", "order": order, "reply": key} for order, key in enumerate(keys)]
        file.write_text("".join(json.dumps(line) + "\n" for line in said), "utf-8")
        finished(run_with_replies(project, STUDY, file, twice))
    runs = {run.name: run for run in study_runs(project, STUDY)}

    def ratings(name: str) -> list[Any]:
        return [one.row.ratings for one in answered(project, STUDY, runs[name]) if one.row.value is not None]

    def judge(body: dict[str, Any]) -> str:
        words = prompt_text(body)
        if "true?" in words:
            return json.dumps({"true": "A." in words})
        return json.dumps({"clear": 2}) if "A." in words else "Hm."

    with ScriptedOllama(answer=judge, models=[FakeModel("tiny", tokens=(), kinds=())]) as server:

        def judged(options: StudyOptions) -> tuple[str, int, int, int]:
            asked = connect(server.url), ("first/toy",), options
            made = finished(judge_answers(project, STUDY, *asked, per="criterion"))
            return made.rater, made.calls, made.rated, made.unscored

        assert judged(replace(twice, count=1)) == ("tiny per criterion", 1, 0, 2)
        assert judged(twice) == ("tiny per criterion", 3, 1, 1)
    # What cannot be read of one answer is not what was said of another.
    by_judge = [{"true": True, "clear": 2}, {"true": False, "clear": None}]
    assert ratings("first/toy") == [{"tiny per criterion": one} for one in by_judge]
    assert ratings("second/toy") == [{}, {}]
    sheet = tmp_path / "sheet.jsonl"
    row: dict[str, Any] = {"item": "jaundice", "run": "second/toy", "task": "organ"}
    rows = [{**row, "order": 1, "scores": {"true": "no", "clear": 1}}, {**row, "order": 0, "scores": {}}]
    sheet.write_text("".join(json.dumps(line) + "\n" for line in rows), "utf-8")
    made = rate_answers(project, STUDY, "Ana", sheet, twice)
    assert (made.rated, made.unscored, made.runs) == (1, 0, ["second/toy"])
    assert ratings("second/toy") == [{}, {"Ana": {"true": False, "clear": 1}}]
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"task": "sign"}, "row 2: there is no such answer"),
        ({"order": 2}, "row 2: there is no such answer"),
        ({"run": "third/toy"}, "row 2: there is no such answer"),
        ({}, "row 2: this answer is rated above"),
        ({"order": 0, "scores": {"clea": 1}}, "row 2: clea is no criterion; they are true, clear"),
    ]
    for wrong, why in wrongs:
        sheet.write_text(f"{json.dumps(rows[0])}\n{json.dumps({**rows[0], **wrong})}", "utf-8")
        with pytest.raises(FormatError, match=why):
            rate_answers(project, STUDY, "Ana", sheet, twice)
    del rows[0]["order"]
    sheet.write_text(json.dumps(rows[0]), "utf-8")
    with pytest.raises(FormatError, match="2 answers are called so; name its task"):
        rate_answers(project, STUDY, "Ana", sheet, twice)


def test_a_method_answers_its_tasks_alone_and_what_it_failed_at_again_on_demand(project: Project) -> None:
    tried: list[str] = []

    def start(job: Job) -> Any:  # noqa: ANN401
        def answer(item: Item, again: Again) -> str | None:
            tried.append(f"{item.id} {again['order']}")
            if item.id == "haematuria":
                raise CallError("It is too hard.")
            return None if item.id == "ascites" else "A"

        return answer

    signs = [Item("rash", "sign", {"finding": "rash"}, {"key": "A"})]
    study = replace(STUDY, tasks=("organ", "sign"), methods=(Method("picky", "picks", start, ("organ",)),))
    built(project, study)
    freeze(project, study, Built(signs), "more")

    def answer(options: StudyOptions) -> tuple[str, int, int, Mapping[str, int], int]:
        made = finished(run_with_method(project, study, "picky", options))
        return made.run, made.calls, made.answered, made.failed, made.unasked

    twice = replace(OPTIONS, settings={**SETTINGS, "orders": 2})
    assert answer(replace(twice, count=3)) == ("picky/toy", 3, 2, {"It is too hard.": 1}, 3)
    assert study_runs(project, study)[0].state == "cancelled"
    failed = {"It is too hard.": 2, "The method gave no answer.": 2}
    assert answer(twice) == ("picky/toy", 3, 2, failed, 0)
    assert study_runs(project, study)[0].state == "done"
    assert answer(twice)[1] == 0
    assert tried == [f"{one} {order}" for one in ("jaundice", "haematuria", "ascites") for order in (0, 1)]
    resumed = replace(twice, model=replace(twice.model, resume=True))
    assert answer(resumed) == ("picky/toy", 4, 2, failed, 0)
    other = replace(twice, model=replace(twice.model, seed=2))
    assert answer(other)[:2] == ("picky/toy#2", 6)
    assert answer(replace(twice, name="mine"))[:2] == ("mine", 6)
    for more in (
        replace(other, name="mine"),
        replace(twice, name="mine", model=replace(twice.model, new_run=True)),
    ):
        with pytest.raises(CallError, match="a run mine with other settings"):
            answer(more)
    with pytest.raises(CallError, match="answers items of organ only"):
        answer(replace(twice, tasks=("sign",)))


def test_answers_that_are_passed_over_are_rated_last_in_that_order(project: Project, tmp_path: Path) -> None:
    with_replies(project, tmp_path, {"jaundice": "A", "haematuria": "A", "ascites": "B"})

    def next_id(*passed: str) -> str:
        found = next_to_rate(project, STUDY, "Ana", OPTIONS, passed)
        assert found is not None
        assert found.left == 3
        return found.id

    first = next_id()
    second = next_id(first)
    third = next_id(first, second)
    assert len({first, second, third}) == 3
    assert next_id(second, third, first) == second
    begun = next_to_rate(project, STUDY, "Ana", OPTIONS)
    assert begun is not None
    rate_answer(project, STUDY, "Ana", begun.run, begun.answer, {"true": True}, blind=True)
    (kept,) = item_ratings(project, [one.uuid for one in runs(project)])
    assert (kept.scores, kept.blind) == ({"true": True, "clear": None}, True)
    assert next_id() == first, "what is rated in part is left"


def test_where_no_rubric_speaks_of_an_item_there_is_nothing_to_rate_by(project: Project) -> None:
    study = replace(STUDY, rubric=lambda item: None)
    with pytest.raises(CallError, match="no answer yet that can be rated"):
        next_to_rate(project, study, "Ana", OPTIONS)
    built(project, study)
    with pytest.raises(CallError, match="Toy study has no rubric: there is nothing to rate by"):
        next_to_rate(project, study, "Ana", OPTIONS)


def test_an_answer_without_a_value_is_not_rated(project: Project, tmp_path: Path) -> None:
    built(project, STUDY)
    sheet = tmp_path / "sheet.csv"
    said = {"jaundice": "A", "haematuria": "I would rather not say.", "ascites": "B"}
    for name in ("first", "second", "third"):
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps({"item": k, "reply": v}) + "\n" for k, v in said.items()), "utf-8")
        finished(run_with_replies(project, STUDY, file, OPTIONS))
    assert write_sheet(project, STUDY, (), sheet, OPTIONS, blind=True) == 6
    rows = read_csv(sheet)
    assert [*rows[0]] == ["answer", "item", "task", "reply", "true", "clear"]
    assert {row["item"] for row in rows} == {"jaundice", "ascites"}
    # In an order that does not tell whose they are, which is that of being asked for them one by one.
    assert [row["answer"] for row in rows] == sorted(row["answer"] for row in rows)
    asked = next_to_rate(project, STUDY, "Ana", OPTIONS)
    assert asked is not None
    assert (asked.id, asked.left) == (rows[0]["answer"], 6)
    # A letter that stood for the same run in each item would tell whose an answer is after a few of them.
    letters: dict[tuple[str, str], set[str]] = {}
    for rater in map(str, range(8)):
        for row in rows:
            ids = [one["answer"] for one in rows if one is not row]
            found = next_to_rate(project, STUDY, rater, OPTIONS, ids)
            assert found is not None
            letters.setdefault((rater, found.run), set()).add(found.label)
    assert any(len(own) > 1 for own in letters.values())
    assert write_sheet(project, STUDY, ("second/toy",), sheet, OPTIONS, blind=False) == 2
    assert [(row["item"], row["run"], row["reply"]) for row in read_csv(sheet)] == [
        ("jaundice", "second/toy", "A"),
        ("ascites", "second/toy", "B"),
    ]


def test_a_recorded_reply_that_failed_fails_again_for_the_reason_it_had(
    project: Project, tmp_path: Path
) -> None:
    built(project, STUDY)
    file = tmp_path / "r.jsonl"
    lines: list[dict[str, Any]] = [
        {"item": "jaundice", "reply": "", "error": "The server went away."},
        {"item": "haematuria", "reply": "B", "error": "It could not be read."},
        {"item": "ascites", "reply": None},
    ]
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    finished(run_with_replies(project, STUDY, file, OPTIONS))
    rows = [one.row for one in answered(project, STUDY, study_runs(project, STUDY)[0])]
    assert [(row.value, row.error) for row in rows] == [
        (None, "The server went away."),
        ("B", ""),
        (None, "It was recorded without a reply."),
    ]


def test_an_option_that_is_a_file_is_recorded_by_what_is_in_it(tmp_path: Path) -> None:
    file = tmp_path / "given.csv"
    file.write_bytes(b"a")
    known, absent = hashlib.sha256(b"a").hexdigest(), tmp_path / "absent.csv"
    assert plain([file, 3, ("x",)]) == [{"file": "given.csv", "sha256": known}, 3, ["x"]]
    assert plain(absent) == {"file": "absent.csv", "sha256": hashlib.sha256(str(absent).encode()).hexdigest()}


def test_an_item_itself_is_checked_by_people_and_measures_know_it(
    project: Project, server: ScriptedOllama, tmp_path: Path
) -> None:
    study = replace(STUDY, item_rubric=lambda item: RUBRIC)
    built(project, study)
    sheet = tmp_path / "checked.jsonl"
    sheet.write_text('{"item": "ascites", "run": null, "scores": {"true": false, "clear": null}}', "utf-8")
    summary = rate_answers(project, study, "Ana", sheet, OPTIONS)
    assert (summary.rated, summary.unscored, summary.runs) == (0, 1, [])
    rows = score_rows(project, study, server)
    assert [row.checked for row in rows] == [{}, {}, {"Ana": {"true": False, "clear": None}}]
    with pytest.raises(FormatError, match="name a run"):
        rate_answers(project, STUDY, "Ana", sheet, OPTIONS)


def test_a_runs_answers_are_told_with_what_each_adds_to_a_measure(project: Project, tmp_path: Path) -> None:
    by = replace(STUDY, by=("organ", "none"), page_by=("organ", "none"))
    run = with_replies(project, tmp_path, {"jaundice": "B", "haematuria": "B", "ascites": "I pass."})
    record_answer(project, by, "Ben", [("jaundice", "", "A")], replace(OPTIONS, count=2))
    assert page_labels(project, by) == ["organ"]
    assert [one.kept.item.id for one in list_answers(project, by, "")] == [
        "jaundice",
        "haematuria",
        "ascites",
    ]
    assert all(one.answer is None for one in list_answers(project, by, ""))
    entries = list_answers(project, by, run.name)
    scores = finished(scoring_study(project, by))
    assert [*scores.by] == ["organ"]
    measure = by.measures[0]

    def counting(label: str = "", value: str = "", one: Measure = measure) -> list[tuple[str, str]]:
        found = list_counting(entries, one, scores.rows[run.name], label, value)
        return [(entry.kept.item.id, entry.counts) for entry in found]

    assert counting() == [("jaundice", "0"), ("haematuria", "1"), ("ascites", "0")]
    assert counting("organ", "kidney") == [("haematuria", "1")]
    assert counting(one=replace(measure, tasks=("organ",))) == counting()
    assert counting(one=replace(measure, tasks=("other",))) == []
    first = entries[0].answer
    assert first is not None
    row = replace(first.row, item=replace(first.row.item, task="organ/part"))
    of_part = [replace(entries[0], answer=replace(first, row=row))]
    assert list_counting(of_part, replace(measure, tasks=("organ",)), [row], "", ""), "a part of the task"
    assert counting(one=replace(measure, each=lambda row: None if row.value is None else (1, 2.5))) == [
        ("jaundice", "1, 2.5"),
        ("haematuria", "1, 2.5"),
    ]
    assert counting(one=replace(measure, each=lambda row: (1.0,) * 5))[0] == ("jaundice", "")
    alone = replace(measure, together=lambda rows, weights: [0.25 if rows[0].value == "B" else None])
    assert [counts for _, counts in counting(one=alone)] == ["0.25", "0.25", ""]
    assert len(list_answers(project, by, "Ben")) == 2
    (replies, ben) = finished(reading_overview(project, by)).runs
    assert (ben.name, ben.kind, ben.state, ben.answered, ben.asked) == ("Ben", "person", "open", 1, 2)
    assert (replies.state, replies.answered, replies.failed, replies.asked) == ("done", 2, 1, 3)
    assert sitting_of(project, by, "Ben") == Sitting(1, False, 2, ())
    assert sitting_of(project, by, "Cy") == Sitting()
    pairs = scores_json(by, scores)["pairs"]
    assert [(one["label"], one["value"], one["n"]) for one in pairs] == [
        (None, None, 1),
        ("organ", "liver", 1),
    ]
    assert {(one["left"], one["right"]) for one in pairs} == {(run.name, "Ben")}
    # Whoever answers more than the first two is asked all of them.
    assert next_question(project, by, "Ben", replace(OPTIONS, count=1)) is None
    record_answer(project, by, "Ben", [("haematuria", "", "A"), ("ascites", "", "A")], OPTIONS)
    (_, ben) = finished(reading_overview(project, by)).runs
    assert (ben.answered, ben.asked) == (3, 3)
    # What nobody is asked, or was not asked for, is none of it.
    less = replace(by, choose=lambda items, settings: [one for one in items if one.id != "ascites"])
    record_answer(project, less, "Cy", [("haematuria", "", "A")], OPTIONS)
    record_answer(project, by, "Di", [("haematuria", "", "A")], replace(OPTIONS, labels={"organ": "kidney"}))
    asked = {one.name: one.asked for one in finished(reading_overview(project, less)).runs}
    assert (asked["Ben"], asked["Cy"], asked["Di"]) == (3, 2, 1)
    assert [len(list_answers(project, less, name)) for name in ("Ben", "Cy", "Di")] == [3, 2, 1]


def test_an_item_is_named_by_its_task_where_several_have_one_of_its_id() -> None:
    kept = [
        KeptItem(f"{task} {name}", Item(name, task, {}))
        for task, name in (("organ", "rash"), ("sign", "rash"), ("organ", "cough"))
    ]
    assert item_named(kept, "cough") is kept[2]
    assert item_named(kept, "rash", "sign") is kept[1]
    for name, task, said in (("rash", "", "organ, sign; say --task"), ("cough", "sign", "no item 'cough'")):
        with pytest.raises(UnknownNameError, match=said):
            item_named(kept, name, task)


def test_what_fits_is_told_once_after_five_calls_and_loading_the_model_is_no_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Ten seconds for loading, two for each call.
    clock = iter([0.0, 0.0, 10.0, *(20.0,) * 4])
    monkeypatch.setattr("app.operations.study.asking.time.monotonic", lambda: next(clock))
    work, told = SimpleNamespace(pending=40, notes=[]), list[str]()

    def steps() -> Generator[Progress, None, str]:
        yield Progress(0, 40)
        for _ in range(7):
            work.pending -= 1
            yield Progress(40 - work.pending, 40)
        return "ended"

    options = RunOptions(model="tiny", minutes=0.5)
    assert finished(saying_what_fits(steps(), [cast("Work", work)], options, told.append)) == "ended"
    assert work.notes == told == ["5 calls took 2 s each: of 40 about 10 fit into 0.5 minutes."]
    work.notes.clear()
    endless = replace(options, minutes=None)
    assert finished(saying_what_fits(steps(), [cast("Work", work)], endless, None)) == "ended"
    assert work.notes == []
    assert [counted_minutes(one) for one in (1, 0.5, 10)] == ["1 minute", "0.5 minutes", "10 minutes"]


def test_what_lies_ahead_goes_by_calls_of_the_same_model_and_arm_or_by_what_a_laptop_does(
    project: Project, tmp_path: Path
) -> None:
    run = with_replies(project, tmp_path, {"jaundice": "A"})
    calls = [SimpleNamespace(tokens=1000, shared=500, reply_tokens=100)] * 2
    entries = [SimpleNamespace(call=one, pending=True) for one in calls]
    entries.append(SimpleNamespace(call=SimpleNamespace(tokens=9, shared=0, reply_tokens=9), pending=False))

    def told(model: str = "said", arm: str = "", count: int | None = None, pending: int = 2) -> str:
        work = SimpleNamespace(
            pending=pending,
            entries=entries,
            options=RunOptions(model=model, calls=count),
            card=SimpleNamespace(name=model),
            asking=SimpleNamespace(identity={"arm": arm}),
        )
        return ahead(project, STUDY, cast("Work", work))

    laptop = "at most, if the model reads 500 tokens a second and writes 50"
    assert told() == f"2 calls lie ahead, 3 s a call {laptop}: about 6 s."
    assert told(count=1) == f"1 call lies ahead, 3 s a call {laptop}: about 3 s."
    took = (
        *((2.0, "done", ""), (4.0, "done", ""), (90.0, "failed", "")),
        *((90.0, "done", "another's"), (None, "done", "")),
    )
    with begin_act(project, "answer", "Ana", undoable=False) as act:
        for number, (seconds, state, reused) in enumerate(took):
            record = CallRecord("i", str(number), "p", "A", "", seconds=seconds, state=state, reused=reused)  # type: ignore[arg-type]
            add_generation(act, run.uuid, record)
    assert (
        told(pending=1200)
        == "1,200 calls lie ahead, 3 s a call as its calls took before: about 1.00 hours (60 min)."
    )
    for other in (told(model="tiny"), told(arm="loud")):
        assert laptop in other


def test_in_words_a_value_reads_as_people_write_it() -> None:
    assert [in_words(one) for one in (None, True, False, "x", ["a", 2], ("b",), [["a"]], {"k": 1}, 2.5)] == [
        *("", "yes", "no", "x", "a, 2", "b", '[["a"]]', '{"k": 1}', "2.5")
    ]

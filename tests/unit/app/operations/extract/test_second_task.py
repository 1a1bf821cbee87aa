"""A second task, a choice about each report: what makes the calls of a run knows no categories."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from app.operations.extract.answers import Clock
from app.operations.extract.calling.asked import list_prompts
from app.operations.extract.calling.asking import Asking, keep_values
from app.operations.extract.models import connect, replay
from app.operations.extract.options import RunOptions
from app.operations.extract.run_task import Ended, run_task
from app.operations.extract.runs import list_runs, record_replies
from app.store.act import begin_act
from app.store.annotate.annotations import read_annotations
from app.store.creation import create_project_file
from app.store.extract.runs import answers, generations, runs
from app.store.project import Project
from app.store.reports.documents import add_document, documents
from extractors.llm.backends.exchange import ServerExchange
from extractors.llm.backends.ollama import OllamaClient
from extractors.llm.backends.recording import read_recording
from extractors.llm.backends.replay import ReplayClient
from extractors.llm.types import Client, Request
from extractors.model.document import Document
from extractors.model.errors import ReplayError
from extractors.model.progress import finished
from extractors.tasks import TASKS
from extractors.tasks.base import Item, Prompt, Reading
from tests.scripted_behaviours import fails, prompt_text, replies
from tests.scripted_ollama import FakeModel, ScriptedOllama

TEXTS = {"one": "He had fever for a week.", "two": "She was well.", "three": "A rash came with fever."}
RUN = "tiny/fever/plain"


class Choice:
    """Yes or no."""

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": {"fever": {"enum": ["yes", "no"]}}, "required": ["fever"]}

    def read(self, text: str) -> Reading:
        try:
            value = json.loads(text)["fever"]
        except (ValueError, KeyError, TypeError):
            return Reading(False, ("The reply is no choice.",))
        return Reading(value in ("yes", "no"), (), value)


class Fever:
    """Whether a report speaks of fever."""

    id, version = "fever", "1"

    def variants(self) -> tuple[str, ...]:
        return ("plain",)

    def items(self, source: Document) -> Iterator[Item]:
        yield Item(source, ("fever",), ((0, len(source.text)),))

    def prompt(self, item: Item) -> Prompt:
        shown = "".join(item.subject.text[start:end] for start, end in item.spans)
        return Prompt("Answer yes or no.", f"{shown}\n\nIs there fever?", self.form(item), len(shown))

    def form(self, item: Item) -> Choice:
        return Choice()

    def reply_tokens(self, item: Item, shown: int) -> int:
        return 16


class Watched(OllamaClient):
    """A client that keeps the calls it has begun."""

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.exchanges: list[ServerExchange] = []

    def start(self, request: Request, wake: Callable[[], None] | None = None) -> ServerExchange:
        self.exchanges.append(super().start(request, wake))
        return self.exchanges[-1]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with create_project_file(tmp_path / "p.casespan") as made:
        with begin_act(made, "add", "Ann") as act:
            for number, (name, text) in enumerate(TEXTS.items()):
                add_document(act, Document(name, text, (), {"pmcid": str(number)}), f"{name}.txt", "0" * 64)
        yield made


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    def choose(body: dict[str, Any]) -> str:
        return json.dumps({"fever": "yes" if "had fever" in prompt_text(body) else "no"})

    with ScriptedOllama(answer=choose, models=[FakeModel("tiny", tokens=(), kinds=())]) as started:
        yield started


def run(
    project: Project,
    client: Client,
    calls: int | None = None,
    *,
    resume: bool = False,
    variant: str = "plain",
) -> Ended | None:
    """The run as it ended; None where it is given up after some calls."""
    asking = Asking(Fever(), f"fever/{variant}", ("fever",), {"variant": variant})
    job = run_task(project, client, RunOptions(model="tiny", resume=resume), lambda: asking)
    while True:
        try:
            step = next(job)
        except StopIteration as end:
            ended: Ended = end.value
            return ended
        if step.total and step.done == calls:
            job.close()
            return None


def said(project: Project, which: int = -1) -> dict[str, Any]:
    """The stored values by title, of one of the runs."""
    title_of = {one.uuid: one.document.title for one in documents(project)}
    return {title_of[one.subject]: one.value for one in answers(project, runs(project)[which].uuid)}


@pytest.mark.usefixtures("interruptible")
def test_what_is_being_written_down_when_the_user_stops_is_kept(
    project: Project, server: ScriptedOllama
) -> None:
    def keep(*args: Any) -> None:  # noqa: ANN401 (what `keep_values` takes)
        signal.raise_signal(signal.SIGINT)
        keep_values(*args)

    asking = Asking(Fever(), "fever/plain", ("fever",), {"variant": "plain"}, keep=keep)
    with pytest.raises(KeyboardInterrupt):
        finished(run_task(project, connect(server.url), RunOptions(model="tiny"), lambda: asking))
    assert (len(server.calls), said(project)) == (1, {"one": "yes"})
    assert run(project, connect(server.url)) is not None
    assert (len(server.calls), len(said(project))) == (3, 3)


def test_a_call_that_would_not_end_in_time_is_not_begun(
    project: Project, server: ScriptedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Forty seconds after the beginning a third, as slow as the others, would end too late.
    monkeypatch.setattr(Clock, "seconds", property(lambda _: 20.0 * len(server.calls)))
    asking = Asking(Fever(), "fever/plain", ("fever",), {"variant": "plain"})
    wanted = RunOptions(model="tiny", minutes=1)
    finished(run_task(project, connect(server.url), wanted, lambda: asking))
    assert (len(server.calls), runs(project)[-1].state) == (2, "cancelled")
    monkeypatch.setattr(Clock, "seconds", property(lambda _: 20.0))
    finished(run_task(project, connect(server.url), replace(wanted, resume=True), lambda: asking))
    assert (len(server.calls), runs(project)[-1].state) == (3, "done")


def test_another_run_takes_over_whole_answers_alone(project: Project, server: ScriptedOllama) -> None:
    server.script(replies('{"fever": "yes"}'), fails(500, "out of luck"))
    for variant in ("plain", "other"):
        assert run(project, connect(server.url), variant=variant) is not None
    assert len(server.calls) == 4
    assert said(project) == {"one": "yes", "two": "no", "three": "no"}


def test_an_answer_that_was_whole_when_the_run_was_given_up_is_kept(
    project: Project, server: ScriptedOllama
) -> None:
    asking = Asking(Fever(), "fever/plain", ("fever",), {"variant": "plain"})
    client = Watched(server.url)
    job = run_task(project, client, RunOptions(model="tiny", parallel=2), lambda: asking)
    while not client.exchanges:
        next(job)
    while client.exchanges[0].poll(0.2) is None:
        pass
    job.close()
    assert said(project)["one"] == "yes"


def test_its_answers_are_rows_and_nothing_is_annotated(project: Project, server: ScriptedOllama) -> None:
    ended = run(project, connect(server.url))
    assert ended is not None
    assert (ended.made, ended.stopped) == (3, "")
    assert said(project) == {"one": "yes", "two": "no", "three": "no"}
    assert list(read_annotations(project)) == []
    (row,) = list_runs(project)
    assert (row.name, row.state, row.calls, row.unfinished, row.options) == (
        RUN,
        "done",
        {"done": 3},
        False,
        None,
    )
    (asked,) = list_prompts(project)
    assert [one.user for one in asked.prompts] == [f"{text}\n\nIs there fever?" for text in TEXTS.values()]
    again = run(project, connect(server.url))
    assert again is not None
    assert (again.made, len(runs(project))) == (0, 1)


def test_it_is_given_up_and_goes_on_where_it_stopped(project: Project, server: ScriptedOllama) -> None:
    assert run(project, connect(server.url), calls=1) is None
    assert (runs(project)[0].state, said(project)) == ("cancelled", {"one": "yes"})
    ended = run(project, connect(server.url))
    assert ended is not None
    assert (ended.made, len(runs(project)), len(said(project))) == (2, 1, 3)


def test_what_failed_or_cannot_be_read_has_no_value_until_it_is_asked_again(
    project: Project, server: ScriptedOllama
) -> None:
    server.script(fails(500, "out of luck"), replies('{"fever": "perhaps"}'))
    run(project, connect(server.url))
    assert said(project) == {"three": "no"}
    run(project, connect(server.url), resume=True)
    assert said(project) == {"one": "yes", "three": "no"}


def test_its_replies_are_recorded_and_played_and_extract_nothing(
    project: Project, server: ScriptedOllama, tmp_path: Path
) -> None:
    run(project, connect(server.url))
    out = tmp_path / "replies.jsonl"
    assert record_replies(project, out, RUN) == 3
    played = run(project, ReplayClient(read_recording(out), out.name))
    assert played is not None
    assert (runs(project)[-1].name, said(project)) == (f"{RUN}#2", said(project, 0))
    asked, again = ([one.record for one in generations(project, each.uuid)] for each in runs(project))
    assert all(one.tokens_out and one.details["reply_seconds"] for one in asked)
    for name in ("tokens_in", "tokens_out", "done_reason"):
        assert [getattr(one, name) for one in again] == [getattr(one, name) for one in asked]
    for name in ("load_seconds", "prefill_seconds", "reply_seconds"):
        assert [one.details[name] for one in again] == [one.details[name] for one in asked]
    assert [one.seconds for one in again] == [None] * 3, "to play a reply takes no time worth a note"
    with pytest.raises(ReplayError, match="another task"):
        replay(out)


def test_equal_prompts_are_answered_by_the_first_call_whoever_took_it_over_since(
    project: Project, server: ScriptedOllama
) -> None:
    for variant in ("plain", "other", "third"):
        run(project, connect(server.url), variant=variant)
        assert said(project) == {"one": "yes", "two": "no", "three": "no"}
    assert len(server.calls) == 3
    first, *others = (generations(project, one.uuid) for one in runs(project))
    assert [call.record.reused for call in first] == [""] * 3
    for taken in others:
        assert [call.record.reused for call in taken] == [call.uuid for call in first]
    server.models["tiny"] = FakeModel("tiny", digest="e" * 64, tokens=(), kinds=())
    run(project, connect(server.url), variant="fourth")
    assert len(server.calls) == 6


@pytest.mark.parametrize("task", TASKS)
def test_every_registered_task_is_found_under_its_own_name(task: str) -> None:
    module, _, name = TASKS[task].partition(":")
    assert getattr(import_module(module), name).id == task

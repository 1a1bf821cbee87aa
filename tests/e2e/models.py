"""What the tests of model runs share: a model, its replies, and a look at what the project recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.store.annotate.annotations import read_annotations
from app.store.extract.runs import CallRecord, generations, runs
from app.store.project import Project
from extractors.model.finding import Finding
from tests.scripted_behaviours import Behaviour, Call, Json, prompt_text, replies
from tests.scripted_ollama import FakeModel, ScriptedOllama

if TYPE_CHECKING:
    from tests.e2e.conftest import Casespan

CATEGORIES = 14
LETTER = "alkaptonuria-letter"
REPORTS = Path(__file__).resolve().parents[2] / "resources" / "demo" / "reports"
# One call that asks for one category of one report.
ONE_CALL = ("--document", LETTER, "--category", "GI", "--json")
# A model that keeps its vocabulary to itself and was trained for a long context.
MODEL = FakeModel(context=131_072, tokens=(), kinds=())
NOTHING = '{"gastrointestinal": [], "tests": []}'
WEEKS = 200
WEEK = "In week {} the abdomen was soft and the diary told of colic"
EVERY_WEEK = r"In week \d+ the abdomen was soft and the diary told of colic"

# A report that says nearly the same of each week.
WEEKS_TEXT = "Case report\n\n" + "".join(f"{WEEK.format(week)}.\n\n" for week in range(1, WEEKS + 1))

good: Behaviour = replies()


def on(server: ScriptedOllama, *more: object) -> tuple[object, ...]:
    """Arguments that ask the server's model."""
    return ("--model", "tiny", "--host", server.url, *more)


def shown(body: Json) -> str:
    """The text of the report that a call shows."""
    return prompt_text(body).partition("<report>\n")[2].partition("\n</report>")[0]


def quoting(body: Json) -> str:
    """A reply with one verbatim quote of the report under the first key, as the schema asks for it."""
    report = prompt_text(body).partition("<report>\n")[2]
    return filled(body, [" ".join(report.split("\n\n")[1].split(" ")[:6])])


def quoting_all(pattern: str) -> Callable[[Json], str]:
    """Replies with everything in the text shown that matches, under the first key."""
    return lambda body: filled(body, re.findall(pattern, shown(body)))


def filled(body: Json, quotes: Sequence[str]) -> str:
    """A reply in the form asked for with these quotes under the first key."""
    return json.dumps(_filled(body["format"], quotes))


def _filled(schema: Json, quotes: Sequence[str]) -> object:
    properties = schema["properties"]
    if "analysis" in properties:
        return {"analysis": "It says so.", "findings": _filled(properties["findings"], quotes)}
    return {key: list(quotes) if place == 0 else [] for place, key in enumerate(properties)}


def counts(**numbers: int | Callable[[Call], int]) -> Behaviour:
    """A good reply with these counts in its last line."""

    def behave(call: Call) -> None:
        call.text(call.answer())
        said = {key: value if isinstance(value, int) else value(call) for key, value in numbers.items()}
        call.done("stop", **said)

    return behave


def fills_the_context(call: Call) -> None:
    """As servers before 0.12.6 do: the context is full, the report's beginning lost, and nothing said."""
    counts(prompt_eval_count=call.body["options"]["num_ctx"])(call)


def new_project(casespan: Casespan, path: Path, name: str, text: str) -> Path:
    """A project with one report of that text."""
    report = path.with_name(f"{name}.txt")
    report.write_text(text, encoding="utf-8")
    casespan("new", path)
    assert casespan("import", path, report).code == 0
    return path


def ledger(casespan: Casespan, project: Path) -> dict[str, Any]:
    """The project's only model run, as it is listed."""
    found = [run for run in casespan("list", project, "--json").json["runs"] if run["kind"] == "model"]
    assert len(found) == 1
    only: dict[str, Any] = found[0]
    return only


def review_states(casespan: Casespan, project: Path) -> list[str]:
    """The review states of all annotators."""
    return [review["state"] for review in casespan("list", project, "--json").json["reviews"]]


def recorded(project: Path) -> list[CallRecord]:
    """Every answer of the project's model runs, in order."""
    with Project.open(project) as opened:
        return [one.record for run in runs(opened) for one in generations(opened, run.uuid)]


def findings(project: Path) -> list[Finding]:
    """Everybody's findings."""
    with Project.open(project) as opened:
        return [annotation.finding for annotation in read_annotations(opened)]


def contexts(server: ScriptedOllama) -> list[int]:
    """The context of each call, in tokens."""
    return [call.body["options"]["num_ctx"] for call in server.calls]


def wait_for_calls(server: ScriptedOllama, number: int) -> None:
    """Wait until the server has got that many calls."""
    for _ in range(3000):
        if len(server.calls) >= number:
            return
        server.closing.wait(0.01)
    raise AssertionError(f"only {len(server.calls)} calls came")

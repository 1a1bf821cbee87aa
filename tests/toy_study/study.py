"""Which of two organs a finding points to: a choice, a built-in method, one measure, one table."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from app.studies.lines import read_lines
from app.studies.pages import by_run
from app.studies.results import Again, Item, Measure, Row
from app.studies.study import Ask, Building, Built, Job, Method, Option, Rubric, Study, Table
from extractors.model.progress import Progress
from extractors.tasks.base import Prompt
from extractors.tasks.forms import Choice

ORGANS = {"A": "liver", "B": "kidney"}
QUESTIONS = {"jaundice": "A", "haematuria": "B", "ascites": "A"}


def build(request: Building) -> Generator[Progress, None, Built]:
    """The three questions, or those of a file."""
    yield Progress(0, 0, "asking")
    lines = [line for path in request.paths for line in read_lines(path)]
    wanted = {line["finding"]: line["organ"] for line in lines} or QUESTIONS
    items = [
        Item(finding, "organ", {"finding": finding}, {"key": key}, {"organ": ORGANS[key]})
        for finding, key in wanted.items()
    ]
    source = {"file": "toy", "version": "1", "sha256": "0" * 64, "licence": "none", "rows": len(items)}
    return Built(items, {"too easy": 1}, [source], {"seed": request.seed}, guard=request.settings["licence"])


def ask(job: Job) -> Ask:
    """In words, with the options behind the finding."""

    def prompt(item: Item, again: Again, question: str) -> Prompt:
        options = ", ".join(f"{key}: {words}" for key, words in ORGANS.items())
        say = f"\nWhich organ? {options} {job.settings['please']}".rstrip()
        finding = str(item.input["finding"])
        finding = finding.upper() if job.settings["arm"] == "loud" else finding
        return Prompt("You know organs.", finding + say, Choice(ORGANS), len(finding))

    return Ask(prompt, reply_tokens=16)


def guess(job: Job) -> Callable[[Item, Again], Any]:
    """Always the liver."""
    return lambda item, again: "A"


def right(row: Row) -> float:
    """Whether the answer is the reference; one that is missing is wrong."""
    return float(row.value == row.item.reference["key"])


def times(item: Item, settings: Mapping[str, Any]) -> Sequence[Again]:
    """Once, or in so many orders."""
    return [{"order": number} for number in range(settings["orders"])] if settings["orders"] > 1 else [{}]


def judged(item: Item, row: Row, criteria: Sequence[str]) -> tuple[str, str]:
    """What a judge is asked."""
    return "You judge.", f"{item.input['finding']}: {row.value}. Is it {', '.join(criteria)}?"


RUBRIC = Rubric(
    "organ",
    {"true": (True, False), "clear": (0, 1, 2)},
    {"true": "It is so.", "clear": "It is well put."},
    lambda scores: None if None in scores.values() else (scores["true"] + scores["clear"]) / 3,
    judged,
    names={"clear": "Well put"},
)

STUDY = Study(
    id="toy",
    title="Toy study",
    about="Which organ a finding points to.",
    needs="Nothing: its three questions come along.",
    example="",
    tasks=("organ",),
    called=lambda label, value: {"organ": "of organs"}.get(value, value),
    build=build,
    measures=(Measure("accuracy", "Accuracy", right),),
    tables=(Table("1", "Accuracy by run", by_run(["accuracy"], {"Someone": {"accuracy": 0.5}})),),
    options=(
        Option("licence", "whose data these are", ("build",), default=""),
        Option("please", "politeness", ("run",), default=""),
        Option("orders", "how often each item is asked", ("run",), kind=int, default=1),
    ),
    methods=(Method("liver", "always says liver", guess),),
    arms=("plain", "loud"),
    ask=ask,
    form=lambda item: Choice(ORGANS),
    times=times,
    rubric=lambda item: RUBRIC,
)

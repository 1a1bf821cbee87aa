"""What the operation of a task gives to the run that makes its calls, and gets back from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from app.store.extract.runs import Answer, put_answer

if TYPE_CHECKING:
    from app.operations.extract.entry import Source
    from app.store.act import Act
    from app.store.extract.runs import CallRecord, Run
    from extractors.model.document import Document
    from extractors.tasks.base import Form, Task


@dataclass(frozen=True, slots=True)
class Answered:
    """A question about a report whose calls have all ended: what each brought, part by part, and its form.

    There are no calls where the report has nothing to show for it.
    """

    question: str
    calls: tuple[tuple[CallRecord | None, Form], ...]
    again: str = ""


# Writes down what answers about a report say, in the act in which the last of them is recorded; last come
# all the questions that the run has asked of the report, answered or not.
Keep: TypeAlias = "Callable[[Act, Run, Source, Sequence[Answered], Collection[str]], None]"
# Sentences for the user before a run is made, from what tells runs apart, the run that is gone on with, and
# the reports.
Caveats: TypeAlias = "Callable[[Mapping[str, Any], Run | None, Sequence[Document]], list[str]]"


def keep_values(
    act: Act, run: Run, report: Source, answered: Sequence[Answered], asked: Collection[str]
) -> None:
    """Store the value of each answer given in full as a row of its own, a list of them for several parts."""
    for one in answered:
        replies = [record.raw_reply or "" for record, _ in one.calls if record and record.state == "done"]
        if replies and len(replies) == len(one.calls):
            values = [form.read(reply).value for reply, (_, form) in zip(replies, one.calls, strict=True)]
            value = values[0] if len(values) == 1 else values
            put_answer(act, run.uuid, Answer(report.uuid, one.question, value, one.again))


@dataclass(frozen=True, slots=True)
class Asking:
    """A task as a run is to ask it. `label` names the run's annotator, after the model's name.

    `questions` are those asked for, in the order of `every` one there is (those, where it is empty);
    `identity` is what, beside model and options, tells its runs apart, `settings` what else a record of the
    run holds. The context is chosen for what `widest` asks, so that a run may be asked for more later. `keep`
    is what the task makes of its answers. `sources` are what it asks about, the project's reports where they
    are None; `name` is the annotator's, where it is not made of model and label; `noun` is what a source is
    called.
    """

    task: Task
    label: str
    questions: tuple[str, ...]
    identity: Mapping[str, Any]
    keep: Keep = keep_values
    every: tuple[str, ...] = ()
    widest: Task | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    caveats: Caveats = lambda *_: []
    sources: Sequence[Source] | None = None
    name: str = ""
    noun: str = "report"

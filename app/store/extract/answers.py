"""What was answered to a task that makes no annotations: one JSON value per run, subject and question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.store.faults import sound
from app.store.values import canonical, matching

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Answer:
    """The value given to a question about a subject (the UUID of a report, or of an item of a study).

    `again` tells the answers apart where one thing is asked several times, "" where it is asked once. What a
    method or a person gave as `reply`, and the `error` for which there is no value (None), stand here; of a
    model both stand with its calls. `seconds` are those that a person took, None where nobody measured.
    """

    subject: str
    question: str
    value: Any
    again: str = ""
    reply: str = ""
    error: str = ""
    seconds: float | None = None


def put_answer(act: Act, run: str, answer: Answer) -> None:
    """Store the answer of a run (UUID) in the place of an earlier one; raises TypeError for no JSON."""
    asked = {"run": run, "subject": answer.subject, "question": answer.question, "again": answer.again}
    given = {"value": canonical(answer.value), "reply": answer.reply, "error": answer.error}
    act.put("answer", asked, {**given, "seconds": answer.seconds, "answered_at": act.at})


def answers(project: Project, run: str, subject: str | None = None) -> list[Answer]:
    """The answers of a run (UUID), to all or one subject (UUID), in the order they came.

    Raises DamagedProjectError where one cannot be read.
    """
    where, given = matching(run=run, subject=subject)
    columns = "subject, question, value, again, reply, error, seconds"
    rows = project.tuples(f"SELECT {columns} FROM answer WHERE {where} ORDER BY position", given)
    with sound(project.path, "an answer"):
        return [Answer(asked, question, json.loads(value), *more) for asked, question, value, *more in rows]

"""Replies to a study's items from a file, {"item", "reply"} a line, played in the place of a model."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.operations.extract.calling.ledger import Ledger
from app.operations.study.answers import again_key
from app.studies.lines import read_lines
from app.studies.results import of_tasks
from extractors.grouping import grouped
from extractors.llm.types import ModelCard, Outcome, Subject, TokenProbability
from extractors.model.errors import ReplayError

if TYPE_CHECKING:
    from app.operations.study.asking import ItemTask
    from app.store.extract.runs import CallRecord, Run
    from app.store.project import Project
    from extractors.llm.backends.replay import ReplayClient

_CONTEXT = 10_000_000
# Of a line: the replies to each question about its item, and to what was to be known before all of them.
REPLIES, DRAFTS = "replies", "drafts"


def replay_client(
    path: Path,
    task: ItemTask,
    known: Mapping[str, Collection[str]] | None,
    model: str = "",
    *,
    named: bool = False,
    aside: Collection[str] = (),
) -> tuple[ReplayClient, list[str]]:
    """A client that answers the task from the file, and sentences on lines of no use here.

    A line names its item, its task where several have such an item, what tells the times apart that it is
    asked (as `study answers` writes it), and of several questions which. `known` are the tasks of all items
    by id, None where replies to others are let be; where only `named` replies count, a line must say its
    task; those of the tasks `aside` are for others. Raises ReplayError, also for a reply to an item that is
    not there.
    """
    from extractors.llm.backends.replay import Recording, ReplayClient

    lines = replies_in(path)
    replies: dict[Subject, Outcome] = {}
    unknown = 0
    for number, line in enumerate(lines, start=1):
        if not isinstance(line.get("item"), str) or not isinstance(line.get("reply", ""), (str, type(None))):
            raise ReplayError(
                f'{path}, reply {number}, needs an "item" and its "reply", both texts; mend it.'
            )
        tasks = None if known is None else known.get(line["item"], ())
        if tasks is not None and not any(_about(line, of_task) for of_task in tasks):
            raise ReplayError(f"{path}, reply {number}, is to {line['item']!r}, which is no item here.")
        subjects = {} if named and "task" not in line else _subjects(line, task)
        unknown += not subjects and line.get("task") not in aside
        for subject, reply in subjects.items():
            if subject in replies:
                raise ReplayError(f"{path}, reply {number}, repeats one that stands above it; mend it.")
            replies[subject] = _outcome(line, reply)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    about = f"Replies read from {path.name}."
    card = ModelCard(model or model_of(path), digest=digest, context=_CONTEXT)
    recording = Recording(about, False, card, replies, task=task.id)
    notes = [f"{unknown} of {len(lines)} replies are to what is not asked now."] if unknown else []
    return ReplayClient(recording, path.name), notes


def replies_in(path: Path) -> list[dict[str, Any]]:
    """The replies of a file, one by one, also where a line has those to each question about its item; raises
    ReplayError."""
    found: list[dict[str, Any]] = []
    for number, line in enumerate(read_lines(path), start=1):
        apart = [line.pop(key, None) or [] for key in (DRAFTS, REPLIES)]
        if not all(isinstance(some, list) and all(isinstance(one, dict) for one in some) for some in apart):
            raise ReplayError(f"{path}, line {number}: {DRAFTS} and {REPLIES} are lists of replies; mend it.")
        drafts, replies = apart
        found += drafts
        common = {key: value for key, value in line.items() if key not in ("reply", "probabilities", "error")}
        found += [{**common, **one} for one in replies] or [line]
    return found


def replies_apart(project: Project, run: Run) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """What was replied to each question, by UUID of the item and time, where several are asked about it."""
    calls = Ledger(project, run).answers if run.kind == "model" else ()
    found = grouped(((one.subject, one.again), reply_of(one)) for one in calls if one.state != "cancelled")
    return {key: value for key, value in found.items() if len({one["question"] for one in value}) > 1}


def reply_of(call: CallRecord) -> dict[str, Any]:
    """What was replied to one question, as a line of replies has it."""
    sure = call.details.get("probabilities")
    more = {**({"error": call.error} if call.error else {}), **({"probabilities": sure} if sure else {})}
    return {"question": call.question, "reply": call.raw_reply, **more}


def model_of(path: Path) -> str:
    """The name that stands for whatever gave the replies."""
    return path.stem or "replies"


def _subjects(line: Mapping[str, Any], task: ItemTask) -> dict[Subject, str | None]:
    """What a reply answers, of an item asked several times the one that it names; the reply to each as the
    study has it said."""
    found: dict[Subject, str | None] = {}
    for kept in task.of_id.get(line["item"], ()):
        if not _about(line, kept.item.task):
            continue
        times = task.times[kept.uuid]
        one_seed = len({again.get("seed") for again in times}) == 1
        for again in times:
            # What is asked once, or as usual, need not say which time it is.
            values = {**again, **line} if len(times) == 1 and not task.usual else {**task.usual, **line}
            wanted = {**task.usual, **again}
            if one_seed:
                wanted.pop("seed", None)
            if all(key in values and values[key] == value for key, value in wanted.items()):
                questions = task.questions_of(kept)
                named = line.get("question", questions[0] if len(questions) == 1 else None)
                key = f"{kept.item.task}/{kept.item.id}"
                reply = task.replayed(kept.item, again, line)
                found |= {
                    Subject(key, (one,), again=again_key(again)): reply for one in questions if one == named
                }
    return found


def _about(line: Mapping[str, Any], task: str) -> bool:
    """Whether a reply is to items of a task: to the one it names, if it names one."""
    named = line.get("task")
    return named is None or (isinstance(named, str) and of_tasks(task, (named,)))


def _outcome(line: Mapping[str, Any], reply: str | None) -> Outcome:
    """The reply as it would have come from a server; one that failed then fails again."""
    error = line.get("error")
    # Errors of reading are found anew; those of a server have no reply.
    if reply is None or (not reply and error):
        return Outcome(error=str(error or "It was recorded without a reply."), reply_only=True)
    return Outcome(text=reply, done_reason="stop", probabilities=_probabilities(line.get("probabilities")))


def _probabilities(given: object) -> Any:  # noqa: ANN401 (tokens, where there are any)
    pairs: Collection[Any] = given if isinstance(given, list) else ()
    return tuple(TokenProbability(str(token), float(logarithm)) for token, logarithm in pairs)

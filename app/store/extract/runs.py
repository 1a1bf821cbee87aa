"""Runs of extractors and studies, every single answer they got, and errors planted into copies of runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from app.store.act import Act
from app.store.faults import sound
from app.store.values import Cell, canonical, json_object, matching, new_uuid, now

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project

RunKind: TypeAlias = Literal["rules", "model", "method", "person"]
RunState: TypeAlias = Literal["running", "done", "cancelled", "failed"]
GenerationState: TypeAlias = Literal["done", "incomplete", "failed", "cancelled", "divided"]
# Of several answers to one prompt the one whose state stands further back here counts.
BEST_LAST: tuple[GenerationState, ...] = ("cancelled", "failed", "incomplete", "divided", "done")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of rules, a model, a study's built-in method or a person, under its own annotator (UUID).

    `settings` is whatever JSON the extractor needs to be run again (model digest, strategy, options, seed,
    version of the rules); `software` the program's version. Times are UTC; `finished_at` is None while it
    runs.
    """

    uuid: str
    annotator: str
    kind: RunKind
    name: str
    settings: Mapping[str, Any]
    software: str
    started_at: str
    finished_at: str | None
    state: RunState


@dataclass(frozen=True, slots=True)
class CallRecord:
    """What was asked in one call of a model, and what came back.

    `subject` is the UUID of what the call is about, a report or an item of a study; `question` what is asked
    of it: of extraction the category, "" where one call asks for all of them. `again` tells the calls apart
    that ask the same thing several times. `part` counts the `parts` of a report that were shown one by one.
    `seconds` is the time the call took, `tokens_in` and `tokens_out` what the server counted; `raw_reply` is
    the reply as it came, None where there was none. An "incomplete" answer was cut or malformed, a "divided"
    call was too long and others took its place. `reused` is the UUID of another run's call whose reply this
    is, "" for one that was made. `details` is whatever else JSON can say of the call.
    """

    subject: str
    question: str
    prompt_sha256: str
    raw_reply: str | None
    started_at: str
    finished_at: str | None = None
    seconds: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    done_reason: str = ""
    error: str = ""
    state: GenerationState = "done"
    part: int = 0
    parts: int = 1
    again: str = ""
    reused: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


_RUN, _CALL = tuple(Run.__dataclass_fields__), tuple(CallRecord.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Generation:
    """A call as a run (UUID) has it on record."""

    uuid: str
    run: str
    record: CallRecord


def start_run(
    act: Act, annotator: str, kind: RunKind, name: str, settings: Mapping[str, Any], software: str
) -> Run:
    """Record that a run began, under an annotator (UUID) of the kind "run".

    Raises ValueError or TypeError for settings that JSON cannot say.
    """
    run = Run(new_uuid(), annotator, kind, name, dict(settings), software, act.at, None, "running")
    act.insert(
        "run",
        {
            **{name: getattr(run, name) for name in _RUN},
            "position": act.next_position("run"),
            "settings": canonical(run.settings),
        },
    )
    return run


def go_on_with_run(act: Act, run: Run, settings: Mapping[str, Any]) -> Run:
    """Take a run up again, with settings that say all that it is asked for by now; returns it as it is then.

    Raises UnknownNameError where there is no such run.
    """
    after = replace(run, settings=dict(settings), state="running", finished_at=None)
    changes: dict[str, Cell] = {"settings": canonical(after.settings), "state": after.state}
    act.update("run", run.uuid, {**changes, "finished_at": None})
    return after


def finish_run(act: Act, run: str, state: RunState) -> None:
    """Record how a run (UUID) ended. Raises UnknownNameError."""
    act.update("run", run, {"state": state, "finished_at": now()})


def add_generation(act: Act, run: str, record: CallRecord) -> Generation:
    """Keep one call of a run (UUID); its reply is stored once however often it came.

    Raises ProjectError (at the end of the act) for a reply with half a character.
    """
    generation = Generation(new_uuid(), run, record)
    act.insert(
        "generation",
        {
            "uuid": generation.uuid,
            "run": run,
            "position": act.next_position("generation"),
            **{name: getattr(record, name) for name in _CALL if name not in ("raw_reply", "details")},
            "reply_sha256": None if record.raw_reply is None else act.keep_text(record.raw_reply),
            "details": canonical(record.details),
        },
    )
    return generation


def runs(project: Project) -> list[Run]:
    """All runs, the earliest first; raises DamagedProjectError where a record cannot be read."""
    return [_run(project, row) for row in project.query("SELECT * FROM run ORDER BY position")]


def generations(project: Project, run: str) -> list[Generation]:
    """The answers of a run (UUID) in the order they came.

    Raises DamagedProjectError where a record cannot be read, and what `Project.query` raises.
    """
    rows = project.query(
        "SELECT g.*, t.text AS raw_reply FROM generation g LEFT JOIN text t ON t.sha256 = g.reply_sha256 "
        "WHERE g.run = ? ORDER BY g.position",
        [run],
    )
    return [_generation(project, row) for row in rows]


def count_generations(project: Project) -> Counter[tuple[str, GenerationState]]:
    """How many prompts each run (UUID) has in each state, by the best answer that each one got.

    What was recorded without a call (nothing to show to the model) does not count.

    Raises what `Project.query` raises.
    """
    order = " ".join(f"WHEN '{state}' THEN {rank}" for rank, state in enumerate(BEST_LAST))
    rows = project.query(
        "SELECT run, state, count(*) AS number FROM (SELECT run, state, row_number() OVER (PARTITION BY run, "
        f"subject, question, again, prompt_sha256 ORDER BY CASE state {order} END DESC) AS place "
        "FROM generation WHERE prompt_sha256 <> '') WHERE place = 1 GROUP BY run, state"
    )
    return Counter({(row["run"], row["state"]): row["number"] for row in rows})


def remote_answers(project: Project) -> dict[str, tuple[str, ...]]:
    """The other machines that answers of a run (UUID) named as their source, by run, where there are any.

    Raises what `Project.query` raises.
    """
    rows = project.query(
        "SELECT DISTINCT run, json_extract(details, '$.remote') AS remote FROM generation "
        "WHERE json_extract(details, '$.remote') IS NOT NULL ORDER BY remote"
    )
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        found[row["run"]] = (*found.get(row["run"], ()), row["remote"])
    return found


def _generation(project: Project, row: Mapping[str, Any]) -> Generation:
    with sound(project.path, f"an answer of the run {row['run']}"):
        cells = {name: row[name] for name in _CALL}
        return Generation(
            row["uuid"], row["run"], CallRecord(**{**cells, "details": json_object(row["details"])})
        )


def _run(project: Project, row: Mapping[str, Any]) -> Run:
    with sound(project.path, f"the record of the run {row['name']}"):
        cells = {name: row[name] for name in _RUN}
        return Run(**{**cells, "settings": json_object(row["settings"])})


@dataclass(frozen=True, slots=True)
class Planted:
    """One wrong span (`annotation`) of a planted set (`annotator`) in a document; all are UUIDs.

    `kind` says what is wrong with it: spurious, label, boundary or polarity.
    """

    uuid: str
    document: str
    annotator: str
    annotation: str
    kind: str
    planted_at: str


def add_planted(act: Act, annotator: str, errors: Sequence[tuple[str, str, str]]) -> list[Planted]:
    """Record planted errors of a set (UUID): (document, annotation, kind) each."""
    added = [Planted(new_uuid(), document, annotator, span, kind, act.at) for document, span, kind in errors]
    act.insert_all("planted", [asdict(one) for one in added])
    return added


def planted(project: Project, annotator: str | None = None) -> list[Planted]:
    """All planted errors, or those of one set (UUID), in the order in which they were planted."""
    rows = project.query(
        "SELECT * FROM planted WHERE annotator = ifnull(?, annotator) ORDER BY rowid", [annotator]
    )
    return [Planted(**row) for row in rows]


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

"""What a run of a study was answered: its answers side by side with the calls of models, as rows to score."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.messages import no_such
from app.operations.extract.calling.ledger import Ledger
from app.operations.study.items import KeptItem, kept_items
from app.store.extract.answers import answers
from app.store.extract.runs import CallRecord, Run, runs
from app.store.study.items import item_ratings
from app.store.values import canonical
from app.studies.results import Again, Row
from extractors.model.errors import UnknownNameError

if TYPE_CHECKING:
    from app.store.project import Project
    from app.studies.study import Study

NO_RECORDED_REPLY = "There is no recorded reply."
TOO_LONG = "It does not fit into the context of the model."


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of a run with the reply that it was read from; `subject` is the item's UUID."""

    subject: str
    row: Row
    reply: str


def again_key(again: Again) -> str:
    """How records name one of the times that an item is asked, "" for one that is asked once."""
    return canonical(dict(again)) if again else ""


def again_of(key: str) -> dict[str, Any]:
    """What tells that time apart."""
    found: dict[str, Any] = json.loads(key) if key else {}
    return found


def study_runs(project: Project, study: Study, names: Collection[str] = ()) -> list[Run]:
    """The runs of a study that answer its items, all or those named, the earliest first.

    Raises UnknownNameError for a name that none has.
    """
    found = [run for run in runs(project) if run.settings.get("study") == study.id]
    found = [run for run in found if "role" not in run.settings]
    known = {run.name for run in found}
    for name in names:
        if name not in known:
            raise UnknownNameError(no_such("run", name, known) if known else f"{study.id} has no run yet.")
    return [run for run in found if not names or run.name in names]


def answered(
    project: Project, study: Study, run: Run, kept: Sequence[KeptItem] | None = None
) -> list[Answered]:
    """Every answer of a run in the order of the items, those that failed or could not be read among them.

    What was given up, or never asked, is none.
    """
    kept = kept_items(project, study) if kept is None else kept
    values = {(one.subject, one.again): one for one in answers(project, run.uuid) if not one.question}
    calls: dict[tuple[str, str], CallRecord] = {}
    for call in Ledger(project, run).answers if run.kind == "model" else ():
        if call.state != "cancelled":
            before = calls.get((call.subject, call.again))
            if before is None or before.state == "done":
                calls[call.subject, call.again] = call
    ratings: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    checked: dict[str, dict[str, Mapping[str, Any]]] = {}
    judges: set[str] = set()
    for rating in item_ratings(project, [run.uuid, ""]):
        judges |= {rating.rater} if rating.kind == "judge" else set()
        if rating.run:
            ratings.setdefault((rating.subject, rating.again), {})[rating.rater] = rating.scores
        else:
            checked.setdefault(rating.subject, {})[rating.rater] = rating.scores
    by_item: dict[str, list[str]] = {}
    for subject, again in (*values, *(key for key in calls if key not in values)):
        by_item.setdefault(subject, []).append(again)
    found = []
    for one in kept:
        for again in sorted(by_item.get(one.uuid, ())):
            key = one.uuid, again
            value, asked = values.get(key), calls.get(key)
            error = value.error if value else about_call(asked)
            reply = value.reply if value and value.reply else (asked.raw_reply or "") if asked else ""
            row = Row(
                one.item,
                value.value if value else None,
                error,
                again_of(again),
                ratings.get(key, {}),
                checked.get(one.uuid, {}),
                judges=frozenset(judges),
                seconds=value.seconds if value else None,
                tokens=[(token, sure) for token, sure in asked.details.get("probabilities", ())]
                if asked
                else (),
            )
            found.append(Answered(one.uuid, row, reply))
    return found


def learned_of(project: Project, study: Study, kept: Sequence[KeptItem]) -> dict[str, Any]:
    """What the ratings of all runs teach those who grade, as a setting; {} where the study learns nothing."""
    if study.learn is None:
        return {}
    every = [one.row for run in study_runs(project, study) for one in answered(project, study, run, kept)]
    return {"learned": study.learn([row for row in every if row.ratings])}


def about_call(call: CallRecord | None) -> str:
    """Why a call of a model gave no answer, in a sentence that does not name the item."""
    if call is None:
        return ""
    if call.error.startswith("There is no recorded reply"):
        return NO_RECORDED_REPLY
    problems = call.details.get("problems") or ("The reply was cut.",)
    return call.error or str(problems[0])

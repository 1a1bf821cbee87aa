"""What a run of a study was answered: as rows to score, and as a window shows it."""

from __future__ import annotations

import json
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.messages import no_such
from app.operations.extract.calling.ledger import Ledger
from app.operations.study.items import KeptItem, built_details, count_labels, kept_items
from app.store.extract.runs import Answer, CallRecord, Run, answers, runs
from app.store.study.items import builds, item_ratings
from app.store.values import canonical
from app.studies.results import Again, Item, Measure, Row
from extractors.grouping import grouped
from extractors.model.errors import CasespanError, UnknownNameError
from extractors.model.progress import Progress
from extractors.tasks.forms import json_in

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
    there = answers(project, run.uuid, kept[0].uuid if len(kept) == 1 else None)
    values = {(one.subject, one.again): one for one in there if not one.question}
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
    by_item = grouped(values | calls)
    found = []
    for one in kept:
        for again in sorted(by_item.get(one.uuid, ())):
            key = one.uuid, again
            value, asked = values.get(key), calls.get(key)
            error = value.error if value else about_call(asked)
            reply = value.reply if value and value.reply else (asked.raw_reply or "") if asked else ""
            row = Row(
                one.item,
                _value(study, run, one.item, value) if value else None,
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


def _value(study: Study, run: Run, item: Item, answer: Answer) -> Any:  # noqa: ANN401 (a JSON value)
    """What was answered; by a person what it would be if it were typed today, where that is an answer."""
    if run.kind != "person" or study.form is None or not answer.reply:
        return answer.value
    reading = study.form(item).read(answer.reply)
    # Earlier versions kept what they had read as the reply: of today's kind it is not read a second time.
    as_read = type(reading.value) is type(answer.value) and json_in(answer.reply) == answer.value
    return reading.value if reading.complete and not as_read else answer.value


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


_STATES = {"done": "done", "cancelled": "stopped", "failed": "failed", "running": "not ended"}
_PERSON = {"done": "closed"}
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class RunLine:
    """How a run stands: `answered` answers have a value, `failed` have none, `asked` there are in all."""

    name: str
    kind: str
    state: str
    answered: int
    failed: int
    asked: int

    @property
    def sits(self) -> bool:
        """Whether it is a person's who has not closed it."""
        return self.kind == "person" and self.state != "closed"


@dataclass(frozen=True, slots=True)
class Overview:
    """What a project has of a study: `by` counts its items by label and value."""

    study: str
    items: tuple[KeptItem, ...]
    by: Mapping[str, Mapping[str, int]]
    runs: tuple[RunLine, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """An item with one of a run's answers, None where there is no run or no answer; `counts` is what it adds
    to a measure, "" for nothing."""

    kept: KeptItem
    answer: Answered | None = None
    counts: str = ""


def studies_with_items(project: Project) -> frozenset[str]:
    """The ids of the studies that the project has items of; quick."""
    return frozenset(one.study for one in builds(project) if one.items)


def reading_overview(project: Project, study: Study) -> Generator[Progress, None, Overview]:
    """What there is of a study."""
    yield Progress(0, 0, "reading the items")
    kept = kept_items(project, study)
    found, lines = study_runs(project, study), []
    for done, run in enumerate(found):
        yield Progress(done, len(found), run.name)
        lines.append(_line(project, study, run, kept))
    by = count_labels([one.item for one in kept])
    return Overview(study.id, tuple(kept), by, tuple(lines))


def list_answers(project: Project, study: Study, name: str) -> list[Entry]:
    """Every item that the run of that name asks, with its answers; all items alone where it is ""."""
    kept = kept_items(project, study)
    if not name:
        return [Entry(one) for one in kept]
    run = study_runs(project, study, [name])[0]
    given = grouped((one.subject, one) for one in answered(project, study, run, kept))
    asked = _asked(project, study, run, kept, given)
    return [Entry(one, answer) for one in asked for answer in given.get(one.uuid) or (None,)]


def list_counting(
    entries: Sequence[Entry], measure: Measure, rows: Sequence[Row], label: str, value: str
) -> list[Entry]:
    """Of a run's entries those that a number stands on, with what each adds: `rows` as they were scored, in a
    group where a `label` is named."""
    of = {row.key: row for row in rows if not label or value in row.item.values(label)}
    found = []
    for entry in entries:
        row = of.get(entry.answer.row.key) if entry.answer else None
        if row is None or not measure.about(row):
            continue
        adds = measure.each(row)
        if adds is not None:
            if measure.together is not None:
                # As if there were no other answer.
                (alone,) = measure.together([row], [[1.0]])
                adds = () if alone is None else alone
            numbers = (adds,) if isinstance(adds, (int, float)) else adds
            # Sums over samples and classes are no number that says anything of one answer.
            words = ", ".join(f"{one:g}" for one in numbers) if len(numbers) <= _SHOWN else ""
            found.append(Entry(entry.kept, entry.answer, words))
    return found


def in_words(value: Any) -> str:  # noqa: ANN401 (any JSON value)
    """A value of JSON for people."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)) and all(isinstance(one, (str, int, float)) for one in value):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _asked(
    project: Project, study: Study, run: Run, kept: Sequence[KeptItem], given: Collection[str] = ()
) -> Sequence[KeptItem]:
    """The items that a run asks by its settings, all where they can no longer be told; a person those that
    the sitting began with, unless items (UUIDs) beyond them were `given` answers: then all, and these."""
    settings = {**run.settings.get("settings", {}), "built": built_details(project, study)}
    every = kept
    with suppress(CasespanError):
        chosen = set(map(id, study.choose([one.item for one in kept], settings)))
        every = [one for one in kept if id(one.item) in chosen]
    if run.kind != "person":
        return every
    wanted = run.settings.get("asked_for") or {}
    among = {one.uuid for one in kept_items(project, study, wanted.get("tasks", ()), wanted.get("labels"))}
    first = [one for one in every if one.uuid in among][: wanted.get("count")]
    there = {one.uuid for one in first}
    if not there.issuperset(given):
        there = {*given, *(one.uuid for one in every)}
    return [one for one in kept if one.uuid in there]


def _line(project: Project, study: Study, run: Run, kept: Sequence[KeptItem]) -> RunLine:
    # What is asked no longer (rejected, or edited since) is not counted as answered.
    there = kept if run.kind == "person" else _asked(project, study, run, kept)
    given = answered(project, study, run, there)
    good = sum(one.row.value is not None for one in given)
    failed = len(given) - good
    settings = run.settings.get("settings", {})
    if run.kind == "person":
        # A guess is no further item.
        done = {one.subject for one in given if one.row.value is not None}
        good, asked = len(done), len(_asked(project, study, run, kept, done))
    else:
        asked = sum(len(study.times(one.item, settings)) for one in there)
    state = _PERSON.get(run.state, "open") if run.kind == "person" else _STATES[run.state]
    return RunLine(run.name, run.kind, state, good, failed, asked)

"""A person as a method of a study: asked item by item, round by round, until the person closes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from app import __version__
from app.operations.study.answers import again_key, answered, study_runs
from app.operations.study.items import KeptItem, item_named
from app.operations.study.running import StudyOptions, chosen_items, record_of, settings_in
from app.store.act import Act, begin_act
from app.store.annotate.annotators import ensure_annotator, kind_of
from app.store.extract.runs import Answer, Run, finish_run, put_answer, start_run
from app.studies.results import Again, Row
from app.tables import read_csv
from extractors.grouping import grouped
from extractors.model.errors import CallError, FormatError

if TYPE_CHECKING:
    from app.store.project import Project
    from app.studies.study import Study


# Of seconds for one answer: who left the page open for a year did not think for so long.
_LONGEST = 366 * 86400


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked next: in which round (from 1), and how many are left, this one among them; of
    `total` items. `given` is what was answered in that round before, `allowed` what the study says of which
    answers count."""

    kept: KeptItem
    again: Again
    round: int
    left: int
    total: int = 0
    given: Any = None
    allowed: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Sitting:
    """How a person's sitting stands: answers given, `closed` for good, and as how it was last begun: of which
    `groups` of the label that the study offers, at most so many items."""

    answered: int = 0
    closed: bool = False
    count: int | None = None
    groups: tuple[str, ...] = ()


def sitting_of(project: Project, study: Study, person: str) -> Sitting:
    """How a person's sitting stands; an empty one where there is none yet."""
    run = _run_of(project, study, person)
    if run is None:
        return Sitting()
    asked = run.settings.get("asked_for") or {}
    groups = tuple(asked.get("labels", {}).get(study.groups, ())) if study.groups else ()
    return Sitting(len(answered(project, study, run)), run.state == "done", asked.get("count"), groups)


class Given(NamedTuple):
    """An answer as it is handed in: in which `round` (0: the one that is due), in how many `seconds`."""

    item: str
    task: str
    value: Any
    round: int = 0
    seconds: float | None = None


def next_question(
    project: Project, study: Study, person: str, options: StudyOptions, parked: Sequence[str] = ()
) -> Question | None:
    """What the person is to answer next, of the first items as many as were asked for; None where all is
    answered. Items that are `parked` (UUIDs) come last, in that order.

    Nobody is asked an item again before all were asked. Raises CallError where the person has closed.
    """
    run = _run_of(project, study, person)
    _require_open(run, person)
    kept = chosen_items(project, study, options)[: options.count]
    given = _given(project, study, run, kept)
    places = {uuid: place for place, uuid in enumerate(parked, start=1)}
    open_: list[tuple[int, int, KeptItem, Again]] = []
    for one in kept:
        rows = given.get(one.uuid, [])
        again = study.person(one.item, rows, options.of_study)
        if again is not None:
            open_.append((len(rows) + 1, places.get(one.uuid, 0), one, again))
    if not open_:
        return None
    round_, _, one, again = min(open_, key=lambda entry: entry[:2])
    allowed = study.allowed(settings_in(project, study, options))
    return Question(one, again, round_, len(open_), len(kept), allowed=allowed)


def record_answer(
    project: Project,
    study: Study,
    person: str,
    answers: Sequence[tuple[str, str, Any] | Given],
    options: StudyOptions,
) -> int:
    """Record answers, each (item, task or "", value) or more of it, all or none; returns how many.

    An answer to what was answered before takes its place. Raises CallError for a value that is no answer, in
    a round that the item has not, or where the person has closed, UnknownNameError for another item.
    """
    run = _run_of(project, study, person)
    _require_open(run, person)
    kept = chosen_items(project, study, options)
    handed = [Given(*one) for one in answers]
    read = [(one, *_read(study, item_named(kept, one.item, one.task), one.value)) for one in handed]
    given = _given(project, study, run, [*{item.uuid: item for _, item, _ in read}.values()])
    with begin_act(project, f"answers of {person}", person) as act:
        holder = run or _begin(act, study, person, options)
        for one, item, value in read:
            rows = given.setdefault(item.uuid, [])
            place = _place(study, item, rows, one.round, options)
            again = study.person(item.item, rows[:place], options.of_study)
            assert again is not None
            _require_guess(study, item, again, value)
            rows[place : place + 1] = [Row(item.item, value, again=again)]
            reply = json.dumps(one.value, ensure_ascii=False)
            held = Answer(item.uuid, "", value, again_key(again), reply, seconds=one.seconds)
            put_answer(act, holder.uuid, held)
    return len(read)


def _place(study: Study, kept: KeptItem, rows: Sequence[Row], round_: int, options: StudyOptions) -> int:
    """The place of an answer among those to an item; raises CallError where it is not asked for."""

    def asked(place: int) -> bool:
        return study.person(kept.item, rows[:place], options.of_study) is not None

    if not round_:
        return len(rows) if asked(len(rows)) else len(rows) - 1
    if round_ > len(rows) + 1 or not asked(round_ - 1):
        raise CallError(f"{kept.item.id}: nothing is asked here in round {round_}; leave it out.")
    return round_ - 1


def answers_in(path: Path) -> list[Given]:
    """The answers of a CSV file with columns item and value, and task where it takes one.

    A value is JSON, or the words themselves, several keys parted by blanks; a guess in the column of that
    name is the answer of the second round; `seconds` are those of the first. Raises FormatError.
    """
    found: list[Given] = []
    there: set[tuple[str, str, int]] = set()
    for number, row in enumerate(read_csv(path, ("item", "value")), start=2):
        seconds = _seconds(row.get("seconds", "").strip(), f"{path}, line {number}")
        for place, cell in enumerate((row["value"].strip(), row.get("guess", "").strip()), start=1):
            if cell:
                task, taken = row.get("task") or "", seconds if place == 1 else None
                entry = Given(row["item"].strip(), task, _parsed(cell), place, taken)
                if (entry.item, task, place) in there:
                    raise FormatError(
                        f"{path}, line {number}: {entry.item} is answered above, too; keep one."
                    )
                there.add((entry.item, task, place))
                found.append(entry)
    return found


def _seconds(words: str, where: str) -> float | None:
    if not words:
        return None
    try:
        seconds = float(words)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < _LONGEST:
        raise FormatError(f"{where}: {words!r} are no seconds; write a number, or nothing.")
    return seconds


def close_answers(project: Project, study: Study, person: str) -> int:
    """End a person's answers for good; returns how many there are. Raises CallError where there are none."""
    run = _run_of(project, study, person)
    _require_open(run, person)
    if run is None:
        raise CallError(f"{person} has answered nothing of {study.id} yet; there is nothing to close.")
    with begin_act(project, f"close the answers of {person}", person, undoable=False) as act:
        finish_run(act, run.uuid, "done")
    return len(answered(project, study, run))


def _parsed(cell: str) -> Any:  # noqa: ANN401 (a value of JSON)
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def _read(study: Study, kept: KeptItem, value: Any) -> tuple[KeptItem, Any]:  # noqa: ANN401
    if study.form is None:
        return kept, value
    reading = study.form(kept.item).read(json.dumps(value, ensure_ascii=False))
    if not reading.complete:
        raise CallError(
            f"{kept.item.id}: {reading.problems[0] if reading.problems else 'this is no answer.'}"
        )
    return kept, reading.value


def _require_guess(study: Study, kept: KeptItem, again: Again, value: Any) -> None:  # noqa: ANN401
    """Raise CallError for "I do not know" where a guess is asked for."""
    idk = getattr(study.form(kept.item), "idk", None) if study.form is not None else None
    if idk is not None and again.get("idk") is False and value in (idk, [idk]):
        raise CallError(f"{kept.item.id}: this is asked for a guess; choose an option.")


def _run_of(project: Project, study: Study, person: str) -> Run | None:
    return next(
        (run for run in study_runs(project, study) if (run.kind, run.name) == ("person", person)), None
    )


def _require_open(run: Run | None, person: str) -> None:
    if run is not None and run.state == "done":
        raise CallError(f"{person} has closed these answers; closed is final.")


def _given(project: Project, study: Study, run: Run | None, kept: Sequence[KeptItem]) -> dict[str, list[Row]]:
    """What the person has answered so far, by item."""
    return grouped((one.subject, one.row) for one in (answered(project, study, run, kept) if run else ()))


def _begin(act: Act, study: Study, person: str, options: StudyOptions) -> Run:
    kind_of(person)
    holder = ensure_annotator(act, person, "person")
    settings = {"study": study.id, "method": "person", **record_of(options)}
    labels = {name: [one] if isinstance(one, str) else list(one) for name, one in options.labels.items()}
    settings |= {"asked_for": {"count": options.count, "labels": labels, "tasks": [*options.tasks]}}
    return start_run(act, holder.uuid, "person", person, settings, __version__)

"""A study as a window shows it: its items, how its runs stand, and every answer of one of them."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.operations.study.answers import Answered, answered, study_runs
from app.operations.study.items import KeptItem, built_details, count_labels, kept_items
from app.store.study.items import builds
from extractors.model.errors import CasespanError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.extract.runs import Run
    from app.store.project import Project
    from app.studies.results import Measure, Row
    from app.studies.study import Study

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
    given: dict[str, list[Answered]] = {}
    for one in answered(project, study, run, kept):
        given.setdefault(one.subject, []).append(one)
    asked = kept if run.kind == "person" else _asked(project, study, run, kept)
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
        if row is None or (measure.tasks and row.item.task not in measure.tasks):
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


def _asked(project: Project, study: Study, run: Run, kept: Sequence[KeptItem]) -> Sequence[KeptItem]:
    """The items that a run asks by its settings; all where they can no longer be told."""
    settings = {**run.settings.get("settings", {}), "built": built_details(project, study)}
    try:
        chosen = set(map(id, study.choose([one.item for one in kept], settings)))
    except CasespanError:
        return kept
    return [one for one in kept if id(one.item) in chosen]


def _line(project: Project, study: Study, run: Run, kept: Sequence[KeptItem]) -> RunLine:
    rows = [one.row for one in answered(project, study, run, kept)]
    good, failed = sum(row.value is not None for row in rows), sum(row.value is None for row in rows)
    settings = run.settings.get("settings", {})
    asked = len(kept)
    if run.kind == "person":
        count = (run.settings.get("asked_for") or {}).get("count")
        asked = min(asked, count) if count and not rows[count:] else asked
        # A guess is no further item.
        good = len({(row.item.task, row.item.id) for row in rows if row.value is not None})
    else:
        asked = sum(len(study.times(one.item, settings)) for one in _asked(project, study, run, kept))
    state = _PERSON.get(run.state, "open") if run.kind == "person" else _STATES[run.state]
    return RunLine(run.name, run.kind, state, good, failed, asked)

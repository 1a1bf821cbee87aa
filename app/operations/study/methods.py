"""A run of a study by a built-in method: no model is asked, and what was answered is not answered again."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.operations.extract.calling.ledger import begin_run, find_run
from app.operations.project.sets import actor
from app.operations.study.answers import again_key, answered
from app.operations.study.running import (
    RunSummary,
    StudyOptions,
    chosen_items,
    identity_of,
    job_of,
    record_of,
    require_own_name,
    settings_in,
    summarise_run,
)
from app.store.act import begin_act
from app.store.extract.runs import Answer, Run, RunState, finish_run, go_on_with_run, put_answer
from app.studies.results import of_tasks
from extractors.model.errors import CallError, CasespanError, UnknownNameError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.study.items import KeptItem
    from app.store.project import Project
    from app.studies.study import Study

# Answers that are written down together, unless this many seconds pass before.
_TOGETHER, _SECONDS = 200, 0.5


def run_with_method(
    project: Project, study: Study, name: str, options: StudyOptions
) -> Generator[Progress, None, RunSummary]:
    """Have a built-in method answer. Raises UnknownNameError where the study has no such method."""
    method = study.method(name)
    if method is None:
        known = ", ".join(one.id for one in study.methods)
        raise UnknownNameError(
            f"{study.id} has no method {name!r}; {f'it has {known}' if known else 'it has none'}."
        )
    kept = chosen_items(project, study, options)
    kept = [one for one in kept if not method.tasks or of_tasks(one.item.task, method.tasks)]
    if not kept:
        raise CallError(f"{name} answers items of {', '.join(method.tasks)} only.")
    begun = time.monotonic()
    if study.prepare is not None:
        yield from study.prepare(job_of(project, study, options))
    identity = {**identity_of(study, options, name), "seed": options.model.seed}
    require_own_name(project, study, options, identity)
    run = None if options.model.new_run else find_run(project, identity, "method")
    settings = {**identity, **record_of(options)}
    pending = _pending(project, study, run, kept, options)
    answer: Callable[..., Any] = _nothing
    if pending:
        # Settings that do not go together are refused before a run is made.
        yield Progress(0, len(pending), f"preparing {name}")
        answer = method.start(job_of(project, study, options))
    if run is None:
        stem = options.name or "/".join(filter(None, (name, study.id, options.arm)))
        run = begin_run(project, stem, settings, actor(project), "method")
    else:
        with begin_act(project, f"go on with run {run.name}", actor(project), undoable=False) as act:
            run = go_on_with_run(act, run, run.settings)
    made = yield from _answer_all(project, answer, run, pending, options)
    summary = summarise_run(project, study, run, options, kept, [])
    return replace(summary, calls=made, seconds=round(time.monotonic() - begun, 3))


def _nothing(*_: object) -> None:
    """Where nothing is pending."""


def _pending(
    project: Project, study: Study, run: Run | None, kept: Sequence[KeptItem], options: StudyOptions
) -> list[tuple[KeptItem, Mapping[str, Any]]]:
    """What the run has not answered yet; on demand also what it failed at."""
    settings = settings_in(project, study, options)
    before = answered(project, study, run, kept) if run is not None else ()
    there = {(one.subject, again_key(one.row.again)): one.row.error for one in before}
    return [
        (one, again)
        for one in kept
        for again in study.times(one.item, settings)
        if (error := there.get((one.uuid, again_key(again)))) is None or (error and options.model.resume)
    ]


def _answer_all(
    project: Project,
    answer: Callable[..., Any],
    run: Run,
    pending: Sequence[tuple[KeptItem, Mapping[str, Any]]],
    options: StudyOptions,
) -> Generator[Progress, None, int]:
    """Answer what is pending; what came before the end of the generator is kept."""
    state: RunState = "cancelled"
    made, begun = 0, (saved := time.monotonic())
    unsaved: list[Answer] = []
    most = len(pending) if options.count is None else min(options.count, len(pending))
    try:
        for one, again in pending[:most]:
            if options.minutes is not None and time.monotonic() - begun >= options.minutes * 60:
                break
            yield Progress(made, most, one.item.id)
            unsaved.append(_answer(answer, one, again))
            made += 1
            if len(unsaved) >= _TOGETHER or time.monotonic() - saved >= _SECONDS:
                _save(project, run, unsaved)
                saved = time.monotonic()
        state = "done" if made == len(pending) else "cancelled"
    finally:
        _save(project, run, unsaved)
        with begin_act(project, f"end run {run.name}", actor(project), undoable=False) as act:
            finish_run(act, run.uuid, state)
    return made


def _answer(answer: Callable[..., Any], one: KeptItem, again: Mapping[str, Any]) -> Answer:
    try:
        value, error = answer(one.item, again), ""
    except CasespanError as fault:
        value, error = None, str(fault)
    if value is None and not error:
        error = "The method gave no answer."
    return Answer(one.uuid, "", value, again_key(again), "", error)


def _save(project: Project, run: Run, unsaved: list[Answer]) -> None:
    if unsaved:
        with begin_act(project, f"answers of {run.name}", actor(project), undoable=False) as act:
            for one in unsaved:
                put_answer(act, run.uuid, one)
        unsaved.clear()

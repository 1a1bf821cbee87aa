"""A run of a study by a model or recorded replies: what it asks, what tells it apart, how it stands."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.operations.extract.calling.ledger import Ledger
from app.operations.extract.options import RunOptions
from app.operations.extract.run_task import run_task
from app.operations.study.answers import Answered, again_of, answered, study_runs
from app.operations.study.asking import (
    ItemTask,
    Written,
    about_cut,
    ahead,
    ask_drafts,
    asking_of,
    draft_task,
    number_cut,
    saying_what_fits,
)
from app.operations.study.items import KeptItem, as_json, built_details, kept_items, picture_of, tasks_by_id
from app.operations.study.replies import model_of, replay_client, replies_in, reply_of
from app.store.extract.runs import CallRecord, Run, runs
from app.studies.study import Ask, Job, Study
from app.text import counted
from extractors.model.errors import CallError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.extract.calling.asking import Asking
    from app.operations.extract.work import Work
    from app.store.project import Project
    from app.studies.results import Row
    from extractors.llm.types import Client

# What a model writes for the prompts of its own run is kept as a run that is not scored.
_ROLE = "examples"
# So many kinds of remarks on replies are told; a long run has many.
_REMARKS = 5
_EARLY = "Nothing was asked yet"


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """What a run is asked to do. `settings` are the study's own, `model` is how a model is asked.

    Only items of these `tasks`, with one of the values of each of `labels`, are asked, at most `count` times
    now and for so many `minutes`. `name` is the run's own; without one it is made of method and settings.
    """

    settings: Mapping[str, Any]
    arm: str = ""
    tasks: tuple[str, ...] = ()
    labels: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    name: str = ""
    model: RunOptions = field(default_factory=lambda: RunOptions(model=""))
    count: int | None = None
    minutes: float | None = None

    @property
    def of_study(self) -> dict[str, Any]:
        """The settings with arm and seed."""
        return {**self.settings, "arm": self.arm, "seed": self.model.seed}


@dataclass(frozen=True, slots=True)
class RunSummary:
    """How a run stands: of `items` asked for, `answered` answers have a value; `failed` counts by reason.

    `calls` were made now, `reused` taken over. `stopped` says why it ended early, "" if it did not.
    """

    run: str
    study: str
    method: str
    items: int
    calls: int
    reused: int
    answered: int
    failed: Mapping[str, int]
    unasked: int
    seconds: float
    notes: Sequence[str]
    details: Mapping[str, Any]
    stopped: str = ""


def run_with_model(
    project: Project,
    study: Study,
    client: Client,
    options: StudyOptions,
    announce: Callable[[str], None] | None = None,
) -> Generator[Progress, None, RunSummary]:
    """Have a model answer; works and raises as `run_task`. CallError where the study asks no model.

    `announce` is told what lies ahead before anything is asked, and what fits into the minutes given.
    """

    def before(work: Work) -> None:
        if announce is not None and work.pending:
            announce(ahead(project, study, work))

    job = yield from _prepared(project, study, options)
    tasks = {one.item.task for one in chosen_items(project, study, options)}
    drafted: Written = {}
    # What other tasks would need first is not asked now.
    asked = replace(job, items=[one for one in job.items if one.task in tasks])
    if (drafts := _drafts(study, asked)) is not None:
        drafted = yield from ask_drafts(project, study, _ROLE, client, options.model, drafts, _EARLY, before)
    task = item_task(project, study, options, drafted)
    return (yield from _with_client(project, study, client, options, task, [], before, announce))


def run_with_replies(
    project: Project, study: Study, path: Path, options: StudyOptions
) -> Generator[Progress, None, RunSummary]:
    """Have a file of replies answer; works as `run_with_model`, and raises ReplayError."""
    options = replace(options, model=replace(options.model, model=model_of(path)))
    job = yield from _prepared(project, study, options)
    known = kept_items(project, study)
    drafted: Written = {}
    aside: set[str] = set()
    if (drafts := _drafts(study, job)) is not None:
        known = [*known, *drafts.all_kept]
        aside = {one.item.task for one in drafts.all_kept}
        writer, _ = replay_client(path, drafts, tasks_by_id(known), named=True)
        if {line.get("task") for line in replies_in(path)} & aside:
            drafted = yield from ask_drafts(project, study, _ROLE, writer, options.model, drafts, _EARLY)
    task = item_task(project, study, options, drafted)
    client, notes = replay_client(path, task, tasks_by_id(known), aside=aside)
    return (yield from _with_client(project, study, client, options, task, notes))


def _prepared(project: Project, study: Study, options: StudyOptions) -> Generator[Progress, None, Job]:
    """The job of a run, once all is made that it needs; raises CallError where there is nothing to ask."""
    chosen = [one.item for one in chosen_items(project, study, options)]
    job = job_of(project, study, options)
    if study.prepare is not None:
        yield from study.prepare(replace(job, items=chosen))
    return job


def _drafts(study: Study, job: Job) -> ItemTask | None:
    if study.drafts is None:
        return None
    drafts, how = study.drafts(job)
    return draft_task(study, _ROLE, drafts, how) if drafts else None


def draft_replies(project: Project, study: Study, run: Run) -> list[dict[str, Any]]:
    """What the model of a run replied where it had to be known first, as lines of replies have it."""
    settings = {**run.settings["settings"], "built": built_details(project, study)}
    task = _drafts(study, Job(settings, settings["seed"], [one.item for one in kept_items(project, study)]))
    if task is None or not task.needed:
        return []
    items = {one.uuid: one.item for one in task.all_kept}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for other in runs(project):
        same = all(other.settings.get(key) == run.settings.get(key) for key in ("study", "model", "digest"))
        for call in Ledger(project, other).answers if same and other.settings.get("role") == _ROLE else ():
            if call.state == "done" and (item := items.get(call.subject)):
                about = {"item": item.id, "task": item.task}
                found.setdefault((call.subject, call.question), {**about, **reply_of(call)})
    return list(found.values())


def item_task(
    project: Project, study: Study, options: StudyOptions, drafted: Written | None = None
) -> ItemTask:
    """What a run with these settings asks; raises CallError where there is nothing to ask, or no way."""
    kept = chosen_items(project, study, options)
    ask = ask_of(project, study, options, drafted)
    settings = settings_in(project, study, options)
    times = {one.uuid: study.times(one.item, settings) for one in kept}
    return ItemTask(f"study/{study.id}", ask, kept, times)


def list_prompts_of(project: Project, study: Study, options: StudyOptions) -> list[dict[str, Any]]:
    """Every item with what a model would be asked, once for each time and question; as `item_task`."""
    task = item_task(project, study, options)
    found = []
    for source in task.sources:
        for asked in task.items(source.document):
            prompt = task.prompt(asked)
            item = as_json(task.kept[source.uuid].item)
            values = {"system": prompt.system, "user": prompt.user, **task.more(asked)}
            found.append({**item, **again_of(asked.again), "prompt": values})
    every = [one.item for one in kept_items(project, study)]
    more = study.listed(every, settings_in(project, study, options))
    return [{**one, **more.get(one["id"], {})} for one in found]


def list_items_of(project: Project, study: Study, options: StudyOptions) -> list[dict[str, Any]]:
    """Every item with what the study has to say of it beside."""
    every = [one.item for one in kept_items(project, study)]
    for label in options.labels:
        if every and not any(one.values(label) for one in every):
            raise CallError(f"No item of {study.id} has the label {label!r}; choose another for --label.")
    settings = {**options.settings, "seed": options.model.seed, "built": built_details(project, study)}
    more = study.listed(every, settings)
    kept = _chosen(project, study, options, settings)
    return [{**as_json(one.item), **more.get(one.item.id, {})} for one in kept]


def settings_in(project: Project, study: Study, options: StudyOptions) -> dict[str, Any]:
    """The settings of a run as the study gets them."""
    return {**options.of_study, "built": built_details(project, study)}


def ask_of(project: Project, study: Study, options: StudyOptions, drafted: Written | None = None) -> Ask:
    """How a model is asked; raises CallError for a study that asks none."""
    if study.ask is None:
        raise CallError(f"{study.id} asks no model; choose one of its methods with --with.")
    return study.ask(job_of(project, study, options, drafted))


def job_of(project: Project, study: Study, options: StudyOptions, drafted: Written | None = None) -> Job:
    """What a study's methods are prepared with: all of its items, whichever are asked."""
    every = kept_items(project, study)

    def earlier() -> dict[str, tuple[Mapping[str, Any], Sequence[Row]]]:
        return {
            run.name: (
                run.settings.get("settings", {}),
                [one.row for one in answered(project, study, run, every)],
            )
            for run in study_runs(project, study)
        }

    items = [one.item for one in every]
    settings = settings_in(project, study, options)
    seed = options.model.seed
    return Job(settings, seed, items, drafted or {}, earlier, lambda sha256: picture_of(project, sha256))


def chosen_items(project: Project, study: Study, options: StudyOptions) -> list[KeptItem]:
    """The items that are asked about; raises CallError where there are none."""
    kept = _chosen(project, study, options, settings_in(project, study, options))
    if not kept:
        raise CallError(
            f"{project.path} has no such items of {study.id}; make them with casespan study build, or narrow "
            "less."
        )
    return kept


def _chosen(
    project: Project, study: Study, options: StudyOptions, settings: Mapping[str, Any]
) -> list[KeptItem]:
    every = [one.item for one in kept_items(project, study)]
    chosen = {(one.task, one.id) for one in study.choose(every, settings)}
    kept = kept_items(project, study, options.tasks, options.labels)
    return [one for one in kept if (one.item.task, one.item.id) in chosen]


def identity_of(study: Study, options: StudyOptions, method: str = "") -> dict[str, Any]:
    """What tells runs of a study apart, beside model and options."""
    apart = {option.key for option in study.options_of("run") if option.apart}
    chosen = {key: plain(value) for key, value in options.settings.items() if key in apart}
    named = {"name": options.name} if options.name else {}
    return {"study": study.id, "method": method, "arm": options.arm, "of_study": chosen, **named}


def plain(value: Any) -> Any:  # noqa: ANN401 (an option's value, as JSON says it)
    """An option's value as a record holds it: of a file what is in it."""
    if isinstance(value, Path):
        content = value.read_bytes() if value.is_file() else str(value).encode()
        return {"file": value.name, "sha256": hashlib.sha256(content).hexdigest()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def _with_client(
    project: Project,
    study: Study,
    client: Client,
    options: StudyOptions,
    task: ItemTask,
    notes: Sequence[str],
    before: Callable[[Work], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Generator[Progress, None, RunSummary]:
    since = time.monotonic()
    model = replace(options.model, calls=options.count, minutes=options.minutes)
    identity = {**identity_of(study, options), "prompts_version": task.version}

    def asking() -> Asking:
        parts = (study.id, options.arm)
        return asking_of(task, identity, record_of(options), "/".join(filter(None, parts)), options.name)

    if options.name:
        require_own_name(project, study, options, {**identity, "model": client.card(model.model).name})

    works: list[Work] = []

    def begun(work: Work) -> None:
        works.append(work)
        if before is not None:
            before(work)

    ended = yield from saying_what_fits(run_task(project, client, model, asking, begun), works, model, tell)
    listed = [*notes, *ended.work.notes, *_about_read(ended.work.ledger.answers)]
    listed += about_cut(number_cut(ended.work))
    made = summarise_run(project, study, ended.work.run, options, task.all_kept, listed)
    reused = sum(bool(answer.reused) for answer in ended.work.ledger.answers)
    return replace(
        made,
        calls=ended.made,
        reused=reused,
        seconds=round(time.monotonic() - since, 3),
        stopped=ended.stopped,
    )


def _about_read(answers: Iterable[CallRecord]) -> Iterator[str]:
    """What was wrong with replies that could be read all the same, the most frequent first."""
    read = (answer for answer in answers if answer.state == "done")
    problems = Counter(problem for answer in read for problem in answer.details.get("problems", ()))
    for problem, number in problems.most_common(_REMARKS):
        yield f"{counted(number, 'reply', 'replies')}: {problem}"
    rest = sum(number for _, number in problems.most_common()[_REMARKS:])
    if rest:
        yield f"{counted(rest, 'reply', 'replies')}: read with other remarks."


def record_of(options: StudyOptions) -> dict[str, Any]:
    """What else the record of a run holds, so that it can be scored and made again."""
    return {"settings": {key: _storable(value) for key, value in options.of_study.items()}}


def _storable(value: Any) -> Any:  # noqa: ANN401 (an option's value)
    if isinstance(value, (list, tuple)):
        return [_storable(one) for one in value]
    return str(value) if isinstance(value, Path) else value


def require_own_name(
    project: Project, study: Study, options: StudyOptions, identity: Mapping[str, Any]
) -> None:
    """Raise CallError where a run of that name has other settings: it would not be gone on with."""
    for run in study_runs(project, study):
        same = all(run.settings.get(key) == value for key, value in identity.items())
        if run.name == options.name and (options.model.new_run or not same):
            raise CallError(f"There is a run {run.name} with other settings; give this one another --name.")


def summarise_run(
    project: Project,
    study: Study,
    run: Run | None,
    options: StudyOptions,
    kept: Sequence[KeptItem],
    notes: Sequence[str],
) -> RunSummary:
    found: Sequence[Answered] = answered(project, study, run, kept) if run else ()
    settings = settings_in(project, study, options)
    asked = sum(len(study.times(one.item, settings)) for one in kept)
    rows = [one.row for one in found]
    details = dict(study.details(job_of(project, study, options), rows))
    notes = [*notes, *details.pop("notes", ())]
    return RunSummary(
        run=run.name if run else "",
        study=study.id,
        method=_method(run),
        items=len(kept),
        calls=0,
        reused=0,
        answered=sum(row.value is not None for row in rows),
        failed=dict(Counter(row.error or "It has no value." for row in rows if row.value is None)),
        unasked=asked - len(rows),
        seconds=0.0,
        notes=list(notes),
        details=details,
    )


def _method(run: Run | None) -> str:
    return "" if run is None else str(run.settings.get("method") or run.settings.get("model") or run.kind)

"""What a model writes for a study before anybody answers: for its items, or for the prompts of a run."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, uuid5

from app.operations.extract.run_task import run_task
from app.operations.study.asking import ItemTask, asking_of
from app.operations.study.items import KeptItem, as_json
from app.store.extract.answers import answers
from app.store.values import canonical
from extractors.model.errors import ServerError

if TYPE_CHECKING:
    from app.operations.extract.options import RunOptions
    from app.operations.extract.work import Work
    from app.store.project import Project
    from app.studies.results import Item
    from app.studies.study import Ask, Study
    from extractors.llm.types import Client
    from extractors.model.progress import Progress

Written = Mapping[tuple[str, str], Any]


def draft_task(study: Study, role: str, drafts: Sequence[Item], how: Ask) -> ItemTask:
    """The questions about drafts; a draft is known by what is in it, so that nothing is asked twice."""
    kept = [KeptItem(str(uuid5(NAMESPACE_OID, canonical(as_json(one)))), one) for one in drafts]
    return ItemTask(f"{role}/{study.id}", how, kept, {one.uuid: [{}] for one in kept})


def ask_drafts(
    project: Project,
    study: Study,
    role: str,
    client: Client,
    options: RunOptions,
    task: ItemTask,
    ended_early: str,
    before: Callable[[Work], None] | None = None,
) -> Generator[Progress, None, Written]:
    """What a model makes of drafts, by task and id. Raises as `run_task`, and ServerError with the sentence
    `ended_early` where it ended before its time, or lacks an answer where all are needed."""
    identity = {"study": study.id, "role": role, "prompts_version": task.version}
    ended = yield from run_task(
        project, client, options, lambda: asking_of(task, identity, {}, task.id), before
    )
    if ended.stopped:
        raise ServerError(f"{ended.stopped} {ended_early}")
    run = ended.work.run
    answered = (
        {one.subject: one.value for one in answers(project, run.uuid) if not one.question} if run else {}
    )
    kept = task.all_kept
    if task.needed and any(one.uuid not in answered for one in kept):
        raise ServerError(f"The model did not answer all that must be known first. {ended_early}")
    return {(one.item.task, one.item.id): answered[one.uuid] for one in kept if one.uuid in answered}

"""Items made by a study: of files, of the project's own reports, or with the help of a model."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.formats.writing import write_atomically
from app.operations.extract.options import RunOptions
from app.operations.extract.permission import require_permission
from app.operations.project.output import require_writable_name
from app.operations.study.cases import blocks_of, case_views
from app.operations.study.drafts import Written, ask_drafts, draft_task
from app.operations.study.items import BuildSummary, built_details, freeze, kept_items, mark_guarded
from app.operations.study.pictures import find_picture
from app.operations.study.replies import model_of, replay_client
from app.store.annotate.annotations import read_annotations
from app.store.annotate.annotators import annotator
from app.store.annotate.reviews import reviews
from app.store.reports.documents import documents
from app.studies.study import Ask, Building, Reports, Study
from extractors.model.errors import CallError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project
    from app.studies.results import Item
    from extractors.llm.types import Client
    from extractors.model.finding import Finding


@dataclass(frozen=True, slots=True)
class Writer:
    """Whom a build may ask: a server, which is spoken to only then, or a file of replies."""

    client: Callable[[], Client]
    options: RunOptions
    replay: Path | None = None


def build_items(
    project: Project,
    study: Study,
    paths: Sequence[Path],
    settings: Mapping[str, Any],
    seed: int,
    tasks: Sequence[str] = (),
    writer: Writer | None = None,
    act: str = "build items",
) -> Generator[Progress, None, BuildSummary]:
    """Have the study make items and freeze them, all or none; what a model wrote for it is kept in any case.

    The history calls it `act`.

    Raises CallError for a file that is not there, ProjectError where an item is known with other content,
    what the study raises and, where it asks a model, what `run_task` raises.
    """
    lacking = next((path for path in paths if not path.exists()), None)
    if lacking is not None:
        raise CallError(f"There is no {lacking} to build from.")
    there = [kept.item for kept in kept_items(project, study)]

    def ask(model: str, drafts: Sequence[Item], how: Ask) -> Generator[Progress, None, Written]:
        return (yield from _ask(project, study, writer, model, drafts, how))

    request = Building(
        paths,
        settings,
        seed,
        tuple(tasks),
        there,
        lambda: _reports(project),
        ask,
        built_details(project, study),
        lambda sha256: find_picture(project, sha256),
        lambda report: blocks_of(project, report),
        lambda tracks, profile, cuts: case_views(project, tracks, profile, cuts),
    )
    built = yield from study.build(request)
    for path in built.files:
        require_writable_name(path)
    summary = freeze(project, study, built, f"{act} of {study.id}")
    for path, text in built.files.items():
        write_atomically(path, text)
    return summary


def _ask(
    project: Project, study: Study, writer: Writer | None, model: str, drafts: Sequence[Item], how: Ask
) -> Generator[Progress, None, Written]:
    if writer is None:
        raise CallError(f"{study.id} has no model to write with here; name one.")
    task = draft_task(study, "build", drafts, how)
    client: Client
    if writer.replay is not None:
        options = replace(writer.options, model=model_of(writer.replay))
        client, _ = replay_client(writer.replay, task, None)
    else:
        options = replace(writer.options, model=model)
        client = writer.client()
    remote = client.remote or client.card(options.model).remote
    require_permission(project, remote, options.permitted, study.guard)
    mark_guarded(project, study)
    early = "Nothing was built; the same command with --resume goes on."
    return (yield from ask_drafts(project, study, "build", client, options, task, early))


def _reports(project: Project) -> Reports:
    stored = {one.uuid: one for one in documents(project)}

    def findings(name: str) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for one in read_annotations(project, annotator=annotator(project, name).uuid):
            found.setdefault(stored[one.document].key, []).append(one.finding)
        return found

    def looked(name: str) -> dict[str, tuple[str, ...]]:
        own = reviews(project, annotator(project, name).uuid)
        return {stored[one.document].key: one.looked_at for one in own}

    return Reports({one.key: one.document for one in stored.values()}, findings, looked)

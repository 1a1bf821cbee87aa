"""Items made by a study: of files, of the project's own reports, with a model; a sample of them looked at."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from app.formats.writing import write_atomically
from app.operations.annotate.anchors import read_diagnosis
from app.operations.annotate.views import case_of, viewing
from app.operations.extract.notes import require_permission
from app.operations.extract.options import RunOptions
from app.operations.project.output import require_writable_name
from app.operations.study.asking import Written, about_cut, ask_drafts, draft_task
from app.operations.study.items import (
    BuildSummary,
    KeptItem,
    built_details,
    find_picture,
    freeze,
    kept_items,
    mark_guarded,
)
from app.operations.study.replies import model_of, replay_client
from app.store.annotate.anchors import anchors
from app.store.annotate.annotations import read_annotations
from app.store.annotate.annotators import annotator
from app.store.annotate.reviews import reviews
from app.store.reports.documents import document, documents
from app.studies.study import Ask, Building, CaseView, Reports, Study
from extractors.blinding.case import modalities_of
from extractors.blinding.masking import Diagnosis
from extractors.grouping import grouped
from extractors.model.errors import CallError, UnknownNameError
from extractors.model.progress import Progress, finished

if TYPE_CHECKING:
    from app.store.project import Project
    from app.studies.results import Item
    from extractors.blinding.view import Profile, Track
    from extractors.llm.types import Client
    from extractors.model.finding import Finding

_PROPOSED = "Its diagnosis is only proposed; casespan anchor confirms it."


def case_views(
    project: Project, tracks: Sequence[str], profile: str, cuts: Mapping[str, int]
) -> list[CaseView]:
    """The views of every report for these tracks; refused where nobody has confirmed what it is about.

    Raises CallError for a cut that is none of a report.
    """
    wanted = cast("Sequence[Track]", tracks)
    views = finished(viewing(project, wanted, cast("Profile", profile), cuts=cuts))
    known, stored = anchors(project), {one.key: one for one in documents(project)}
    found = []
    for key, view in views:
        report = stored[key]
        anchor = known.get(report.uuid)
        diagnosis = read_diagnosis(anchor) or Diagnosis("", "", ())
        if view.state == "ready" and (anchor is None or anchor.state != "confirmed"):
            view = replace(view, reason=_PROPOSED)
        text = report.document.text
        modalities = {
            figure.id: min(told)
            for figure in case_of(project, report).figures
            if figure.start is not None and (told := modalities_of(text[figure.start : figure.end]))
        }
        aliases = tuple(name.text for name in diagnosis.aliases)
        licence = str(report.document.metadata.get("licence", ""))
        found.append(CaseView(key, view, diagnosis.code, diagnosis.label, aliases, modalities, licence))
    return found


def blocks_of(project: Project, report: str) -> dict[str, str]:
    """The words of a report (key) by the identifiers of its blocks, PMC123#p14; none where it is gone."""
    try:
        stored = document(project, report)
    except UnknownNameError:
        return {}
    text = stored.document.text
    case = case_of(project, stored)
    return {f"{stored.key}#{block.name}": text[block.start : block.end] for block in case.blocks}


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

    cut: list[int] = []
    request = Building(
        paths,
        settings,
        seed,
        tuple(tasks),
        there,
        lambda: _reports(project),
        lambda model, drafts, how: _ask(project, study, writer, model, drafts, how, cut),
        built_details(project, study),
        lambda sha256: find_picture(project, sha256),
        lambda report: blocks_of(project, report),
        lambda tracks, profile, cuts: case_views(project, tracks, profile, cuts),
    )
    try:
        built = yield from study.build(request)
    except CallError as error:
        raise CallError(" ".join([str(error), *about_cut(sum(cut))])) from None
    built = replace(built, notes=[*built.notes, *about_cut(sum(cut))])
    for path in built.files:
        require_writable_name(path)
    summary = freeze(project, study, built, f"{act} of {study.id}")
    for path, text in built.files.items():
        write_atomically(path, text)
    return summary


def _ask(
    project: Project,
    study: Study,
    writer: Writer | None,
    model: str,
    drafts: Sequence[Item],
    how: Ask,
    cut: list[int],
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
    early = "Nothing was built"
    return (yield from ask_drafts(project, study, "build", client, options, task, early, cut=cut))


def _reports(project: Project) -> Reports:
    stored = {one.uuid: one for one in documents(project)}

    def findings(name: str) -> dict[str, list[Finding]]:
        own = read_annotations(project, annotator=annotator(project, name).uuid)
        return grouped((stored[one.document].key, one.finding) for one in own)

    def looked(name: str) -> dict[str, tuple[str, ...]]:
        own = reviews(project, annotator(project, name).uuid)
        return {stored[one.document].key: one.looked_at for one in own}

    return Reports({one.key: one.document for one in stored.values()}, findings, looked)


@dataclass(frozen=True, slots=True)
class Sampled:
    """An item of the sample, or what an edit put in its place; the last verdict on it, "" for none yet."""

    item: Item
    verdict: str = ""
    reason: str = ""
    by: str = ""


def list_sample(kept: Sequence[KeptItem], built: Mapping[str, Any]) -> list[Sampled]:
    """The sample that the last build drew, in the order of the items."""
    items = {f"{one.item.task}/{one.item.id}": one.item for one in kept}
    wanted, verified = set(built.get("sample") or ()), built.get("verified") or {}
    found = []
    for first, sampled in items.items():
        if sampled.id not in wanted:
            continue
        item, verification = sampled, verified.get(first, {})
        while instead := items.get(f"{item.task}/{verification.get('instead')}"):
            item, verification = (
                instead,
                verified.get(f"{item.task}/{instead.id}", {**verification, "instead": None}),
            )
        found.append(Sampled(item, *(verification.get(name, "") for name in ("verdict", "reason", "by"))))
    return found


def verify_item(
    project: Project, study: Study, item: Item, answers: Mapping[str, str], by: str
) -> BuildSummary:
    """Take the verdict on an item; `answers` has "verdict", "reason", "question", "answer".

    Raises FormatError where an edited item does not pass the audit, or a rejected one has no reason.
    """
    row = {**answers, "item": item.id, "task": item.task}
    act = f"{answers['verdict']} {item.id}"
    return finished(build_items(project, study, (), {"verified": (row,), "by": by}, 0, act=act))

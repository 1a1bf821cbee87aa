"""Make, list and check a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.operations.project.opening import opened
from app.store.annotate.annotators import Annotator, annotators, coders
from app.store.annotate.reviews import Review, reviews
from app.store.check import Problem, check
from app.store.creation import copy_project, create_project_file
from app.store.extract.runs import GenerationState, Run, count_generations, remote_answers, runs
from app.store.faults import DamagedProjectError, damaged, translated
from app.store.project import Project
from app.store.reports.counting import count_annotations
from app.store.reports.documents import DocumentSummary, document_summaries
from app.store.search_index import make_index_anew
from app.store.study.items import builds
from extractors.model.errors import CasespanError


@dataclass(frozen=True, slots=True)
class ProjectOverview:
    """What a project holds, without any text.

    `annotations` counts by document and annotator, `calls` by run and state, `remotes` are the machines that
    answers of a run came from other than the server (UUIDs). `studies` counts items by study. `names` are
    those of all annotators (by UUID), also of those that `annotators` leaves out: they hold no categories,
    as `namers`, which are runs that named terms.
    """

    path: Path
    scheme: str
    documents: tuple[DocumentSummary, ...]
    annotators: tuple[Annotator, ...]
    runs: tuple[Run, ...]
    reviews: tuple[Review, ...]
    annotations: Counter[tuple[str, str]]
    calls: Counter[tuple[str, GenerationState]]
    remotes: Mapping[str, tuple[str, ...]]
    studies: Counter[str]
    names: Mapping[str, str]
    namers: tuple[Annotator, ...] = ()


def create_project(path: Path, annotator: str | None = None, scheme_folder: Path | None = None) -> Path:
    """Make an empty project file and return its path (".casespan" is added where it is missing)."""
    with create_project_file(path, scheme_folder, annotator) as project:
        return project.path


def save_copy(project: Project, path: Path) -> Path:
    """Save all that is in an open project as a new file and return its path; the project stays as it is.

    Works also where the project's own file was moved, replaced or deleted while it was open. Raises
    ProjectError where the path is taken, has no folder or work is under way, StorageError.
    """
    return copy_project(project, path)


def list_project(where: Project | Path) -> ProjectOverview:
    """Documents, annotators, runs and review states of the project there."""
    with opened(where) as project:
        known = tuple(annotators(project))
        return ProjectOverview(
            path=project.path,
            scheme=project.scheme.name,
            documents=tuple(document_summaries(project)),
            annotators=known,
            runs=tuple(runs(project)),
            reviews=tuple(reviews(project)),
            annotations=count_annotations(project),
            calls=count_generations(project),
            remotes=remote_answers(project),
            studies=sum((Counter({one.study: one.items}) for one in builds(project)), Counter()),
            namers=tuple(one for one in coders(project, "HPO") if one not in known),
            names={one.uuid: one.name for one in annotators(project, every=True)},
        )


def make_search_index(path: Path) -> None:
    """Make the index of a project's words anew; raises what `Project.open` raises."""
    with opened(path, write=True) as project, translated(project.path):
        make_index_anew(project.db)


def damage_behind(path: Path) -> DamagedProjectError | None:
    """What `check` finds, rows first, in a project at which the program met a fault; None for nothing."""
    try:
        first = min(check(path), key=lambda one: one.where == str(path), default=None)
    except (CasespanError, OSError):
        return None
    return damaged(path, f"{first.where}: {first.message}") if first else None


def check_project(where: Project | Path) -> list[Problem]:
    """Everything in the project file that is not as it was written.

    Raises what `check` raises, and StorageError where an open project's file is no longer the one opened.
    """
    if not isinstance(where, Path):
        # Read by its name, the file would be another one, with this project's log beside it.
        where.require_in_place()
    return check(where if isinstance(where, Path) else where.path)

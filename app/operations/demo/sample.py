"""A project of the bundled sample reports, with everything there is to compare in it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from extractors.assets import asset
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.extract.options import ModelSummary
    from app.store.project import Project

FIRST, SECOND = "annotator-1", "annotator-2"


@dataclass(frozen=True, slots=True)
class Sample:
    """A project of the samples: its file, how many reports it has, what the rules and the model run found.

    The replies of the model run were written by hand, and its name says so.
    """

    project: Path
    documents: int
    rules_findings: int
    replayed: ModelSummary


def make_sample(path: Path, annotator: str | None) -> Generator[Progress, None, Path]:
    """Make a project as `build_sample`, which names what is raised, and return its path.

    It is there only once it is whole, whatever ends the program meanwhile. Raises ProjectError where there is
    one already.
    """
    from app.store.creation import with_suffix
    from app.store.database import require_nothing_left

    path = with_suffix(path)
    if path.exists():
        raise ProjectError(f"{path} exists already; open it, or choose another name.")
    require_nothing_left(path)
    building = path.with_name(f"unfinished-{path.name}")
    _clear(building)
    yield from build_sample(building, annotator)
    building.rename(path)
    _clear(building)
    return path


def _clear(path: Path) -> None:
    """Remove what an attempt that was broken off has left."""
    for ending in ("", "-wal", "-shm", "-journal", ".lock"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def build_sample(path: Path, annotator: str | None = None) -> Generator[Progress, None, Sample]:
    """Import the samples, both annotators and gold into a new project; extract with rules and a model run.

    ".casespan" is added where `path` lacks it; `annotator` becomes the project's owner. Closing the generator
    early, or an error, leaves no file behind. Raises what `create_project_file` raises.
    """
    from app.store.creation import create_project_file, remove_project

    with create_project_file(path, None, annotator) as project:
        try:
            return (yield from _fill(project))
        except BaseException:
            remove_project(project)
            raise


def _fill(project: Project) -> Generator[Progress, None, Sample]:
    from app.operations.exchange.importing import GOLD, ImportOptions, import_reports
    from app.operations.extract.models import replay
    from app.operations.extract.options import ModelOptions
    from app.operations.extract.quotes import extract_with_model
    from app.operations.extract.rules import extract_with_rules

    imported = yield from import_reports(project, [asset("resources", "demo", "reports")])
    for name in (FIRST, SECOND, GOLD):
        source = asset("resources", "demo", "annotations", f"{name}.json")
        yield from import_reports(project, [source], ImportOptions("crb", name))
    extracted = yield from extract_with_rules(project)
    client, recording = replay(asset("resources", "demo", "replies.jsonl"))
    wanted = ModelOptions(recording.model, recording.strategy, recording.prompting)
    replayed = yield from extract_with_model(project, client, wanted)
    return Sample(project.path, len(imported.added), sum(extracted.findings.values()), replayed)

"""Projects that many tests begin with, made once a run and copied for each; what many ask of one."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shutil import copyfile
from tempfile import mkdtemp

from app.operations.bias.measures import blind_reports
from app.operations.exchange.importing import import_reports
from app.operations.project.files import create_project
from app.store.project import Project
from app.store.reports.documents import document_summary
from extractors.assets import asset

ME = "Dr Ana Ruiz"


class Kept:
    """What was built is kept closed in a folder, by the name of what built it; processes may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def copy(self, build: Callable[[Path], object], to: Path) -> Path:
        """A copy at `to` of what `build` makes at the path that it is given."""
        first = self._folder / build.__module__ / build.__qualname__ / "study.casespan"
        if not first.exists():
            draft = Path(mkdtemp(dir=self._folder), first.name)
            build(draft)
            assert not draft.with_name(f"{draft.name}-wal").exists(), "it was left open"
            first.parent.parent.mkdir(exist_ok=True)
            # Another process may have built it meanwhile.
            with suppress(OSError):
                draft.parent.rename(first.parent)
        return Path(copyfile(first, to))

    def open(self, build: Callable[[Path], object], to: Path) -> Project:
        """Such a copy, to be closed."""
        return Project.open(self.copy(build, to), write=True)


def lines(path: Path, *values: object) -> Path:
    """A file with one JSON value a line."""
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")
    return path


def sample_reports(path: Path) -> None:
    """The ten sample reports and no annotations."""
    create_project(path, ME)
    for _ in import_reports(path, [asset("resources", "demo", "reports")]):
        pass


def is_blind(project: Project, annotator: str, key: str) -> bool:
    """Whether measures take a report (key or UUID) for annotated with no other set shown."""
    return document_summary(project, key).uuid in blind_reports(project, annotator)

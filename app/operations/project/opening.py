"""A project for one operation: opened where a path is given, lent where it is open already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from extractors.model.errors import CasespanError, ProjectError

if TYPE_CHECKING:
    from app.store.project import Project

# From here on, files are brought in sooner where SQLite writes them but once.
_MUCH_BYTES = 4 * 2**20


def open_project(path: Path, *, write: bool = True, unchanged: bool = False) -> Project:
    """The project at a path, to be held open in one thread by whoever asks, and closed by it.

    Of a file of an older version that is to stay `unchanged` a migrated copy in memory is read. Raises what
    `Project.open` raises.
    """
    # Imported here because the command line names operations long before it opens a project.
    from app.store.project import Project

    return Project.open(path, write=write, unchanged=unchanged)


def why_not_openable(path: Path, here: Path) -> str:
    """Why a project can plainly not be opened, "" where it may: it is none, or in use. Quick, to be asked
    before the one that is open `here` is closed."""
    from app.store.database import require_project
    from app.store.locks import take_lock

    try:
        require_project(path)
        if not (here.exists() and path.samefile(here)):
            take_lock(path).release()
    except CasespanError as error:
        return str(error)
    return ""


@contextmanager
def opened(where: Project | Path, *, write: bool = False) -> Iterator[Project]:
    """The project at a path, closed after the block; an open project is left open.

    Whoever has a project open for writing holds the writer's lock, and could not open it again by its path.
    Raises what `Project.open` raises, and ProjectError where a project open for reading is to be written.
    """
    if isinstance(where, Path):
        with open_project(where, write=write) as project:
            yield project
        return
    if write and not where.writable:
        raise ProjectError(f"{where.path} is open for reading; it cannot be changed.")
    yield where


def bringing(project: Project, paths: Iterable[Path]) -> AbstractContextManager[None]:
    """Around the act that brings files and folders into a project: where it is much, SQLite writes once."""
    files = [one for path in paths for one in (path, *path.rglob("*"))]
    much = sum(one.stat().st_size for one in files if one.is_file()) > _MUCH_BYTES
    return project.without_log() if much else nullcontext()

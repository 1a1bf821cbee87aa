"""Copies of a project, a project put back from one, and what can be read of a damaged one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import open_project, opened
from app.store.creation import copy_project
from app.text import counted

if TYPE_CHECKING:
    from app.store.copies.backups import Backup
    from app.store.copies.rescue import Rescued
    from app.store.project import Project


def save_backup(path: Path, out: Path) -> Path:
    """Copy the project as it is into a new file, whoever is changing it meanwhile, and return its path.

    Raises ProjectError where `out` exists, and what `Project.open` raises.
    """
    with open_project(path, write=False, unchanged=True) as project:
        return copy_project(project, out)


def keep_backup(where: Project | Path, reason: str) -> Path | None:
    """Keep a copy beside the project, unless the latest one has all of it."""
    from app.store.copies.backups import back_up

    with opened(where) as project:
        return back_up(project, reason)


def look_through(project: Project) -> None:
    """Have all of a project in memory, from where it can be saved; raises DamagedProjectError."""
    from app.store.copies import backups

    backups.look_through(project)


def list_backups(path: Path, folder: Path | None = None) -> list[Backup]:
    """The copies that were kept of a project, the latest first."""
    from app.store.copies.backups import backups_of

    return backups_of(path, folder)


def restore_project(path: Path, backup: Path, folder: Path | None = None) -> Path | None:
    """Put a copy in the place of a project; what was there is kept among the copies, and its path returned.

    Raises DamagedProjectError where the copy is not whole, ProjectBusyError where the project is in use.
    """
    from app.store.copies.backups import restore

    return restore(path, backup, folder)


def rescue_project(damaged: Path, out: Path) -> list[Rescued]:
    """Read a damaged project as far as it goes into a new one; raises ProjectError where nothing is left."""
    from app.store.copies.rescue import rescue

    return rescue(damaged, out)


def describe_rescue(found: Sequence[Rescued]) -> list[str]:
    """What was saved and lost, a sentence a table, with the UUIDs of rows in doubt."""
    return [
        f"{one.table.replace('_', ' ')}: {counted(one.saved, 'row')} saved"
        + (f", {one.lost:,} lost" if one.lost else "")
        + (f", {len(one.in_doubt):,} in doubt ({', '.join(one.in_doubt)})" if one.in_doubt else "")
        for one in found
    ]

"""Undo, redo and the list of changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.actor import actor

if TYPE_CHECKING:
    from app.store.history import Entry


def undo_change(path: Path) -> Entry | None:
    """Take the last act back; returns it, or None where there is nothing to undo."""
    from app.store.history import undo
    from app.store.project import Project

    with Project.open(path, write=True) as project:
        return undo(project, actor(project))


def redo_change(path: Path) -> Entry | None:
    """Make the act again that was undone last; returns it, or None where there is none."""
    from app.store.history import redo
    from app.store.project import Project

    with Project.open(path, write=True) as project:
        return redo(project, actor(project))


def list_history(path: Path) -> list[Entry]:
    """Every act of the project, oldest first."""
    from app.store.history import history
    from app.store.project import Project

    with Project.open(path) as project:
        return history(project)

"""Undo, redo and the list of changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.actor import actor
from app.operations.opening import opened
from extractors.errors import ProjectError

if TYPE_CHECKING:
    from app.store.history import Entry
    from app.store.project import Project


def undo_change(where: Project | Path, *, past_runs: bool = False) -> Entry | None:
    """Take the last act back; returns it, or None where there is nothing to undo.

    A model's answers stay on record. Where they are what came last, ProjectError says so, unless what came
    before is meant (`past_runs`).
    """
    from app.store.history import history, undo, undoable

    with opened(where, write=True) as project:
        target = undoable(project)
        if target is not None and not past_runs:
            _require_last(history(project), target)
        return undo(project, actor(project))


def _require_last(entries: list[Entry], target: Entry) -> None:
    """Raise ProjectError where a model run stands behind the act that undo would take back."""
    acts = [entry.act for entry in entries]
    later = entries[acts.index(target.act) + 1 :]
    kept = next((entry for entry in reversed(later) if entry.kind == "do" and not entry.undoable), None)
    if kept is not None:
        raise ProjectError(
            f"The last change was a model run ({kept.name}), whose answers stay on record; what came before "
            f"it, {target.name!r} of {target.at}, is taken back with --past-runs."
        )


def redo_change(where: Project | Path) -> Entry | None:
    """Make the act again that was undone last; returns it, or None where there is none."""
    from app.store.history import redo

    with opened(where, write=True) as project:
        return redo(project, actor(project))


def list_history(where: Project | Path) -> list[Entry]:
    """Every act of the project, oldest first."""
    from app.store.history import history

    with opened(where) as project:
        return history(project)

"""Undo, redo and the list of changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.actor import actor
from app.operations.project.opening import opened
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.store.history import Entry
    from app.store.project import Project


def undo_change(where: Project | Path, *, past_runs: bool = False, only: str | None = None) -> Entry | None:
    """Take the last act back; returns it, or None where there is nothing to undo.

    A model's answers stay on record. Where they are what came last, ProjectError says so, unless what came
    before is meant (`past_runs`). Where `only` (the UUID of an act) is given and another act is the last by
    now, or none, ProjectError says so and nothing is undone.
    """
    from app.store.history import run_after, undo, undoable

    with opened(where, write=True) as project:
        target = undoable(project)
        _require_only(only, target, "undone")
        kept = run_after(project, target.act) if target is not None and not past_runs else ""
        if target is not None and kept:
            raise ProjectError(
                f"The last change was a model run ({kept}), whose answers stay on record; what came before "
                f"it, {target.name!r} of {target.at}, is taken back with --past-runs."
            )
        return undo(project, actor(project))


def next_undo(project: Project) -> Entry | None:
    """The act that `undo_change` would take back (with `past_runs`), quick however long the history is.

    Raises DamagedProjectError where the history has gaps.
    """
    from app.store.history import undoable

    return undoable(project)


def next_redo(project: Project) -> Entry | None:
    """The act that `redo_change` would make again; otherwise as `next_undo`."""
    from app.store.history import redoable

    return redoable(project)


def redo_change(where: Project | Path, *, only: str | None = None) -> Entry | None:
    """Make the act again that was undone last; returns it, or None where there is none.

    Where `only` (the UUID of an act) is given and that is not the act, ProjectError says so.
    """
    from app.store.history import redo, redoable

    with opened(where, write=True) as project:
        _require_only(only, redoable(project), "redone")
        return redo(project, actor(project))


def list_history(where: Project | Path) -> list[Entry]:
    """Every act of the project, oldest first."""
    from app.store.history import history

    with opened(where) as project:
        return history(project)


def _require_only(only: str | None, target: Entry | None, done: str) -> None:
    """Raise ProjectError where one act (UUID) is meant and another one, or none, is the one to be `done`."""
    if only is None or (target is not None and target.act == only):
        return
    now = f"now that would be {target.name!r} of {target.at}" if target is not None else "now there is none"
    raise ProjectError(
        f"The change that was to be {done} is no longer the one in turn ({now}); nothing was {done}."
    )

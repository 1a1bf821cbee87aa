"""Undo, redo and the list of changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.operations.project.sets import actor
from app.text import counted
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
                f"The last change was a model run ({kept}), whose answers are kept; what came before "
                f"it, {target.name!r} of {target.at}, is undone with --past-runs."
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


def undo_to(where: Project | Path, act: str) -> list[Entry]:
    """Take back all that was done after an act (UUID), the last first; returns what was taken back.

    Each is undone for itself, so that redo goes the same way forward; what models answered stays on record.
    Raises ProjectError where that act was undone, or is no act, and where one of those after it cannot be
    undone: those undone by then stay undone.
    """
    from app.store.history import history, undo, undoable

    with opened(where, write=True) as project:
        later = acts_after(history(project), act)
        return _one_by_one(project, later, undoable, undo, "undone")


def redo_to(where: Project | Path, act: str) -> list[Entry]:
    """Make all again that was undone, up to and with an act (UUID), the first first; returns what was redone.

    Raises ProjectError where that act cannot be redone, and where one before it cannot: what was redone by
    then stays so.
    """
    from app.store.history import history, redo, redoable

    with opened(where, write=True) as project:
        earlier = acts_up_to(history(project), act)
        return _one_by_one(project, earlier, redoable, redo, "redone")


def _one_by_one(
    project: Project,
    acts: Collection[str],
    following: Callable[[Project], Entry | None],
    step: Callable[[Project, str], Entry | None],
    done: str,
) -> list[Entry]:
    """Take step after step for as long as the `following` act is one of these (UUIDs)."""
    made: list[Entry] = []
    while (one := following(project)) is not None and one.act in acts:
        try:
            step(project, actor(project))
        except ProjectError as error:
            words = f"{counted(len(made), 'change')} {done}, then it went no further: {error}"
            raise ProjectError(words) from error
        made.append(one)
    return made


def undone_since(entries: Sequence[Entry]) -> list[str]:
    """The acts (UUIDs) that redo would bring back, the first first: none of those before a new act."""
    waiting: list[str] = []
    for entry in entries:
        if not entry.undoable:
            continue
        if entry.kind == "undo" and entry.target:
            waiting.append(entry.target)
        elif entry.kind == "redo" and entry.target in waiting:
            waiting.remove(entry.target)
        else:
            waiting.clear()
    return waiting[::-1]


def acts_up_to(entries: Sequence[Entry], act: str) -> tuple[str, ...]:
    """The acts (UUIDs) that redo would bring back, up to and with that one; raises as `redo_to`."""
    waiting = undone_since(entries)
    if act not in waiting:
        raise ProjectError("That change was not undone, or something new came since; nothing was redone.")
    return tuple(waiting[: waiting.index(act) + 1])


def undoable_acts(entries: Sequence[Entry]) -> dict[str, int]:
    """The acts (UUIDs) that undo would take back, the first first, and the places of their last doing."""
    stands: dict[str, int] = {}
    for place, entry in enumerate(entries):
        changed = entry.target or entry.act
        if entry.undoable:
            stands.pop(changed, None)
        if entry.undoable and entry.kind != "undo":
            stands[changed] = place
    return stands


def acts_after(entries: Sequence[Entry], act: str) -> tuple[str, ...]:
    """The acts (UUIDs) after that one which undo would take back, the first first; raises as `undo_to`.

    It may itself be one that undid or did again; of one that was undone nobody can say what came after it.
    """
    stands = undoable_acts(entries)
    places = {
        entry.act: place for place, entry in enumerate(entries) if entry.kind != "do" or not entry.undoable
    }
    places |= stands
    if act not in places:
        raise ProjectError("That change was undone, or is not in the history; nothing was undone.")
    return tuple(one for one, place in stands.items() if place > places[act])


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


def export_history(where: Project | Path, out: Path, key: bytes = b"") -> int:
    """Write the whole history, row by row, into a new file that `check_trail` checks; the number of rows."""
    from app.store.history import write_trail

    with opened(where) as project:
        return write_trail(project, out, key)


def check_trail(path: Path, key: bytes = b"") -> list[tuple[str, str]]:
    """Where a written history was altered: (where, what); raises ProjectError where the file is none."""
    from app.store.history import trail_faults

    return list(trail_faults(path, key))

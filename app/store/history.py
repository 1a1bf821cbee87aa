"""The audit trail, also as a sealed file for auditors, and undo and redo, which only ever add to it."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from app.store.act import Act, Change, Header, Kind, Verb, performing
from app.store.chain import START, TRACKED, as_left, chained
from app.store.faults import damaged, sound
from app.store.values import Row, canonical, json_object
from extractors.model.errors import ProjectError, StorageError, reason_of

if TYPE_CHECKING:
    from app.store.project import Project

# What an act changes together with what it is for: spans with their concepts, and then the review.
_BESIDE = ("annotation", "concept", "review")
_PAST = {"do": "done", "undo": "undone", "redo": "redone"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One act in the history: who did what when, and how many rows it changed.

    `target` is the act (UUID) that an undo or redo speaks of; `undoable` is false for acts that undo passes
    over.
    """

    act: str
    name: str
    kind: Kind
    target: str
    undoable: bool
    who: str
    at: str
    changes: int


def history(project: Project) -> list[Entry]:
    """Every act, the earliest first; raises what `Project.query` raises."""
    rows = project.query(
        "SELECT h.act, h.name, h.kind, h.target, h.undoable, h.who, h.at, "
        "lead(h.seq, 1, (SELECT max(seq) + 1 FROM history)) OVER (ORDER BY h.seq) - h.seq AS changes "
        "FROM history h WHERE h.step = 0 ORDER BY h.seq"
    )
    return [Entry(**{**row, "undoable": bool(row["undoable"])}) for row in rows]


def changes(project: Project, act: str) -> list[Change]:
    """What one act (UUID) did, row by row, in order.

    Raises DamagedProjectError where the history cannot be read.
    """
    rows = project.query(
        "SELECT verb, table_name, row, before, after FROM history WHERE act = ? ORDER BY step", [act]
    )
    return [_change(project, row) for row in rows]


def changes_for(project: Project, row: str, table: str) -> list[Change]:
    """What was done to rows of a table for the sake of a row (UUID) since that was last added, in order.

    An act changes such rows first and then the row they were changed for. Raises DamagedProjectError where
    the history cannot be read.
    """
    found = project.query(
        "SELECT act, kind, verb, table_name, row, before, after FROM history WHERE act IN "
        "(SELECT act FROM history WHERE row = ? AND seq >= "
        "(SELECT max(seq) FROM history WHERE row = ? AND verb = 'insert')) ORDER BY seq",
        [row, row],
    )
    done: list[Change] = []
    for (_, kind), rows in groupby(found, key=lambda one: (one["act"], one["kind"])):
        waiting: list[Change] = []
        ordered = list(rows)
        # Undo goes backwards: there the row comes first.
        for change in [_change(project, one) for one in (reversed(ordered) if kind == "undo" else ordered)]:
            if change.table == table:
                waiting.append(change)
            elif change.row == row:
                done += reversed(waiting) if kind == "undo" else waiting
                waiting = []
            elif change.table not in _BESIDE:
                waiting = []
    return done


def ever_called(project: Project, name: str) -> frozenset[str]:
    """The UUIDs of all annotators that had a name at any time; raises what `changes` raises."""
    rows = project.query(
        "SELECT verb, table_name, row, before, after FROM history WHERE table_name = 'annotator'"
    )
    found = [_change(project, row) for row in rows]
    return frozenset(one.row for one in found if (one.after or {}).get("name") == name)


def undoable(project: Project) -> Entry | None:
    """The act that `undo` would take back, if any; raises DamagedProjectError where the history has gaps."""
    return _newest(project, "standing")


def redoable(project: Project) -> Entry | None:
    """The act that `redo` would bring back, if any; raises DamagedProjectError where the history has gaps."""
    return _newest(project, "undone")


def run_after(project: Project, act: str) -> str:
    """The name of the last act by which a run recorded itself after that one (UUID), "" where none did.

    Undo passes over it. Raises what `Project.query` raises.
    """
    rows = project.query(
        "SELECT name FROM history WHERE seq > (SELECT max(seq) FROM history WHERE act = ?) "
        "AND NOT undoable AND table_name IN ('run', 'generation', 'answer') ORDER BY seq DESC LIMIT 1",
        [act],
    )
    return str(rows[0]["name"]) if rows else ""


def undo(project: Project, who: str) -> Entry | None:
    """Take back the last act that still stands and return it; None where there is none.

    Works across restarts. Acts that are not undoable are passed over; where what they recorded stands on the
    act to be undone, that act cannot be undone: ProjectError. Raises DamagedProjectError where rows or
    history are not what was written, and what `Project.act` raises.
    """
    entry = undoable(project)
    if entry is not None:
        steps = [_inverse(change) for change in reversed(changes(project, entry.act))]
        steps = [
            one for back, group in groupby(steps, key=_back) for one in (list(group)[::-1] if back else group)
        ]
        _perform(project, Header(entry.name, who, "undo", entry.act), steps)
    return entry


def redo(project: Project, who: str) -> Entry | None:
    """Bring back the act undone last and return it; None where there is none or a new act came since.

    Raises what `undo` raises.
    """
    entry = redoable(project)
    if entry is not None:
        _perform(project, Header(entry.name, who, "redo", entry.act), changes(project, entry.act))
    return entry


def _newest(project: Project, stack: Literal["standing", "undone"]) -> Entry | None:
    """The act on top of the stack of acts that stand, or of those undone since the last new act.

    Reads the history backwards: what was taken off a stack later must be what was put onto it before.
    """
    puts = ("do", "redo") if stack == "standing" else ("undo",)
    taken: list[str] = []
    for act, kind, target in _backwards(project):
        changed = target or act
        if kind not in puts and not (kind == "do" and stack == "undone"):
            taken.append(changed)
        elif not taken:
            return _entry(project, changed) if kind in puts else None
        elif kind not in puts or taken.pop() != changed:
            raise damaged(project.path, "the history has gaps")
    if taken:
        raise damaged(project.path, "the history has gaps")
    return None


def _backwards(project: Project) -> Iterator[tuple[str, Kind, str]]:
    """The act, kind and target of everything that undo minds, the latest first; read as far as is wanted."""
    before, at_once = sys.maxsize, 16
    while rows := project.query(
        "SELECT seq, act, kind, target FROM history WHERE step = 0 AND undoable AND seq < ? "
        "ORDER BY seq DESC LIMIT ?",
        [before, at_once],
    ):
        yield from ((row["act"], row["kind"], row["target"]) for row in rows)
        before, at_once = rows[-1]["seq"], 2 * at_once


def _entry(project: Project, act: str) -> Entry:
    """The entry of one act (UUID); raises DamagedProjectError where it is not in the history."""
    rows = project.query(
        "SELECT act, name, kind, target, undoable, who, at, count(*) OVER () AS changes FROM history "
        "WHERE act = ? ORDER BY step LIMIT 1",
        [act],
    )
    if not rows:
        raise damaged(project.path, "the history has gaps")
    return Entry(**{**rows[0], "undoable": bool(rows[0]["undoable"])})


def _back(change: Change) -> bool:
    """Whether a concept comes back: those of an annotation have an order, the one in which they went."""
    return (change.verb, change.table) == ("insert", "concept")


def _inverse(change: Change) -> Change:
    verbs: dict[Verb, Verb] = {"insert": "delete", "delete": "insert", "update": "update"}
    return Change(verbs[change.verb], change.table, change.row, change.after, change.before)


def _perform(project: Project, header: Header, steps: Sequence[Change]) -> None:
    """Make the changes as one new act, after making sure that each row is as the history left it."""
    try:
        with performing(project, header) as act:
            for (verb, table), group in groupby(steps, key=lambda change: (change.verb, change.table)):
                if table not in TRACKED:
                    raise damaged(project.path, f"the history speaks of an unknown table {table}")
                _perform_batch(act, verb, table, list(group))
    except sqlite3.IntegrityError as error:
        raise ProjectError(
            f"{header.name!r} cannot be {_PAST[header.kind]}: records made since then stand on it."
        ) from error


def _perform_batch(act: Act, verb: Verb, table: str, batch: Sequence[Change]) -> None:
    """Changes of one kind to one table, in order."""
    if verb == "insert":
        act.restore_all(table, [change.after or {} for change in batch])
    elif verb == "delete":
        _require_unchanged(act, table, batch)
        act.delete_all(table, [change.row for change in batch])
    else:
        columns = act.project.columns(table)
        for change in batch:
            _require_unchanged(act, table, [change])
            after = change.after or {}
            act.update(table, change.row, {name: after[name] for name in after if name in columns})


def _require_unchanged(act: Act, table: str, batch: Sequence[Change]) -> None:
    """Raise ProjectError where a row is not as the history left it: somebody changed it behind its back."""
    present = act.rows(table, [change.row for change in batch])
    for change, row in zip(batch, present, strict=True):
        if not as_left(row, change.before or {}):
            raise damaged(act.project.path, f"a row of {table} was changed outside the program")


def _change(project: Project, row: Mapping[str, Any]) -> Change:
    with sound(project.path, "a row of the history"):
        before, after = _record(row["before"], row["row"]), _record(row["after"], row["row"])
        if (before is None, after is None) != (row["verb"] == "insert", row["verb"] == "delete"):
            raise ValueError(f"it does not say what it did ({row['verb']})")
    return Change(row["verb"], row["table_name"], row["row"], before, after)


def _record(text: str | None, uuid: str) -> Row | None:
    """A row as the history keeps it; raises ValueError where it is not the row of that UUID."""
    if text is None:
        return None
    record = json_object(text)
    if record.get("uuid") != uuid or any(isinstance(value, list | dict) for value in record.values()):
        raise ValueError(f"not the row {uuid}")
    return record


_KIND = "casespan audit trail"


def write_trail(project: Project, out: Path, key: bytes = b"") -> int:
    """Write every row of the history, one a line, and return their number.

    A last line has that number, the end of the chain and, with a `key`, an HMAC-SHA256 over the lines before.

    Raises ProjectError where `out` exists, StorageError where it cannot be written.
    """
    head, count = START, 0
    code = hmac.new(key, digestmod=hashlib.sha256)
    try:
        with out.open("x", encoding="utf-8", newline="\n") as file:
            for row in project.db.query("SELECT * FROM history ORDER BY seq"):
                line = canonical(row) + "\n"
                file.write(line)
                code.update(line.encode())
                head, count = row["hash"], count + 1
            last = {"kind": _KIND, "head": head, "rows": count, "hmac": code.hexdigest() if key else ""}
            file.write(canonical(last) + "\n")
    except FileExistsError:
        raise ProjectError(f"{out} exists already; choose another name.") from None
    except OSError as error:
        raise StorageError(f"{out} could not be written: {reason_of(error)}.", error) from error
    return count


def trail_faults(path: Path, key: bytes = b"") -> Iterator[tuple[str, str]]:
    """Where a written history is not as it was written: (where, what).

    Raises ProjectError where the file is none.
    """
    head, count, ended = START, 0, False
    code = hmac.new(key, digestmod=hashlib.sha256)
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                row = json.loads(line)
                if ended:
                    yield f"line {number}", "it stands behind the end"
                elif row.get("kind") == _KIND:
                    ended = True
                    if (row["head"], row["rows"]) != (head, count):
                        yield f"line {number}", "rows before it are missing or were added"
                    if key and not hmac.compare_digest(row["hmac"], code.hexdigest()):
                        yield f"line {number}", "the seal is not by this key, or over other lines"
                else:
                    stored = row.pop("hash")
                    if stored != chained(head, row):
                        yield f"line {number}", "it, or the one before it, was altered, moved or removed"
                    head, count = stored, count + 1
                    code.update(line.encode())
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        words = f"{path} is no audit trail of Casespan, or cannot be read ({reason_of(error)})."
        raise ProjectError(words) from error
    if not ended:
        yield "end of the file", "the last lines are missing"

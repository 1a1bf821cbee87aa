"""What a copy changed since what it and a project have in common: each row once, before and after."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from app.store.chain import TRACKED, present_names
from app.store.unite.branches import known_rows, knows
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.values import Cell

Cells: TypeAlias = dict[str, "Cell"]
# A row of a packet's first act stands as it stood in the project that the packet was cut from.
_CUT = (
    "SELECT act FROM history WHERE seq = 1 AND act IN (SELECT act FROM history WHERE table_name = 'packet')"
)
# What the annotator of a packet made before it was cut, and guidelines, which follow from amendments.
OWN_WORK = frozenset({"annotation", "concept", "carried", "region", "review", "scheme_file"})
_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Change:
    """One row of a copy: as it was in the common base (None where it was not there), and as it is now.

    `said` is the last that was said of it.
    """

    before: Cells | None
    after: Cells | None
    said: Cells

    @classmethod
    def of(cls, said: Cells) -> Change:
        """Of a row of which several may have said something."""
        return cls(said, said, said)


@dataclass(frozen=True, slots=True)
class Copy:
    """What a copy brings: how many rows of its history are `known`, and its changes by table and UUID.

    `tables` are all that it touched, for something that is gone again, too.
    """

    known: int
    changes: Mapping[str, Mapping[str, Change]]
    tables: frozenset[str]


def reading_copy(project: Project, other: Project) -> Generator[Progress, None, Copy]:
    """What another project changed that this one does not know of; some rows at a time."""
    known = known_rows(project, other)
    cut = next(iter(other.tuples(_CUT)), ("",))[0] if known == 0 else ""
    base = other.tuples(
        "SELECT count, head FROM packet WHERE uuid IN (SELECT row FROM history WHERE act = ?)", [cut]
    )
    # Without the project that it was cut from, all that is in the packet and not here is new.
    leaving_out = cut if base and knows(project, *base[0]) else ""
    found: dict[str, dict[str, Change]] = {table: {} for table in TRACKED if table != "branch"}
    columns = {table: project.columns(table) for table in found}
    rows = other.db.execute(
        "SELECT act, table_name, row, before, after FROM history WHERE seq > ? AND act <> ? ORDER BY seq",
        [known, leaving_out],
    )
    first: dict[tuple[str, str], str | None] = {}
    last: dict[tuple[str, str], str | None] = {}
    values: dict[tuple[str, str], str] = {}
    while some := rows.fetchmany(_AT_ONCE):
        for act, table, row, before, after in some:
            if cut and act == cut and table not in OWN_WORK:
                before = after
            first.setdefault((table, row), before)
            last[table, row] = after
            values[table, row] = after or before
        yield Progress(0, 0, f"{other.path.name}: changes read")
    for (table, row), after in last.items():
        if table in found:
            told = _cells(table, values[table, row]) or {}
            change = Change(_cells(table, first[table, row]), told if after is not None else None, told)
            if change.after is not None and change.after.keys() != columns[table]:
                # Written before a migration took or added columns.
                now = other.query(f"SELECT * FROM {table} WHERE uuid = ?", [row])
                change = replace(change, after=dict(now[0]), said=dict(now[0])) if now else change
            found[table][row] = change
    return Copy(known, found, frozenset(table for table, _ in last))


def _cells(table: str, text: str | None) -> Cells | None:
    if text is None:
        return None
    value: dict[str, Any] = present_names(table, json.loads(text))
    return value

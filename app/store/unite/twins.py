"""Rows of a copy that are here under other UUIDs: the same work, done or brought twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.store.unite.changes import Cells
from app.store.unite.names import same_annotators
from app.store.unite.rules import KEYS
from app.store.unite.standing import had

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.values import Cell

# Several of these may say the same, and each is one of its own.
MANY = frozenset({"annotation", "concept", "carried"})


def twins(
    act: Act, other: Project, table: str, rows: Mapping[str, Cells], names: dict[str, str]
) -> dict[str, Cells]:
    """The rows here that are the same as rows of another project, by the UUIDs of these.

    Annotators that only share a name get another one (see `same_annotators`).
    """
    key = KEYS.get(table)
    if key is None or not rows:
        return {}
    if table == "annotator":
        return _found(act, table, same_annotators(act, other, rows, names))
    # Annotations are many: only those of the annotators in question are looked at.
    some = "annotator" if table in ("annotation", "carried") else ""
    holders = json.dumps(sorted({str(row[some]) for row in rows.values()})) if some else "[]"
    where = f"WHERE {some} IN (SELECT value FROM json_each(?))" if some else "WHERE ? IS NOT NULL"
    found = act.project.tuples(f"SELECT uuid, {', '.join(key)} FROM {table} {where}", [holders])
    wanted: dict[tuple[Cell, ...], list[str]] = {}
    for uuid, row in rows.items():
        wanted.setdefault(tuple(row[name] for name in key), []).append(uuid)
    likes = [(cells, uuid) for uuid, *rest in found if (cells := tuple(rest)) in wanted]
    if table not in MANY:
        # A copy that took one out and made it again has it under two UUIDs.
        return _found(act, table, {theirs: uuid for cells, uuid in likes for theirs in wanted[cells]})
    # What the copy said again beside them is no twin of theirs.
    native = had(other, [uuid for _, uuid in likes])
    # One to one: what stands twice in one copy stands twice in the end.
    pairs = {
        wanted[cells].pop(0): uuid
        for cells, uuid in sorted(likes, key=lambda one: one[1])
        if uuid not in native and wanted[cells]
    }
    return _found(act, table, pairs)


def _found(act: Act, table: str, pairs: Mapping[str, str]) -> dict[str, Cells]:
    here = {str(row["uuid"]): row for row in act.rows(table, list(pairs.values()))}
    return {uuid: here[twin] for uuid, twin in pairs.items()}

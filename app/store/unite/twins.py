"""Rows of a copy that are here under other UUIDs: the same work, done or brought twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.store.unite.changes import Cells
from app.store.unite.names import same_annotators
from app.store.unite.rules import KEYS, MADE

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.values import Cell

# What is told by a run or by who looked, which more histories may tell better.
HELD_APART = frozenset({"answer", "item_rating", "rating", "disclosure"})


def not_held(project: Project, table: str, rows: Sequence[Cells]) -> list[Cells]:
    """Of rows to be added one each that says something of what no row there is about."""
    held = set(project.tuples(f"SELECT {', '.join(KEYS[table])} FROM {table}"))
    about = {tuple(row[name] for name in KEYS[table]): row for row in rows}
    return [row for key, row in about.items() if key not in held]


def twins(act: Act, other: Project, table: str, rows: Mapping[str, Cells]) -> dict[str, Cells]:
    """The rows here that are the same as rows of another project, by the UUIDs of these."""
    key = KEYS.get(table)
    if key is None or not rows or table in MADE:
        return {}
    if table == "annotator":
        return _found(act, table, same_annotators(act, other, rows))
    found = act.project.tuples(f"SELECT uuid, {', '.join(key)} FROM {table}")
    wanted: dict[tuple[Cell, ...], list[str]] = {}
    for uuid, row in rows.items():
        wanted.setdefault(tuple(row[name] for name in key), []).append(uuid)
    # A copy that took one out and made it again has it under two UUIDs.
    same = {theirs: uuid for uuid, *cells in found for theirs in wanted.get(tuple(cells), ())}
    return _found(act, table, same)


def _found(act: Act, table: str, pairs: Mapping[str, str]) -> dict[str, Cells]:
    here = {str(row["uuid"]): row for row in act.rows(table, list(pairs.values()))}
    return {uuid: here[twin] for uuid, twin in pairs.items()}

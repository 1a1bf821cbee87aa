"""What speaks against taking rows out, or against leaving them out: what stands on them, who deleted them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from app.store.chain import TRACKED, present_names
from app.store.reports.housekeeping import rows_about
from app.store.unite.changes import Cells, Change
from app.store.unite.rules import KEYS

if TYPE_CHECKING:
    from app.store.project import Project

_OF_ITEMS = "subject IN (SELECT uuid FROM item WHERE build = ?)"


def spoken_of(project: Project, document: str, going: Collection[str]) -> bool:
    """Whether anything is about a report (UUID) but its parts that are `going` (UUIDs) with it."""
    return any(set(rows) - set(going) for rows in rows_about(project, document).values())


def not_held(project: Project, table: str, rows: Sequence[Cells]) -> list[Cells]:
    """Of rows to be added one each that says something of what no row there is about."""
    held = set(project.tuples(f"SELECT {', '.join(KEYS[table])} FROM {table}"))
    about = {tuple(row[name] for name in KEYS[table]): row for row in rows}
    return [row for key, row in about.items() if key not in held]


def foreign_keys(project: Project) -> dict[str, list[tuple[str, str]]]:
    """By table: the columns that name rows of other tables, and which tables."""
    keys = project.tuples(
        'SELECT m.value, k."from", k."table" FROM json_each(?) m, pragma_foreign_key_list(m.value) k '
        "ORDER BY k.id",
        [json.dumps(list(TRACKED))],
    )
    found: dict[str, list[tuple[str, str]]] = {table: [] for table in TRACKED}
    for table, column, other in keys:
        if other in found:
            found[table].append((column, other))
    return found


def stood_on(
    project: Project, foreign: Mapping[str, Sequence[tuple[str, str]]], table: str, uuid: str
) -> bool:
    """Whether a row is named by a `foreign` key (by table: its column and what it names), or asked of."""
    named = [
        (child, f"{column} = ?") for child, keys in foreign.items() for column, to in keys if to == table
    ]
    if table == "build":
        named += dict.fromkeys(("generation", "answer", "item_rating"), _OF_ITEMS).items()
    return any(
        project.tuples(f"SELECT 1 FROM {child} WHERE {where} LIMIT 1", [uuid]) for child, where in named
    )


def touched(
    project: Project, changes: Mapping[str, Mapping[str, Change]], branches: Collection[str]
) -> dict[str, dict[str, Change]]:
    """What a copy changed, and what else is spoken of by histories that came with it."""
    found = {table: dict(some) for table, some in changes.items() if some}
    rows = project.tuples(
        "SELECT table_name, row, coalesce(after, before) FROM branch_row "
        "WHERE branch IN (SELECT value FROM json_each(?))",
        [json.dumps(sorted(branches))],
    )
    for table, row, words in rows:
        if row not in found.get(table, {}):
            found.setdefault(table, {})[row] = Change.of(present_names(table, json.loads(words)))
    return found

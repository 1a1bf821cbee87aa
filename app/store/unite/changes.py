"""What a copy changed since it and a project parted, each row once, and what texts and items come with it."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from app.store.chain import TRACKED, present_names
from app.store.sqlite import insert_rows
from app.store.study.items import item_uuid
from app.store.unite.branches import ALL, known_rows, knows
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.values import Cell

Cells: TypeAlias = dict[str, "Cell"]
_CUT = (
    "SELECT act FROM history WHERE seq = 1 AND act IN (SELECT act FROM history WHERE table_name = 'packet')"
)
_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Change:
    """One row of a copy as it is now, None where it is gone; `said` is the last that was said of it."""

    after: Cells | None
    said: Cells

    @classmethod
    def of(cls, said: Cells) -> Change:
        """Of a row of which several may have said something."""
        return cls(said, said)


@dataclass(frozen=True, slots=True)
class Copy:
    """What a copy brings: how many rows of its history are `known`, and its changes by table and UUID.

    `tables` are all that it touched, for something that is gone again, too.
    """

    known: int
    changes: Mapping[str, Mapping[str, Change]]
    tables: frozenset[str]


def rows_of(project: Project, table: str, uuids: Iterable[str]) -> dict[str, Cells]:
    """Those of these rows (UUIDs) that are there, by UUID."""
    query = f"SELECT * FROM {table} WHERE uuid IN (SELECT value FROM json_each(?))"
    return {row["uuid"]: row for row in project.query(query, [json.dumps(list(uuids))])}


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
        "SELECT table_name, row, after IS NOT NULL, coalesce(after, before) FROM history "
        "WHERE seq > ? AND act <> ? ORDER BY seq",
        [known, leaving_out],
    )
    last: dict[tuple[str, str], tuple[bool, str]] = {}
    while some := rows.fetchmany(_AT_ONCE):
        last.update(((table, row), (bool(there), words)) for table, row, there, words in some)
        yield Progress(0, 0, f"{other.path.name}: changes read")
    for (table, row), (there, words) in last.items():
        if table in found:
            said: Cells = present_names(table, json.loads(words))
            change = Change(said if there else None, said)
            if change.after is not None and change.after.keys() != columns[table]:
                # Written before a migration took or added columns.
                now = other.query(f"SELECT * FROM {table} WHERE uuid = ?", [row])
                change = replace(change, after=dict(now[0]), said=dict(now[0])) if now else change
            found[table][row] = change
    return Copy(known, found, frozenset(table for table, _ in last))


_ITEMS = "SELECT uuid, build, position FROM item"
_MADE = f"""
SELECT DISTINCT row, json_extract(after, '$.items') FROM {ALL} WHERE table_name = 'build' AND verb = 'insert'
"""
# What a report has as long as it stands.
PARTS = ("section", "figures")


def keep_texts(project: Project, other: Project) -> None:
    """Take over what is named by its hash."""
    for table in ("text", "prompt", "picture"):
        rows = other.db.execute(f"SELECT * FROM {table}")
        marks = ", ".join("?" * len(other.columns(table)))
        project.db.conn.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)


def keep_items(project: Project, other: Project, builds: Mapping[str, str]) -> None:
    """Take over the items of builds, by what these are called here."""
    for theirs, ours in builds.items():
        items = other.query("SELECT * FROM item WHERE build = ?", [theirs])
        for item in items if theirs != ours else ():
            item |= {"build": ours, "uuid": item_uuid(ours, item["position"])}
        insert_rows(project.db, "item", items, "IGNORE")


def item_places(project: Project, other: Project) -> dict[str, tuple[str, int]]:
    """By UUID the build of each item and its place in it, of all builds of which anything is known."""
    made = project.tuples(_MADE)
    found = {item_uuid(build, at): (build, at) for build, items in made for at in range(items)}
    for each in (other, project):
        found |= {uuid: (build, at) for uuid, build, at in each.tuples(_ITEMS)}
    return found

"""What comes with what it belongs to: texts and items, which are in no history, and the parts of reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.store.sqlite import insert_rows
from app.store.study.items import item_uuid
from app.store.unite.histories import ALL

if TYPE_CHECKING:
    from app.store.project import Project

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

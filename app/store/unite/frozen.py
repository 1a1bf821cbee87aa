"""What comes with what it belongs to: texts and items, which are in no history, and the parts of reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.store.sqlite import insert_rows
from app.store.study.items import item_uuid

if TYPE_CHECKING:
    from app.store.project import Project

_ITEMS = "SELECT uuid FROM item WHERE build = ? ORDER BY position"
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


def same_items(projects: Sequence[Project], theirs: str, ours: str) -> dict[str, str]:
    """By the UUIDs of the items of a build those of the same items of another; either is in a project."""
    there, here = (
        max((project.tuples(_ITEMS, [build]) for project in projects), key=len) for build in (theirs, ours)
    )
    return {
        there[at][0] if there else item_uuid(theirs, at): here[at][0] if here else item_uuid(ours, at)
        for at in range(max(len(there), len(here)))
    }

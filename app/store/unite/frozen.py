"""What comes with what it belongs to: texts and items, which are in no history, and the parts of reports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.store.values import Cell

if TYPE_CHECKING:
    from app.store.project import Project

# What a report has as long as it stands.
PARTS = ("section", "figures")


def keep_texts(project: Project, other: Project) -> None:
    """Take over what is named by its hash."""
    for table in ("text", "prompt", "picture"):
        _copy(project, other, table)


def keep_items(project: Project, other: Project, builds: Sequence[str]) -> None:
    """Take over the items of builds (UUIDs)."""
    _copy(project, other, "item", "WHERE build IN (SELECT value FROM json_each(?))", [json.dumps([*builds])])


def _copy(project: Project, other: Project, table: str, where: str = "", given: Sequence[Cell] = ()) -> None:
    rows = other.db.execute(f"SELECT * FROM {table} {where}", given)
    marks = ", ".join("?" * len(other.columns(table)))
    project.db.conn.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)

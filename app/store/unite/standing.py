"""What speaks against taking rows out, or against leaving them out: what stands on them, who deleted them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.store.reports.housekeeping import rows_about
from app.store.unite.branches import head_of, named_by

if TYPE_CHECKING:
    from app.store.project import Project


def spoken_of(project: Project, document: str) -> bool:
    """Whether anything is about a report (UUID) but its sections."""
    about = rows_about(project, document)
    return any(rows for table, rows in about.items() if table != "section")


def stood_on(
    project: Project, foreign: Mapping[str, Sequence[tuple[str, str]]], table: str, uuid: str
) -> bool:
    """Whether a row is named by a `foreign` key (by table: its column and whose rows it names)."""
    return any(
        project.tuples(f"SELECT 1 FROM {child} WHERE {column} = ? LIMIT 1", [uuid])
        for child, keys in foreign.items()
        for column, parent in keys
        if parent == table
    )


def deleted_somewhere(project: Project, other: Project, uuids: Sequence[str]) -> set[str]:
    """Those of the rows that were deleted in a project, or in a copy that came into it before `other`."""
    if not uuids:
        return set()
    rows = project.tuples(
        "SELECT row FROM history WHERE verb = 'delete' AND row IN (SELECT value FROM json_each(?1)) "
        "UNION SELECT row FROM branch_row WHERE verb = 'delete' AND branch <> ?2 "
        "AND branch IN (SELECT uuid FROM branch) AND row IN (SELECT value FROM json_each(?1))",
        [json.dumps(list(uuids)), named_by("branch", head_of(other))],
    )
    return {uuid for (uuid,) in rows}

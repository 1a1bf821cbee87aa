"""What speaks against taking rows out, or against leaving them out: what stands on them, who deleted them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.store.chain import TRACKED
from app.store.reports.housekeeping import rows_about
from app.store.unite.branches import head_of, named_by
from app.store.unite.frozen import PARTS

if TYPE_CHECKING:
    from app.store.project import Project


def spoken_of(project: Project, document: str) -> bool:
    """Whether anything is about a report (UUID) but its parts."""
    about = rows_about(project, document)
    return any(rows for table, rows in about.items() if table not in PARTS)


def foreign_keys(project: Project) -> dict[str, list[tuple[str, str]]]:
    """By table: the columns that name rows of other tables, and which tables."""
    return {
        table: [
            (key.column, key.other_table)
            for key in project.db.table(table).foreign_keys
            if key.column and key.other_table in TRACKED
        ]
        for table in TRACKED
    }


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


def coded_since(project: Project, other: Project, annotations: Sequence[str]) -> set[str]:
    """Those of the annotations to which something belongs that a copy never had."""
    wanted = json.dumps(list(annotations))
    rows = project.tuples(
        "SELECT uuid, annotation FROM (SELECT uuid, annotation FROM concept UNION ALL "
        "SELECT uuid, annotation FROM carried) WHERE annotation IN (SELECT value FROM json_each(?))",
        [wanted],
    )
    known = had(other, [uuid for uuid, _ in rows])
    return {annotation for uuid, annotation in rows if uuid not in known}


def had(other: Project, uuids: Sequence[str]) -> set[str]:
    """Those of the rows that a copy ever had."""
    query = "SELECT DISTINCT row FROM history WHERE row IN (SELECT value FROM json_each(?))"
    return {uuid for (uuid,) in other.tuples(query, [json.dumps(list(uuids))])} if uuids else set()


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

"""What speaks against taking rows out, or against leaving them out: what stands on them, who deleted them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.store.chain import TRACKED
from app.store.reports.housekeeping import rows_about
from app.store.unite.branches import head_of, named_by
from app.store.unite.rules import alike

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.unite.changes import Cells, Change


def spoken_of(project: Project, document: str, going: Collection[str]) -> bool:
    """Whether anything is about a report (UUID) but its parts that are `going` (UUIDs) with it."""
    return any(set(rows) - set(going) for rows in rows_about(project, document).values())


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


# What rows were that a history, in none of `its_own` branches, went on from; an undone merge went nowhere.
_LEFT = """
SELECT row, before FROM (
    SELECT '' AS branch, act, kind, row, before FROM history
    UNION ALL SELECT branch, act, kind, row, before FROM branch_row WHERE branch IN (SELECT uuid FROM branch)
) WHERE row IN (SELECT value FROM json_each(?1)) AND branch NOT IN (SELECT value FROM json_each(?2))
AND before IS NOT NULL AND NOT (kind = 'undo' AND act IN (
    SELECT act FROM history WHERE table_name = 'branch'
    UNION SELECT act FROM branch_row WHERE table_name = 'branch'
))
"""


def to_come(
    project: Project, other: Project, table: str, changes: Mapping[str, Change]
) -> Mapping[str, Change]:
    """The changes of a copy; where others went into it, what it has of them is theirs.

    It stays away where somebody who had it, too, went on from that; and it went on from what they had before.
    """
    branches = [uuid for (uuid,) in other.tuples("SELECT uuid FROM branch")]
    if table not in ("annotation", "concept", "carried") or not branches:
        return changes
    rows = {uuid: one.after for uuid, one in changes.items() if one.after and not one.before}
    wanted, its_own = json.dumps([*rows]), json.dumps([named_by("branch", head_of(other)), *branches])
    left = project.tuples(_LEFT, [wanted, its_own])
    gone = {uuid for uuid, before in left if alike(rows[uuid], json.loads(before))}
    passed: dict[str, list[Cells]] = {}
    for uuid, after in other.tuples(
        "SELECT row, after FROM branch_row "
        "WHERE row IN (SELECT value FROM json_each(?)) AND after IS NOT NULL",
        [wanted],
    ):
        passed.setdefault(uuid, []).append(json.loads(after))
    return {
        uuid: replace(one, passed=(*one.passed, *passed.get(uuid, ())))
        for uuid, one in changes.items()
        if uuid not in gone
    }


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

"""What cannot be brought together, and what speaks against taking rows out: what stands on them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.chain import TRACKED, present_names
from app.store.reports.housekeeping import rows_about
from app.store.unite.changes import Cells, Change
from app.store.unite.names import imported_keys
from app.store.unite.rules import KEYS

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.unite.changes import Cells, Copy
    from app.store.values import Cell

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


_NUMBERS = ("pmcid", "pmid", "doi")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A report of a copy (key and the UUID it has there) that cannot come, and why."""

    report: str
    document: str
    reason: str


def scheme_fault(project: Project, other: Project) -> str:
    """Why annotations by another project's scheme would mean something else here, "" where they would not."""
    ours, theirs = ([(one.id, one.fields) for one in each.scheme.categories] for each in (project, other))
    if ours == theirs:
        return ""
    return (
        f"{other.path} follows another scheme ({other.scheme.name}) than {project.path} "
        f"({project.scheme.name}); export its annotations and import them by a table of labels."
    )


def refusals(project: Project, other: Project, copy: Copy) -> list[Refusal]:
    """The reports that a copy changed or brings and that have another text here; by key.

    Those are the same report whose numbers are, or whose keys were when they were imported: what is renamed
    later would be refused or not by which copy came first.
    """
    changed = [uuid for uuid, change in copy.changes["document"].items() if change.after is not None]
    rows = other.query(
        "SELECT * FROM document WHERE uuid IN (SELECT value FROM json_each(?)) ORDER BY key",
        [json.dumps(changed)],
    )
    return [*_found(project, rows, other)]


def refused_before(project: Project) -> set[str]:
    """The reports (UUIDs) of which copies tell that cannot come."""
    rows = project.tuples(
        "SELECT after FROM branch_row WHERE branch IN (SELECT uuid FROM branch) AND table_name = 'document' "
        "AND verb = 'insert' AND row NOT IN (SELECT uuid FROM document)"
    )
    return {one.document for one in _found(project, [json.loads(after) for (after,) in rows], project)}


def _found(project: Project, rows: Sequence[Cells], other: Project) -> Iterator[Refusal]:
    present = {row["uuid"]: row for row in project.query("SELECT * FROM document")}
    texts = {row["text_sha256"] for row in present.values()}
    new = [row for row in rows if row["uuid"] not in present and row["text_sha256"] not in texts]
    keys = imported_keys(project) | imported_keys(other) if new else {}
    numbered = {
        (name, number): row for row in present.values() for name, number in _numbers(row, keys).items()
    }
    for row in rows:
        if row in new:
            alike = (numbered.get(number) for number in _numbers(row, keys).items())
            here = next(filter(None, alike), None)
        else:
            here = present.get(row["uuid"])
        if here and here["text_sha256"] != row["text_sha256"]:
            reason = (
                f"its text differs: SHA-256 {row['text_sha256']} in {other.path.name}, "
                f"{here['text_sha256']} here; nothing about it was brought in."
            )
            yield Refusal(str(row["key"]), str(row["uuid"]), reason)


def _numbers(row: Cells, keys: Mapping[str, str]) -> dict[str, Cell]:
    """What tells which report it is: the key it was imported under, then its numbers."""
    numbers = {name: row[name] for name in _NUMBERS if row[name]}
    return {"key": keys.get(str(row["text_sha256"]), row["key"]), **numbers}

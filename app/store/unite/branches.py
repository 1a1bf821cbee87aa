"""Histories of copies, kept whole beside ours: what of one is known already, and whether it is as it came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from app.store.chain import START, chained, read_chain
from app.store.values import Cell, json_object

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.sqlite import Database

_COLUMNS = tuple(
    "seq act step name kind target undoable who at verb table_name row before after hash".split()
)
_SELECTED = ", ".join(_COLUMNS)
_KNOWN = (
    "SELECT 1 FROM history WHERE seq = ?1 AND hash = ?2 UNION ALL SELECT 1 FROM branch_row "
    "WHERE branch IN (SELECT uuid FROM branch) AND seq = ?1 AND hash = ?2 LIMIT 1"
)


def named_by(*parts: str) -> str:
    """A UUID that follows from names, so that whoever brings the same together gives it the same UUID."""
    return str(uuid5(NAMESPACE_URL, "casespan:" + "/".join(parts)))


def knows(project: Project, count: int, head: str) -> bool:
    """Whether the row of that number and hash stands in a project's history or in a branch of it."""
    return count == 0 or bool(project.tuples(_KNOWN, [count, head]))


def known_rows(project: Project, other: Project) -> int:
    """How many rows from the start of another project's history are known here."""

    def known(count: int) -> bool:
        rows = other.tuples("SELECT hash FROM history WHERE seq = ?", [count])
        return count == 0 or bool(rows and knows(project, count, rows[0][0]))

    low, high = 0, read_chain(other.db)[1]
    # Where a row is known, all before it are: each hash is made of the one before.
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if known(middle) else (low, middle - 1)
    return low


def head_of(project: Project) -> str:
    """The hash of the last row of a project's history."""
    return read_chain(project.db)[0]


def all_known(project: Project, other: Project) -> bool:
    """Whether another project's history, and every branch that it has, is known here."""
    head, count = read_chain(other.db)
    there = {uuid for (uuid,) in project.tuples("SELECT uuid FROM branch")}
    branches = {uuid for (uuid,) in other.tuples("SELECT uuid FROM branch")}
    return knows(project, count, head) and branches <= there


def rows_ever(project: Project) -> int:
    """How many rows a project's history speaks of."""
    return int(project.tuples("SELECT count(DISTINCT row) FROM history")[0][0])


def keep_branch(act: Act, other: Project, known: int, source: str) -> list[str]:
    """Keep what of another project's history is not known here, and its branches; those that are new."""
    head, count = read_chain(other.db)
    base = other.tuples("SELECT hash FROM history WHERE seq = ?", [known])
    row: dict[str, Cell] = {
        "uuid": named_by("branch", head),
        "head": head,
        "count": count,
        "base_head": base[0][0] if base else START,
        "base_count": known,
        "source": source,
        "owner": other.owner,
    }
    given: list[Mapping[str, Cell]] = [row, *other.query("SELECT * FROM branch ORDER BY uuid")]
    there = {uuid for (uuid,) in act.project.tuples("SELECT uuid FROM branch")}
    undone = {uuid: json_object(words) for uuid, words in act.project.tuples(_EVER.format("history"))}
    new = []
    for one in given:
        if one["uuid"] in there:
            continue
        there.add(one["uuid"])
        new.append(str(one["uuid"]))
        # Of a merge that was undone the rows stay, from what it had in common then.
        first = min(one, undone.get(one["uuid"], one), key=lambda branch: branch["base_count"])
        act.insert("branch", {**one, "base_head": first["base_head"], "base_count": first["base_count"]})
        if one is row:
            rows = other.db.execute(
                f"SELECT ?, {_SELECTED} FROM history WHERE seq > ?", [str(one["uuid"]), known]
            )
        else:
            rows = other.db.execute(
                f"SELECT branch, {_SELECTED} FROM branch_row WHERE branch = ?", [one["uuid"]]
            )
        marks = ", ".join("?" * (len(_COLUMNS) + 1))
        act.project.db.conn.executemany(
            f"INSERT OR IGNORE INTO branch_row (branch, {_SELECTED}) VALUES ({marks})", rows
        )
    return new


def branch_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Branches whose history is not as the copy wrote it, or of which nothing is known: (where, what)."""
    for _, where, message in _faults(db):
        yield where, message


def broken_branches(db: Database) -> set[str]:
    """The UUIDs of the branches of which `branch_faults` speaks."""
    return {uuid for uuid, _, _ in _faults(db)}


def _faults(db: Database) -> Iterator[tuple[str, str, str]]:
    there = {one["uuid"]: one for one in db.query("SELECT * FROM branch ORDER BY uuid")}
    # Where a merge was undone the rows stay. Of a copy in which one was undone none came.
    own, others = (
        {uuid: json_object(words) for uuid, words in db.execute(_EVER.format(table))}
        for table in ("history", "branch_row")
    )
    filled = {uuid for (uuid,) in db.execute("SELECT DISTINCT branch FROM branch_row")}
    for uuid in sorted(filled - {*own, *others, *there}):
        yield uuid, f"branch {uuid}", "rows of a branch that was never taken in"
    for uuid, branch in {**others, **own, **there}.items():
        where = f"branch {branch['source']}"
        base = [branch["base_count"], branch["base_head"]]
        if uuid in there and branch["base_head"] != START and not db.execute(_KNOWN, base).fetchall():
            yield uuid, where, "what it was copied from is missing"
        elif uuid in {*own, *there, *filled}:
            yield from ((uuid, where + row, what) for row, what in _row_faults(db, uuid, branch))


def _row_faults(db: Database, uuid: str, branch: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The first row of a branch that is not as the copy wrote it: (which, what)."""
    head, count = branch["base_head"], branch["base_count"]
    for row in db.query(f"SELECT {_SELECTED} FROM branch_row WHERE branch = ? ORDER BY seq", [uuid]):
        stored, count = row.pop("hash"), count + 1
        if row["seq"] != count or stored != chained(head, row):
            yield f", row {row['seq']}", "it was altered, or one before it is missing"
            return
        head = stored
    if (head, count) != (branch["head"], branch["count"]):
        yield "", "its last rows are missing"


_EVER = "SELECT row, coalesce(after, before) FROM {} WHERE table_name = 'branch'"


# The project's own history is the chain "", the others go by their branch.
ALL = """
(SELECT '' AS chain, seq, act, kind, at, verb, table_name, row, before, after, hash FROM history
UNION ALL SELECT branch, seq, act, kind, at, verb, table_name, row, before, after, hash FROM branch_row
WHERE branch IN (SELECT uuid FROM branch))
"""
# Of acts but those that bring copies together and cut packets, which only call and place again what is there.
UNMOVED = """
act NOT IN (
    SELECT act FROM history WHERE table_name IN ('branch', 'packet')
    UNION SELECT act FROM branch_row WHERE table_name IN ('branch', 'packet')
)
"""
_HISTORIES = {"history": "seq", "branch_row": "branch, seq"}


def told_of(columns: str, also: str) -> str:
    """What is asked of both tables about rows (?2) of one (?1): SQLite reads all of `ALL` for many."""
    where = f"table_name = ?1 AND row IN (SELECT value FROM json_each(?2)) AND ({also})"
    own, others = columns.format("''") + " FROM history", columns.format("branch") + " FROM branch_row"
    known = "branch IN (SELECT uuid FROM branch)"
    return (
        f"SELECT {own} WHERE {where.format(chr(39) * 2)} "
        f"UNION ALL SELECT {others} WHERE {known} AND {where.format('branch')}"
    )


@contextmanager
def indexed(act: Act) -> Iterator[None]:
    """Have the rows of histories found by what they speak of, as long as copies come."""
    for table, columns in _HISTORIES.items():
        act.project.db.execute(f"CREATE INDEX {table}_told ON {table} (table_name, row, act, {columns})")
    yield
    for table in _HISTORIES:
        act.project.db.execute(f"DROP INDEX {table}_told")

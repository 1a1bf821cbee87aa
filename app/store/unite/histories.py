"""The histories that a project knows, asked together: its own and those of its branches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.act import Act

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

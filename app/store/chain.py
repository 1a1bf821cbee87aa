"""The hash chain over the history: how it is built, and whether it and the tables still agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from app.store.sqlite import Database, put_meta
from app.store.values import Cell, Row, canonical, json_object, sha256

# Every table whose rows carry a UUID and are changed by acts only.
TRACKED = tuple(
    (
        "scheme_file annotator document section figures annotation concept carried label_meaning region "
        "review build run generation answer decision disclosure verdict rating amendment planted gold_build "
        "item_rating packet assignment branch other_version guess picture_tick"
    ).split()
)
START = "0" * 64
# What each row of an act has for itself.
_OWN = ("after", "before", "row", "seq", "step", "table_name", "verb")
# Columns by the names that migrations gave them; the history keeps the old ones.
_RENAMED = {"generation": {"document": "subject", "category": "question"}}


def chained(previous: str, row: Row) -> str:
    """The hash of a history row: SHA-256 of the previous hash and the row's own canonical JSON."""
    return sha256(previous + canonical(row))


def chaining(shared: Row) -> Callable[[str, Row], str]:
    """`chained` for the rows of one act, of which the cells that all of them have are spelled once."""
    known = {name: canonical(cell).replace("%", "%%") for name, cell in shared.items()}
    cells = ",".join(f'"{name}":{known.get(name, "%s")}' for name in sorted({*shared, *_OWN}))

    def link(previous: str, own: Row) -> str:
        return sha256(f"{previous}{{{cells % tuple([_spelled(own[name]) for name in _OWN])}}}")

    return link


def _spelled(cell: Cell) -> object:
    return "null" if cell is None else canonical(cell) if isinstance(cell, str) else cell


def read_chain(db: Database) -> tuple[str, int]:
    """The hash of the last history row and the number of rows, as the last act recorded them.

    Raises ValueError where that record is no number any more.
    """
    meta = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('chain_head', 'chain_count')"))
    count = meta.get("chain_count", "0")
    if str(int(count)) != count:
        raise ValueError(f"{count!r} is not the program's spelling of a number")
    return meta.get("chain_head", START), int(count)


def write_chain(db: Database, head: str, count: int) -> None:
    """Record the hash of the last history row and the number of rows, so that a cut tail is noticed."""
    put_meta(db, {"chain_head": head, "chain_count": str(count)})


def chain_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Where the history is not as it was written: (where, what) for each altered, missing or added row."""
    head, expected = START, 1
    for row in db.query("SELECT * FROM history ORDER BY seq"):
        where = f"history row {row['seq']}"
        stored = row.pop("hash")
        if row["seq"] != expected:
            yield where, f"rows {expected} to {row['seq'] - 1} before it are missing"
        elif stored != chained(head, row):
            yield where, f"the row ({row['name']!r} by {row['who']}) or the one before it was altered"
        head, expected = stored, row["seq"] + 1
    if (head, expected - 1) != read_chain(db):
        yield "end of the history", "the last rows are missing, were added or were altered"


def replay_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Rows that are not what the history says of them: (where, what) for each altered, missing or added row.

    Columns that a migration added after a row's last change must hold their default; of those that it took
    nothing is said.
    """
    last: dict[tuple[str, str], str | None] = {}
    # When each row came: the rows of a table stand in the order in which they came, and some are read in it.
    came: dict[tuple[str, str], int] = {}
    for seq, verb, name, uuid, after in db.execute(
        "SELECT seq, verb, table_name, row, after FROM history ORDER BY seq"
    ):
        last[name, uuid] = after
        if verb == "insert":
            came[name, uuid] = seq
    for table in TRACKED:
        columns = db.execute(f"PRAGMA table_info({table})").fetchall()
        names = [one[1] for one in columns]
        # As the schema has them, which is sealed.
        (defaults,) = db.execute(f"SELECT {', '.join(str(one[4] or 'NULL') for one in columns)}")
        untold = dict(zip(names, defaults, strict=True))
        rows = db.execute(f"SELECT * FROM {table} ORDER BY rowid")
        before = 0
        for cells in rows:
            uuid = cells[names.index("uuid")]
            after = last.pop((table, uuid), None)
            if after is None:
                yield f"{table} {uuid}", "the row was added outside the program"
                continue
            if differing := _differing(names, cells, untold | present_names(table, json_object(after))):
                yield f"{table} {uuid}", f"{', '.join(differing)} changed outside the program"
            if came[table, uuid] < before:
                yield f"{table} {uuid}", "the row was moved outside the program"
            before = max(before, came[table, uuid])
    for (table, uuid), after in last.items():
        if after is not None:
            yield f"{table} {uuid}", "the row was removed outside the program"


def present_names(table: str, row: dict[str, Any]) -> dict[str, Any]:
    """A row of the history with the names that its columns have now."""
    names = _RENAMED.get(table)
    return {names.get(name, name): value for name, value in row.items()} if names else row


def as_left(row: Row | None, after: Row | None) -> bool:
    """Whether a row is as the history left it; columns that migrations added or took since do not count."""
    if row is None or after is None:
        return row is after
    return all(row[name] == value for name, value in after.items() if name in row)


def _differing(names: Sequence[str], cells: Sequence[Any], after: dict[str, Any]) -> list[str]:
    return [name for name, cell in zip(names, cells, strict=True) if after[name] != cell]

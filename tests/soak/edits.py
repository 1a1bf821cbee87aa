"""Edits of a project file row by row, as somebody else's tool or a bad disk makes them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copyfile

from app.store.check import check

# How an index of words lies in its pages is its own affair: pages may change places and find the same.
_PAGES = ("_search_data", "_search_idx", "_search_config", "_search", "_search_words")


def edits(path: Path, scratch: Path, count: int, seed: int = 0) -> Iterator[tuple[str, bool]]:
    """Change one row of a copy, `count` times: what was done, and whether `check` noticed."""
    rng = Random(seed)
    with closing(sqlite3.connect(path)) as whole:
        names = [name for (name,) in whole.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        tables = [name for name in names if not name.endswith(_PAGES) and _rows(whole, name)]
    for number in range(count):
        copyfile(path, scratch)
        with closing(sqlite3.connect(scratch)) as db, db:
            done = _edit(db, tables[number % len(tables)], rng)
        if done:
            yield done, bool(check(scratch))


def _rows(db: sqlite3.Connection, table: str) -> list[int]:
    return [row for (row,) in db.execute(f"SELECT rowid FROM [{table}] ORDER BY rowid")]


def _edit(db: sqlite3.Connection, table: str, rng: Random) -> str:
    """Alter, remove, add or move a row; "" where the table itself refuses it, or nothing would differ."""
    db.execute("PRAGMA foreign_keys = OFF")
    rows, columns = _rows(db, table), [one[1] for one in db.execute(f"PRAGMA table_info([{table}])")]
    row, kind = rng.choice(rows), rng.choice(["alter", "alter", "alter", "remove", "add", "move"])
    column = rng.choice(columns)
    try:
        if kind == "alter":
            (value,) = db.execute(f"SELECT [{column}] FROM [{table}] WHERE rowid = ?", [row]).fetchone()
            db.execute(f"UPDATE [{table}] SET [{column}] = ? WHERE rowid = ?", [_other(value, rng), row])
        elif kind == "remove":
            db.execute(f"DELETE FROM [{table}] WHERE rowid = ?", [row])
        elif kind == "add":
            key = columns[0]
            others = ", ".join(f"[{name}]" for name in columns[1:])
            db.execute(
                f"INSERT INTO [{table}] ([{key}], {others}) SELECT [{key}] || 'x', {others} "
                f"FROM [{table}] WHERE rowid = ?",
                [row],
            )
        elif table == "meta" or len(rows) < 2:
            return ""  # what stands there goes by its name
        else:
            one, two = rng.sample(rows, 2)
            if _cells(db, table, one) == _cells(db, table, two):
                return ""
            for now, then in ((one, rows[-1] + 9), (two, one), (rows[-1] + 9, two)):
                db.execute(f"UPDATE [{table}] SET rowid = ? WHERE rowid = ?", [then, now])
    except sqlite3.Error:
        db.rollback()
        return ""
    return f"{kind} {table}.{column} row {row}"


def _cells(db: sqlite3.Connection, table: str, row: int) -> tuple[object, ...]:
    return tuple(db.execute(f"SELECT * FROM [{table}] WHERE rowid = ?", [row]).fetchone())[1:]


def _other(value: object, rng: Random) -> object:
    if isinstance(value, int | float):
        return value + rng.choice([-1, 1, 1000])
    if isinstance(value, bytes):
        return value + b"\x01"
    text = value if isinstance(value, str) else ""
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice("ax0 ") + text[place:]

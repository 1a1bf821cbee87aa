"""sqlite-utils as the store uses it, loaded without the number libraries it would pull in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from sqlite3 import complete_statement
from typing import TypeAlias

# sqlite-utils imports pandas and numpy where they are installed, only to know their column types. A project
# never stores those, and the two cost half a second at every start of the program. For the moment of that one
# import they look absent to every thread: import the store in the main thread before any worker starts.
_UNWANTED = ("numpy", "pandas")


@contextmanager
def without_number_libraries() -> Iterator[None]:
    """Make the unwanted libraries look absent for the time of one import, unless they are loaded already."""
    hidden = [name for name in _UNWANTED if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # the import system's own mark for "not there"
    try:
        yield
    finally:
        for name in hidden:
            # Another thread may have taken the mark away, or put the library itself in its place.
            if sys.modules.get(name) is None:
                sys.modules.pop(name, None)


with without_number_libraries():
    from sqlite_utils import Database, Migrations

Step: TypeAlias = Callable[[Database], None]


def run_script(db: Database, script: str) -> None:
    """Run statements of which each ends with a line, within the open transaction.

    sqlite3's own executescript would commit that first; the one of sqlite-utils asks after every character
    whether the statement is complete, which was half the time of making a project.
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if complete_statement(statement):
            db.execute(statement)
            statement = ""
    if statement.strip():
        db.execute(statement)


def insert_rows(db: Database, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Add rows of plain cells, each with the columns of the first one.

    `insert_all` of sqlite-utils looks at every cell for what it would have to turn into JSON, which is four
    fifths of its time.
    """
    if rows:
        columns = list(rows[0])
        names, marks = ", ".join(f"[{name}]" for name in columns), ", ".join("?" * len(columns))
        db.conn.executemany(
            f"INSERT INTO [{table}] ({names}) VALUES ({marks})",
            ([row[name] for name in columns] for row in rows),
        )


__all__ = ["Database", "Migrations", "Step", "insert_rows", "run_script"]

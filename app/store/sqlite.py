"""SQLite as the store uses it: which driver opens what, and sqlite-utils without the number libraries."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import chain
from operator import itemgetter
from types import ModuleType
from typing import Literal, TypeAlias, cast

from app.store.keys import Key
from extractors.model.errors import ProjectError

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
    from sqlite_utils import Database as _Database
    from sqlite_utils import Migrations as Migrations


class Database(_Database):
    """sqlite-utils' own; `key` is that of an encrypted file, with which its copies are written."""

    key: Key | None = None


Step: TypeAlias = Callable[[Database], None]

IN_MEMORY = ":memory:"
NO_DRIVER = (
    "Encrypted projects need the Python package sqlcipher3, which is not installed; "
    "`pip install sqlcipher3` brings it."
)
# Rows that are added by one statement; Python keeps those of each number for the next time.
_TOGETHER = 25
# Those of which errors are caught; InterfaceError has no code of SQLite's.
_ERRORS = ("DatabaseError", "OperationalError", "IntegrityError", "InternalError", "DataError")


def connect(
    target: str, key: Key | None = None, *, uri: bool = False, timeout: float = 5.0, recoding: bool = False
) -> sqlite3.Connection:
    """A connection to a file or to memory: by Python's own SQLite, but by SQLCipher where there is a key, or
    where a file without one is to get one (`recoding`).

    With a key memory is laid out as the file would be, so that one can be copied into the other. Raises
    ProjectError where SQLCipher is not installed.
    """
    if key is None and not recoding:
        return sqlite3.connect(target, uri=uri, timeout=timeout)
    connection = cast(sqlite3.Connection, _sqlcipher().connect(target, uri=uri, timeout=timeout))
    if key is not None:
        connection.execute(f'PRAGMA key = "{key.pragma}"')
        # A page that is read again is decrypted again. Of a file that has lost its end it would be the first
        # to say so.
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA cache_size = -32000")
    return connection


@cache
def _sqlcipher() -> ModuleType:
    """SQLCipher's driver, which is imported when it is first needed; raises ProjectError where there is none.

    Its own errors are made to be those of Python's SQLite as well, so that nobody else tells them apart.
    """
    try:
        from sqlcipher3 import dbapi2
    except ImportError as error:
        raise ProjectError(NO_DRIVER) from error
    for name in _ERRORS:
        own, ours = getattr(dbapi2, name), getattr(sqlite3, name)
        if ours not in own.__bases__:
            own.__bases__ = (*own.__bases__, ours)
    # It would write to stderr whenever a page cannot be read, which is ours to say.
    with closing(dbapi2.connect(IN_MEMORY)) as any_one:
        any_one.execute("PRAGMA cipher_log_level = NONE")
    return cast(ModuleType, dbapi2)


def run_script(db: Database, script: str) -> None:
    """Run statements of which each ends with a line, within the open transaction.

    sqlite3's own executescript would commit that first; the one of sqlite-utils asks after every character
    whether the statement is complete, which was half the time of making a project.
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
    if statement.strip():
        db.execute(statement)


def insert_rows(
    db: Database,
    table: str,
    rows: Sequence[Mapping[str, object]],
    or_else: Literal["ABORT", "IGNORE"] = "ABORT",
) -> None:
    """Add rows of plain cells, each with the columns of the first one, within the open transaction; `or_else`
    for keys that are there.

    `insert_all` of sqlite-utils looks at every cell for what it would have to turn into JSON, which is four
    fifths of its time, and asks each time for the names of all tables and of the columns. Some rows in one
    statement take up to two fifths less than one by one.
    """
    if rows:
        columns = list(rows[0])
        names, marks = ", ".join(f"[{name}]" for name in columns), ", ".join("?" * len(columns))
        insert, cells_of = f"INSERT OR {or_else} INTO [{table}] ({names}) VALUES", itemgetter(*columns)
        for start in range(0, len(rows), _TOGETHER):
            some = rows[start : start + _TOGETHER]
            db.conn.execute(
                f"{insert} {', '.join([f'({marks})'] * len(some))}",
                tuple(chain.from_iterable(map(cells_of, some))),
            )


def put_meta(db: Database, values: Mapping[str, str]) -> None:
    """Set what `meta` says by these keys, within the open transaction."""
    db.conn.executemany(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        values.items(),
    )


def update_row(db: Database, table: str, uuid: str, cells: Mapping[str, object]) -> None:
    """Set some plain cells of one row."""
    names = ", ".join(f"[{name}] = ?" for name in cells)
    db.execute(f"UPDATE [{table}] SET {names} WHERE uuid = ?", [*cells.values(), uuid])

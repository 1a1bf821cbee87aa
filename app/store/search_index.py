"""The words of reports, quotes and notes as an index, which follows every change of the rows it is about."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from app.store.sqlite import Database
from app.store.values import Cell

_MARKS = "SELECT value FROM json_each(?)"
_INDEXED = {"annotation": ("quote", "note"), "document": ("text_sha256",)}
_TOKENS = 'tokenize="unicode61 remove_diacritics 2"'


def concerns(table: str, changes: Mapping[str, Cell], before: Mapping[str, Cell]) -> bool:
    """Whether a change of a row is one of what is indexed."""
    return any(name in changes and changes[name] != before[name] for name in _INDEXED.get(table, ()))


def add_to_index(db: Database, table: str, uuids: str) -> None:
    """Index these rows (a JSON list of UUIDs) of a table, which are there now; of others do nothing."""
    if table == "annotation":
        db.execute(
            "INSERT INTO annotation_search (rowid, quote, note) "
            f"SELECT rowid, quote, note FROM annotation WHERE uuid IN ({_MARKS})",
            [uuids],
        )
    elif table == "document":
        # Two reports may have the same text, which is indexed once.
        db.execute(
            "INSERT INTO text_search (rowid, text) SELECT rowid, text FROM text WHERE sha256 IN "
            f"(SELECT text_sha256 FROM document WHERE uuid IN ({_MARKS})) "
            "AND rowid NOT IN (SELECT id FROM text_search_docsize)",
            [uuids],
        )


def take_from_index(db: Database, table: str, uuids: str) -> None:
    """Take these rows (a JSON list of UUIDs), which are still there, out of the index."""
    if table == "annotation":
        db.execute(
            "INSERT INTO annotation_search (annotation_search, rowid, quote, note) "
            f"SELECT 'delete', rowid, quote, note FROM annotation WHERE uuid IN ({_MARKS})",
            [uuids],
        )
    elif table == "document":
        db.execute(
            "INSERT INTO text_search (text_search, rowid, text) SELECT 'delete', rowid, text FROM text "
            f"WHERE sha256 IN (SELECT text_sha256 FROM document WHERE uuid IN ({_MARKS})) "
            f"AND sha256 NOT IN (SELECT text_sha256 FROM document WHERE uuid NOT IN ({_MARKS})) "
            "AND rowid IN (SELECT id FROM text_search_docsize)",
            [uuids, uuids],
        )


def index_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Where an index is not what the rows would make of it: (where, what), by making it again."""
    sources: Sequence[tuple[str, str, str]] = (
        (
            "text_search",
            "text",
            "SELECT rowid, text FROM text WHERE sha256 IN (SELECT text_sha256 FROM document)",
        ),
        ("annotation_search", "quote, note", "SELECT rowid, quote, note FROM annotation"),
    )
    for index, columns, rows in sources:
        with closing(sqlite3.connect(":memory:")) as again:
            again.execute(f"CREATE VIRTUAL TABLE fresh USING fts5({columns}, content='', {_TOKENS})")
            again.execute("CREATE VIRTUAL TABLE words USING fts5vocab('fresh', 'row')")
            marks = ", ".join("?" * (columns.count(",") + 2))
            again.executemany(f"INSERT INTO fresh (rowid, {columns}) VALUES ({marks})", db.execute(rows))
            for wanted, asked in (
                ("SELECT id FROM fresh_docsize ORDER BY id", f"SELECT id FROM {index}_docsize ORDER BY id"),
                ("SELECT * FROM words ORDER BY term", f"SELECT * FROM {index}_words ORDER BY term"),
            ):
                if again.execute(wanted).fetchall() != db.execute(asked).fetchall():
                    yield index, "a search would miss words or find what is not there"
                    break

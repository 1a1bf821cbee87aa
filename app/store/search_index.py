"""The words of reports, quotes and notes as an index, which follows every change of the rows it is about."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from app.store.sqlite import Database
from app.store.values import Cell


@dataclass(frozen=True, slots=True)
class Source:
    """What is indexed: the `columns`, the `rows` that have them by a SELECT with WHERE, and the table of
    whose rows, named by `these`, they come."""

    columns: str
    rows: str
    table: str
    these: str = "uuid IN (SELECT value FROM json_each(?))"


# A quote that is the very text at its place is found there.
SOURCES: Mapping[str, Source] = {
    "text_search": Source(
        "text",
        "SELECT rowid, text FROM text WHERE sha256 IN (SELECT text_sha256 FROM document)",
        "document",
        "sha256 IN (SELECT text_sha256 FROM document WHERE uuid IN (SELECT value FROM json_each(?)))",
    ),
    "document_search": Source(
        "title, key, identifiers",
        "SELECT rowid, title, key, identifiers FROM document WHERE true",
        "document",
    ),
    "annotation_search": Source(
        "quote, note",
        "SELECT rowid, quote, note FROM annotation WHERE (grounding <> 'exact' OR note <> '')",
        "annotation",
    ),
}
_INDEXED = {
    "annotation": ("quote", "note", "grounding"),
    "document": ("title", "key", "identifiers", "text_sha256"),
}
_TOKENS = 'tokenize="unicode61 remove_diacritics 2"'


def concerns(table: str, changes: Mapping[str, Cell], before: Mapping[str, Cell]) -> bool:
    """Whether a change of a row is one of what is indexed."""
    return any(name in changes and changes[name] != before[name] for name in _INDEXED.get(table, ()))


def add_to_index(db: Database, table: str, uuids: str) -> None:
    """Index these rows (a JSON list of UUIDs) of a table, which are there now; of others do nothing."""
    for index, source in SOURCES.items():
        if source.table == table:
            # Two reports may have the same text, which is indexed once.
            once = "AND NOT EXISTS (SELECT 1 FROM text_search_docsize WHERE id = text.rowid)"
            db.execute(
                f"INSERT INTO {index} (rowid, {source.columns}) {source.rows} AND {source.these} "
                f"{once if index == 'text_search' else ''}",
                [uuids],
            )


def take_from_index(db: Database, table: str, uuids: str) -> None:
    """Take these rows (a JSON list of UUIDs), which are still there, out of the index."""
    for index, source in SOURCES.items():
        if source.table == table:
            rows = source.rows.replace("SELECT rowid", "SELECT 'delete', rowid", 1)
            kept, parameters = "", [uuids]
            if index == "text_search":
                kept = (
                    "AND sha256 NOT IN (SELECT text_sha256 FROM document WHERE uuid NOT IN "
                    "(SELECT value FROM json_each(?)))"
                )
                parameters = [uuids, uuids]
            db.execute(
                f"INSERT INTO {index} ({index}, rowid, {source.columns}) {rows} AND {source.these} {kept}",
                parameters,
            )


def make_index_anew(db: Database) -> None:
    """Put what the rows make of them in the place of the indices, in one transaction."""
    with db.atomic():
        for index, source in SOURCES.items():
            db.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
            db.execute(f"INSERT INTO {index} (rowid, {source.columns}) {source.rows}")


def index_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Where an index is not what the rows would make of it: (where, what), by making it again."""
    for index, source in SOURCES.items():
        with closing(sqlite3.connect(":memory:")) as again:
            again.execute(f"CREATE VIRTUAL TABLE fresh USING fts5({source.columns}, content='', {_TOKENS})")
            again.execute("CREATE VIRTUAL TABLE words USING fts5vocab('fresh', 'row')")
            marks = ", ".join("?" * (source.columns.count(",") + 2))
            again.executemany(
                f"INSERT INTO fresh (rowid, {source.columns}) VALUES ({marks})", db.execute(source.rows)
            )
            for wanted, asked in (
                ("SELECT id FROM fresh_docsize ORDER BY id", f"SELECT id FROM {index}_docsize ORDER BY id"),
                ("SELECT * FROM words ORDER BY term", f"SELECT * FROM {index}_words ORDER BY term"),
            ):
                if again.execute(wanted).fetchall() != db.execute(asked).fetchall():
                    yield index, "searches go wrong; `casespan check --new-index` makes the index anew"
                    break

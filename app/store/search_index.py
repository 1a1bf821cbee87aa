"""The words of reports, quotes and notes as an index, which follows every change of the rows it is about."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from app.store.sqlite import Database
from app.store.values import Cell, Row


@dataclass(frozen=True, slots=True)
class Source:
    """What is indexed: the `columns`, the `rows` that have them by a SELECT with WHERE, and the table of
    whose rows, named by `these`, they come; rows with all the cells of `without` the SELECT leaves out."""

    columns: str
    rows: str
    table: str
    these: str = "uuid IN (SELECT value FROM json_each(?))"
    without: Mapping[str, Cell] = field(default_factory=dict)

    def may_have(self, row: Row) -> bool:
        """Whether the SELECT may take this row of the table."""
        return not self.without or not self.without.items() <= row.items()


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
        without={"grounding": "exact", "note": ""},
    ),
}
_INDEXED = {
    "annotation": ("quote", "note", "grounding"),
    "document": ("title", "key", "identifiers", "text_sha256"),
}
TOKENS = 'tokenize="unicode61 remove_diacritics 2"'


def concerns(table: str, changes: Mapping[str, Cell], before: Mapping[str, Cell]) -> bool:
    """Whether a change of a row is one of what is indexed."""
    return any(name in changes and changes[name] != before[name] for name in _INDEXED.get(table, ()))


def add_to_index(db: Database, table: str, rows: Sequence[Row]) -> None:
    """Index these rows of a table, which are there now; of others do nothing."""
    for index, source in SOURCES.items():
        if source.table == table and (uuids := [row["uuid"] for row in rows if source.may_have(row)]):
            # Two reports may have the same text, which is indexed once.
            once = "AND NOT EXISTS (SELECT 1 FROM text_search_docsize WHERE id = text.rowid)"
            db.execute(
                f"INSERT INTO {index} (rowid, {source.columns}) {source.rows} AND {source.these} "
                f"{once if index == 'text_search' else ''}",
                [json.dumps(uuids)],
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
            again.execute(_made_of("fresh", source))
            marks = ", ".join("?" * (source.columns.count(",") + 2))
            again.executemany(
                f"INSERT INTO fresh (rowid, {source.columns}) VALUES ({marks})", db.execute(source.rows)
            )
            _copy_index(db, index, source, again)
            try:
                whole = all(
                    again.execute(asked.format("fresh")).fetchall()
                    == again.execute(asked.format("stored")).fetchall()
                    for asked in (_LENGTHS, _PLACES)
                )
                again.execute("INSERT INTO stored (stored) VALUES ('integrity-check')")
            except sqlite3.DatabaseError:
                whole = False
        if not whole:
            yield index, "searches go wrong; `casespan check --new-index` makes the index anew"


_LENGTHS = "SELECT * FROM {}_docsize ORDER BY id"
# Where each word stands, added up so that no place can change unnoticed and none has to be kept.
_PLACES = (
    "SELECT term, count(*), sum(doc), sum(offset), sum(doc * 8191 + offset * 131 * (1 + length(col))) "
    "FROM {}_places GROUP BY term ORDER BY term"
)


def _made_of(name: str, source: Source) -> str:
    return f"CREATE VIRTUAL TABLE {name} USING fts5({source.columns}, content='', {TOKENS})"


def _copy_index(db: Database, index: str, source: Source, target: sqlite3.Connection) -> None:
    """Put an index as it is stored into `target`, as "stored", to be read and looked through there."""
    target.execute(_made_of("stored", source))
    for part in ("data", "idx", "docsize", "config"):
        target.execute(f"DELETE FROM stored_{part}")
        rows = db.execute(f"SELECT * FROM {index}_{part}")
        marks = ", ".join("?" * len(rows.description))
        target.executemany(f"INSERT INTO stored_{part} VALUES ({marks})", rows)
    for name in ("fresh", "stored"):
        target.execute(f"CREATE VIRTUAL TABLE {name}_places USING fts5vocab({name}, 'instance')")
    target.commit()

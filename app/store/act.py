"""One user act: one transaction, one group of history rows chained by hash."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.store.chain import chaining, read_chain, write_chain
from app.store.faults import sound, translated
from app.store.seal import count_kept
from app.store.search_index import add_to_index, concerns, take_from_index
from app.store.sqlite import insert_rows, update_row
from app.store.values import Cell, Row, canonical, new_uuid, now, sha256
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.progress import Progress, finished

if TYPE_CHECKING:
    from app.store.project import Project

Verb: TypeAlias = Literal["insert", "update", "delete"]
Kind: TypeAlias = Literal["do", "undo", "redo"]

# The UUIDs of a JSON list.
_GIVEN = "SELECT value FROM json_each(?)"
_AT_ONCE = 500
# So many changes wait in memory before they are put on record.
_WAITING = 20_000


@dataclass(frozen=True, slots=True)
class Header:
    """What an act is: `target` is the act that an undo or redo speaks of, "" otherwise."""

    name: str
    who: str
    kind: Kind = "do"
    target: str = ""
    undoable: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """One row of one act: `before` is None for an insert, `after` for a delete."""

    verb: Verb
    table: str
    row: str
    before: Row | None
    after: Row | None


class Act:
    """Changes rows and remembers each change for the history; made by `begin_act` for its block."""

    def __init__(self, project: Project, header: Header) -> None:
        self.project = project
        self.header = header
        self.uuid = new_uuid()
        self.at = now()
        self._db = project.db
        # What is not on record yet, how many changes are, and the tables of all.
        self._changes: list[Change] = []
        self._recorded = 0
        self._tables: set[str] = set()

    def insert(self, table: str, row: Row) -> None:
        """Add one row; raises ValueError where it does not name every column of the table."""
        self.insert_all(table, [row])

    def insert_all(self, table: str, rows: Sequence[Row]) -> None:
        """Add rows in the order given; raises ValueError where one does not name every column."""
        columns = self.project.columns(table)
        for row in rows:
            if row.keys() != columns:
                raise ValueError(f"a row of {table} needs exactly the columns {sorted(columns)}")
        insert_rows(self._db, table, rows)
        add_to_index(self._db, table, rows)
        self._keep(Change("insert", table, str(row["uuid"]), None, dict(row)) for row in rows)

    def restore_all(self, table: str, rows: Sequence[Row]) -> None:
        """Add rows that were there before, as the history holds them.

        Columns that a migration took since are left out, those that it added get their defaults.
        """
        columns = self.project.columns(table)
        known = [{name: row[name] for name in row if name in columns} for row in rows]
        for _, alike in groupby(known, key=lambda row: row.keys()):
            insert_rows(self._db, table, list(alike))
        add_to_index(self._db, table, rows)
        restored = self.rows(table, [str(row["uuid"]) for row in rows])
        self._keep(Change("insert", table, str(row["uuid"]), None, row) for row in restored)

    def update(self, table: str, uuid: str, changes: Mapping[str, Cell]) -> None:
        """Set some columns of one row; a change that changes nothing leaves no trace.

        Raises UnknownNameError where there is no such row.
        """
        before = self.rows(table, [uuid])[0]
        after = {**before, **changes}
        if after == before:
            return
        indexed = concerns(table, changes, before)
        if indexed:
            take_from_index(self._db, table, json.dumps([uuid]))
        update_row(self._db, table, uuid, changes)
        if indexed:
            add_to_index(self._db, table, [after])
        self._keep([Change("update", table, uuid, before, after)])

    def put(self, table: str, key: Row, cells: Row) -> str:
        """Set the cells of the one row that has this key, or add a row of both; returns its UUID.

        A new row of a table with an order comes last.
        """
        where = " AND ".join(f"{name} = ?" for name in key)
        known = self.project.tuples(f"SELECT uuid FROM {table} WHERE {where}", [*key.values()])
        if known:
            self.update(table, known[0][0], cells)
            return str(known[0][0])
        place = {"position": self.next_position(table)} if "position" in self.project.columns(table) else {}
        row: Row = {"uuid": new_uuid(), **place, **key, **cells}
        self.insert(table, row)
        return str(row["uuid"])

    def delete(self, table: str, uuid: str) -> None:
        """Remove one row; raises UnknownNameError where there is none."""
        self.delete_all(table, [uuid])

    def delete_all(self, table: str, uuids: Sequence[str]) -> None:
        """Remove rows; raises UnknownNameError where one of them does not exist, sqlite3.IntegrityError
        where a call was about one."""
        befores = self.rows(table, uuids)
        self._require_unasked(table, uuids)
        given = json.dumps(uuids)
        take_from_index(self._db, table, given)
        self._db.execute(f"DELETE FROM [{table}] WHERE uuid IN ({_GIVEN})", [given])
        self._keep(Change("delete", table, str(row["uuid"]), row, None) for row in befores)

    def delete_of(self, table: str, annotations: Sequence[str]) -> None:
        """Remove all rows that belong to annotations (UUIDs)."""
        rows = self.project.tuples(
            f"SELECT uuid FROM {table} WHERE annotation IN ({_GIVEN}) ORDER BY rowid",
            [json.dumps(list(annotations))],
        )
        self.delete_all(table, [uuid for (uuid,) in rows])

    def _keep(self, changes: Iterable[Change]) -> None:
        self._changes += changes
        if len(self._changes) > _WAITING:
            self.write_history()

    def _require_unasked(self, table: str, uuids: Sequence[str]) -> None:
        """What a foreign key would do, if calls and answers were about reports alone."""
        of_build = f"SELECT uuid FROM item WHERE build IN ({_GIVEN})"
        subjects = {"document": _GIVEN, "build": of_build}.get(table)
        for records in ("generation", "answer", "item_rating") if subjects else ():
            about = f"SELECT 1 FROM {records} WHERE subject IN ({subjects}) LIMIT 1"
            if self.project.tuples(about, [json.dumps(uuids)]):
                raise sqlite3.IntegrityError(f"{records} is about a {table} to be deleted")

    def rows(self, table: str, uuids: Sequence[str]) -> list[dict[str, Cell]]:
        """The rows of those UUIDs as they are now, in that order; raises UnknownNameError."""
        found: dict[str, dict[str, Cell]] = {}
        for start in range(0, len(uuids), _AT_ONCE):
            part = uuids[start : start + _AT_ONCE]
            # Of few rows in half the time that a list in JSON takes.
            marks = ", ".join("?" * len(part))
            for row in self.project.query(f"SELECT * FROM [{table}] WHERE uuid IN ({marks})", part):
                found[row["uuid"]] = row
        missing = [uuid for uuid in uuids if uuid not in found]
        if missing:
            raise UnknownNameError(
                f"There is no {table.replace('_', ' ')} {missing[0]} in {self.project.path}."
            )
        return [found[uuid] for uuid in uuids]

    def fresh(self, table: str, uuid: str) -> str:
        """That UUID, or a random one where the table has it already."""
        taken = self.project.query(f"SELECT 1 FROM [{table}] WHERE uuid = ?", [uuid])
        return new_uuid() if taken else uuid

    def next_position(self, table: str) -> int:
        """The place after the last row of a table whose rows have an order, one that no row ever had.

        Undo passes over what a run recorded: a row that it gives back must find its place free.
        """
        query = f"SELECT coalesce(max(position), -1) + 1 AS next FROM {table}"
        # Each row that was ever added is a row of the history, which only grows.
        return max(int(self.project.query(query)[0]["next"]), read_chain(self._db)[1])

    def keep_text(self, text: str) -> str:
        """Store a text once and return its SHA-256, by which rows name it.

        Texts are not part of the history and stay when the act is undone: redo needs them.
        """
        digest = sha256(text)
        # Calls show the same texts again and again.
        if not self._db.execute("SELECT 1 FROM text WHERE sha256 = ?", [digest]).fetchone():
            insert_rows(self._db, "text", [{"sha256": digest, "text": text}])
        return digest

    def changed(self, table: str) -> bool:
        """Whether the act has changed a row of that table."""
        return table in self._tables or any(change.table == table for change in self._changes)

    def write_history(self) -> None:
        """Append this act's changes to the chain; the last thing before the commit, and on the way.

        A place by `next_position` counts what is on record.

        Raises DamagedProjectError where the end of the chain cannot be read.
        """
        finished(self.writing_history())

    def writing_history(self) -> Generator[Progress, None, None]:
        """`write_history` in steps: what has been appended already is not appended again."""
        while self._changes:
            some = self._changes[:_AT_ONCE]
            self._record(self._recorded, some)
            self._recorded += len(some)
            self._tables.update(change.table for change in some)
            del self._changes[:_AT_ONCE]
            yield Progress(self._recorded, self._recorded + len(self._changes), "changes put on record")

    def _record(self, begin: int, changes: Sequence[Change]) -> None:
        with sound(self.project.path, "the end of the history"):
            head, count = read_chain(self._db)
        shared: Row = {
            "act": self.uuid,
            "name": self.header.name,
            "kind": self.header.kind,
            "target": self.header.target,
            "undoable": int(self.header.undoable),
            "who": self.header.who,
            "at": self.at,
        }
        link = chaining(shared)
        rows: list[Row] = []
        for number, change in enumerate(changes):
            own: Row = {
                "seq": count + number + 1,
                "step": begin + number,
                "verb": change.verb,
                "table_name": change.table,
                "row": change.row,
                "before": None if change.before is None else canonical(change.before),
                "after": None if change.after is None else canonical(change.after),
            }
            head = link(head, own)
            rows.append({**shared, **own, "hash": head})
        insert_rows(self._db, "history", rows)
        count_kept(self._db)
        write_chain(self._db, head, count + len(rows))


def begin_act(project: Project, name: str, who: str, *, undoable: bool = True) -> AbstractContextManager[Act]:
    """One act of `who`, described by `name`: one transaction and one group in the history.

    An act that is not undoable (a run's records of itself) is passed over by undo and redo. Raises
    what `performing` raises.
    """
    return performing(project, Header(name, who, undoable=undoable))


@contextmanager
def performing(project: Project, header: Header) -> Iterator[Act]:
    """An act as a block: committed with its history at the end, rolled back whole where anything raises.

    Raises ProjectError where the project is open for reading, ProjectBusyError where another program is
    writing, StorageError where the disk refuses or the file is no longer there.
    """
    if not project.writable:
        raise ProjectError(f"{project.path} is open for reading; it cannot be changed.")
    if project.acting:
        raise RuntimeError("an act is already under way in this project")
    project.require_in_place()
    db = project.db
    with translated(project.path):
        db.execute("BEGIN IMMEDIATE")
        try:
            act = Act(project, header)
            yield act
            act.write_history()
            project.commit()
            if act.changed("scheme_file"):
                project.reread_scheme()
        except BaseException as error:
            project.give_up(error)
            raise

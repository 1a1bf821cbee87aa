"""What can still be read of a damaged project, in a new one."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from app.store import database
from app.store.act import Act, Header
from app.store.chain import START, TRACKED, chained, present_names
from app.store.check import span_fault
from app.store.creation import keep_scheme
from app.store.keys import Key, encrypted, key_of
from app.store.project import Project, stored_scheme
from app.store.reports.documents import section_of, tiling_fault
from app.store.sqlite import Database, connect, insert_rows
from app.store.values import canonical, sha256, strings
from extractors.assets import asset
from extractors.model.errors import CasespanError, LockedProjectError, ProjectError
from extractors.model.scheme import SCHEME_FILE, load_scheme

_Row: TypeAlias = dict[str, Any]
# Rows that no act changes; texts and prompts go by the hash of what they hold.
_KEPT = ("text", "prompt", "picture", "item", "branch_row")
_PAGE_BYTES = 4096
# For how long a table is read without finding a row.
_SECONDS = 3.0
# Where a table's last row cannot be read it is looked for so far, and given up after so many failures.
_FAR, _HOPELESS = 10_000_000, 400


@dataclass(frozen=True, slots=True)
class Rescued:
    """How many rows of a table were saved, and how many that were there once were not."""

    table: str
    saved: int
    lost: int


def rescue(damaged: Path, out: Path) -> list[Rescued]:
    """Read a damaged project as far as it goes into a new project at `out`, whose history begins with that.

    What a table cannot give any more comes from the history, and what differs from it as the history has it.
    The former history is written beside it as OUT.history.jsonl, rows without a place as OUT.lost.jsonl;
    where the damaged file is encrypted so is the new one, and these two, which could not be, are left out.
    The damaged file is not touched. Raises ProjectError where `out` exists or nothing can be read,
    StorageError.
    """
    if out.exists():
        raise ProjectError(f"{out} exists already; choose another name.")
    if not damaged.is_file():
        raise ProjectError(f"There is no file {damaged}; check its name.")
    if not out.parent.is_dir():
        raise ProjectError(f"There is no folder {out.parent}; make it first.")
    with TemporaryDirectory(dir=out.parent, prefix=".rescue-") as folder:
        # With its log, which SQLite may want to write to.
        copy = Path(folder) / "damaged.casespan"
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                copyfile(damaged.with_name(damaged.name + ending), copy.with_name(copy.name + ending))
        _mend_header(copy)
        try:
            key = key_of(copy)
        except LockedProjectError as error:
            # The user knows nothing of the copy.
            raise LockedProjectError(str(error).replace(str(copy), str(damaged)), wrong=error.wrong) from None
        with closing(_Source(copy, key)) as source:
            read = {table: _Read(source, table) for table in (*_KEPT, "meta", "history", *TRACKED)}
    if not any(one.rows for one in read.values()):
        raise ProjectError(f"Nothing can be read of {damaged} any more; go back to a copy.")
    wanted = _as_last_known({name: one.rows for name, one in read.items()})
    scratch, orphans = _placed(wanted)
    with closing(scratch):
        database.create_database(out, lambda db: _fill(db, out, scratch, read["meta"].rows), key)
        found = [_counted(scratch, name, wanted, read[name].lost) for name in (*_KEPT, *TRACKED)]
    if key is None:
        _write_lines(out.with_name(f"{out.stem}.history.jsonl"), read["history"].rows)
        _write_lines(out.with_name(f"{out.stem}.lost.jsonl"), orphans)
    else:
        found.append(Rescued("former history", 0, len(read["history"].rows)))
    return [one for one in found if one.saved or one.lost]


class _Source:
    """A damaged file to be read; until `until` (monotonic seconds): pages may lead back to each other."""

    def __init__(self, path: Path, key: Key | None) -> None:
        self._path, self._key = path, key
        self.until = 0.0
        self._connect()

    def _connect(self) -> None:
        self.db = connect(str(self._path), self._key)
        with suppress(sqlite3.Error):
            # Or nothing would be read of a file that has lost its end.
            self.db.execute("PRAGMA writable_schema = ON")
        self.db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        self.db.set_progress_handler(lambda: time.monotonic() > self.until, 10_000)

    def tables(self) -> frozenset[str]:
        """The tables that the file has, old ones fewer than new ones; all where that cannot be read."""
        try:
            return frozenset(name for (name,) in self.db.execute("SELECT name FROM sqlite_schema").fetchall())
        except sqlite3.Error:
            self.failed()
            return frozenset((*_KEPT, "meta", "history", *TRACKED))

    def failed(self) -> None:
        """Go on after a page that cannot be read: SQLCipher would read no other after it."""
        if self._key is not None:
            self.db.close()
            self._connect()

    def close(self) -> None:
        self.db.close()


class _Read:
    """The rows of a table that can be read, in their order, and how many cannot."""

    def __init__(self, source: _Source, name: str) -> None:
        self.rows: list[_Row] = []
        self.lost = 0
        source.until = time.monotonic() + _SECONDS
        if name not in source.tables():
            return
        place, last = _edge(source, name, "ASC", 1), _edge(source, name, "DESC", _FAR)
        failed = 0
        while place <= last and failed < _HOPELESS and time.monotonic() <= source.until:
            before = len(self.rows)
            place = self._read(source, name, place, last)
            failed = 0 if len(self.rows) > before else failed + 1
            # A page of rows is passed over in longer and longer steps.
            place += 2 ** min(failed // 40, 8) - 1

    def _read(self, source: _Source, name: str, place: int, last: int) -> int:
        """Read on from a row as far as it goes; the row after it, or after the first that cannot be read."""
        query = f"SELECT rowid, * FROM [{name}] WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
        try:
            cursor = source.db.execute(query, [place, last])
            names = [one[0] for one in cursor.description][1:]
            for cells in cursor:
                if cells[0] < place:
                    raise ValueError("a page leads back to rows that were read")
                self.rows.append(dict(zip(names, cells[1:], strict=True)))
                place = cells[0] + 1
                source.until = time.monotonic() + _SECONDS
        except (sqlite3.Error, ValueError):
            self.lost += 1
            source.failed()
            return place + 1
        return last + 1


def _edge(source: _Source, name: str, order: str, otherwise: int) -> int:
    """The first or last row's number; `otherwise` where it cannot be read."""
    try:
        found = source.db.execute(f"SELECT rowid FROM [{name}] ORDER BY rowid {order} LIMIT 1").fetchone()
    except sqlite3.Error:
        source.failed()
        return otherwise
    return int(found[0]) if found else (0 if order == "DESC" else 1)


def _mend_header(path: Path) -> None:
    """Give a file whose first bytes are gone those of a project; the rest of its first page may be whole."""
    with path.open("r+b") as file:
        head = file.read(16)
        if not (head.startswith(database.MAGIC) or encrypted(head)):
            header = bytearray(database.empty()[:100])
            pages = path.stat().st_size // _PAGE_BYTES
            # As many pages as there are, of which none is known to be free.
            struct.pack_into(">III", header, 28, pages, 0, 0)
            file.seek(0)
            file.write(header)


def _as_last_known(rows: dict[str, list[_Row]]) -> dict[str, list[_Row]]:
    """Of each tracked table the rows as the sound part of the history left them, or as they were read."""
    known: dict[str, dict[str, _Row | None]] = {table: {} for table in TRACKED}
    before = (0, START)
    for row in rows.pop("history"):
        said = {name: value for name, value in row.items() if name != "hash"}
        sound = row["seq"] == before[0] + 1 and row["hash"] == chained(before[1], said)
        before = (row["seq"], row["hash"])
        if sound and row["table_name"] in known:
            after = None if row["after"] is None else json.loads(row["after"])
            known[row["table_name"]][row["row"]] = after and present_names(row["table_name"], after)
    for table, last in known.items():
        merged = {row["uuid"]: row for row in rows[table]}
        for uuid, after in last.items():
            if after is None:
                merged.pop(uuid, None)
            else:
                merged[uuid] = {**merged.get(uuid, {}), **after}
        rows[table] = list(merged.values())
    rows["text"] = [row for row in rows["text"] if sha256(row["text"]) == row["sha256"]]
    rows["picture"] = [
        row for row in rows["picture"] if hashlib.sha256(row["bytes"]).hexdigest() == row["sha256"]
    ]
    there = {row["sha256"] for row in rows["text"]}
    rows["prompt"] = [
        row
        for row in rows["prompt"]
        if there.issuperset({row["system_sha256"], *strings(row["user_sha256"])})
    ]
    return rows


def _placed(rows: dict[str, list[_Row]]) -> tuple[sqlite3.Connection, list[_Row]]:
    """A project in memory with every row that has its place there, and the rows that have none."""
    scratch = sqlite3.connect(":memory:")
    scratch.deserialize(database.empty())
    scratch.execute("PRAGMA foreign_keys = OFF")
    orphans: list[_Row] = []
    for table in (*_KEPT, *TRACKED):
        columns = {one[1] for one in scratch.execute(f"PRAGMA table_info([{table}])")}
        for row in rows[table]:
            own = {name: value for name, value in row.items() if name in columns}
            names, marks = ", ".join(f"[{name}]" for name in own), ", ".join("?" * len(own))
            try:
                scratch.execute(f"INSERT INTO [{table}] ({names}) VALUES ({marks})", list(own.values()))
            except sqlite3.Error:
                orphans.append({"table": table, **row})
    orphans += _without_parents(scratch)
    for table, uuid in list(_unsound(Database(scratch, execute_plugins=False))):
        orphans += _taken(scratch, table, "uuid", uuid)
    orphans += _without_parents(scratch)
    try:
        stored_scheme(Path("damaged"), Database(scratch, execute_plugins=False))
    except CasespanError:
        scratch.execute("DELETE FROM scheme_file")
    return scratch, orphans


def _without_parents(scratch: sqlite3.Connection) -> list[_Row]:
    """Take out what names a row that is not there, until nothing does."""
    taken: list[_Row] = []
    while lost := scratch.execute("PRAGMA foreign_key_check").fetchall():
        for table, rowid, _, _ in lost:
            taken += _taken(scratch, table, "rowid", rowid)
    return taken


def _taken(scratch: sqlite3.Connection, table: str, column: str, value: object) -> list[_Row]:
    cursor = scratch.execute(f"DELETE FROM [{table}] WHERE {column} = ? RETURNING *", [value])
    names = [one[0] for one in cursor.description]
    return [{"table": table, **dict(zip(names, cells, strict=True))} for cells in cursor]


def _unsound(db: Database) -> Iterator[tuple[str, str]]:
    """Sections that do not make up their report any more, and spans that are not in its text: table, UUID."""
    texts = {uuid: text for uuid, text in db.execute(_TEXTS)}
    sections: dict[str, list[_Row]] = {}
    for row in db.query("SELECT * FROM section ORDER BY document, position"):
        sections.setdefault(row["document"], []).append(row)
    for document, rows in sections.items():
        if tiling_fault([section_of(row) for row in rows], len(texts[document])):
            yield from (("section", row["uuid"]) for row in rows)
    for row in db.query("SELECT * FROM annotation"):
        if span_fault(row, texts[row["document"]]):
            yield "annotation", row["uuid"]


_TEXTS = "SELECT uuid, text FROM document JOIN text ON sha256 = text_sha256"


def _fill(db: Database, out: Path, scratch: sqlite3.Connection, meta: Sequence[_Row]) -> None:
    """Put what has its place into the new project, as one act that cannot be undone."""
    folder = asset("guidelines", "clinical14")
    scheme = load_scheme(folder)
    act = Act(Project(out, db, scheme, None), Header("rescue", "casespan", undoable=False))
    for table in _KEPT:
        insert_rows(db, table, _rows(scratch, table))
    for table in TRACKED:
        act.insert_all(table, _rows(scratch, table))
    if not scratch.execute("SELECT 1 FROM scheme_file WHERE name = ?", [SCHEME_FILE]).fetchone():
        keep_scheme(act, folder)
    owner = next((row["value"] for row in meta if row["key"] == "owner"), "")
    db.table("meta").insert({"key": "owner", "value": owner})
    act.write_history()


def _rows(scratch: sqlite3.Connection, table: str) -> list[_Row]:
    cursor = scratch.execute(f"SELECT * FROM [{table}] ORDER BY rowid")
    names = [one[0] for one in cursor.description]
    return [dict(zip(names, cells, strict=True)) for cells in cursor]


def _counted(scratch: sqlite3.Connection, table: str, wanted: Mapping[str, list[_Row]], lost: int) -> Rescued:
    saved = int(scratch.execute(f"SELECT count(*) FROM [{table}]").fetchone()[0])
    # What the history gave back is not lost; of the others it is not known how many there were.
    gone = len(wanted[table]) - saved + (lost if table in _KEPT else 0)
    return Rescued(table, saved, max(gone, 0))


def _write_lines(path: Path, rows: Sequence[_Row]) -> None:
    if rows:
        plain = ({name: _plain(value) for name, value in row.items()} for row in rows)
        text = "".join(f"{canonical(row)}\n" for row in plain)
        path.touch(mode=0o600)
        path.write_text(text, encoding="utf-8", newline="\n", errors="backslashreplace")


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value

"""What can still be read of a damaged project, in a new one."""

from __future__ import annotations

import sqlite3
import struct
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from app.store import database
from app.store.act import Act, Header
from app.store.chain import TRACKED
from app.store.copies.placing import FALLBACK, KEPT, Row, add_branch, as_last_known, placed, sound_part
from app.store.creation import keep_scheme
from app.store.faults import translated
from app.store.keys import Key, encrypted, key_of
from app.store.project import Project
from app.store.sqlite import Database, connect, insert_rows
from app.store.values import canonical
from extractors.model.errors import LockedProjectError, ProjectError
from extractors.model.scheme import SCHEME_FILE, load_scheme

_PAGE_BYTES = 4096
# For how long a table is read without finding a row.
_SECONDS = 3.0
# Where a table's last row cannot be read it is looked for so far, and given up after so many failures.
_FAR, _HOPELESS = 10_000_000, 400


@dataclass(frozen=True, slots=True)
class Rescued:
    """How many rows of a table were saved, how many that were there once were not, and the UUIDs of those of
    which a damaged history says otherwise."""

    table: str
    saved: int
    lost: int
    in_doubt: tuple[str, ...] = ()


def rescue(damaged: Path, out: Path) -> list[Rescued]:
    """Read a damaged project as far as it goes into a new project at `out`, whose history begins with that.

    What a table cannot give any more comes from the history, and what differs from it as the history has it,
    or is in doubt where the history is damaged. The former history stands in it as that of a copy, up to its
    first fault, so that copies and packets of before can be merged; all of it is written beside it as
    OUT.history.jsonl, rows without a place and those in doubt as OUT.lost.jsonl. Where the damaged file is
    encrypted so is the new one, and these two are left out. The damaged file is not touched. Raises
    ProjectError where `out` exists or nothing can be read, StorageError.
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
        for ending in ("", "-wal", "-journal"):
            with suppress(FileNotFoundError):
                copyfile(damaged.with_name(damaged.name + ending), copy.with_name(copy.name + ending))
        _mend_header(copy)
        try:
            key = key_of(copy)
        except LockedProjectError as error:
            # The user knows nothing of the copy.
            raise LockedProjectError(str(error).replace(str(copy), str(damaged)), wrong=error.wrong) from None
        with translated(damaged), closing(_Source(copy, key)) as source:
            read = {table: _Read(source, table) for table in (*KEPT, "meta", "history", *TRACKED)}
    if not any(one.rows for one in read.values()):
        raise ProjectError(f"Nothing can be read of {damaged} any more; go back to a copy.")
    owner = next((row["value"] for row in read["meta"].rows if row["key"] == "owner"), "")
    history = read["history"].rows
    former = sound_part(history)
    noted = [row["value"] for row in read["meta"].rows if row["key"] == "chain_count"]
    known = int(noted[0]) if noted and noted[0].isdecimal() else read["history"].lost + len(history)
    wanted, doubts = as_last_known({name: one.rows for name, one in read.items()}, known)
    add_branch(wanted, former, damaged.name, owner)
    scratch, orphans = placed(wanted)
    orphans += [{"table": name, **row} for name, one in read.items() for row in one.broken]
    lost = {name: one.lost for name, one in read.items()}
    # No history tells of pictures: of those that left no trace figures do.
    named = {row["sha256"] for row in orphans if row["table"] == "picture"}
    lost["picture"] = max(lost["picture"], len(named))
    with closing(scratch):
        database.create_database(out, lambda db: _fill(db, out, scratch, owner), key)
        found = [_counted(scratch, name, wanted, lost[name], doubts) for name in (*KEPT, *TRACKED)]
    found.append(Rescued("history", len(former), max(known, len(history)) - len(former)))
    if key is None:
        _write_lines(out.with_name(f"{out.stem}.history.jsonl"), history)
        _write_lines(out.with_name(f"{out.stem}.lost.jsonl"), orphans + doubts)
    return [one for one in found if one.saved or one.lost or one.in_doubt]


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
            return frozenset((*KEPT, "meta", "history", *TRACKED))

    def failed(self) -> None:
        """Go on after a page that cannot be read: SQLCipher would read no other after it."""
        if self._key is not None:
            self.db.close()
            self._connect()

    def close(self) -> None:
        self.db.close()


class _Read:
    """The rows of a table that can be read, in their order, how many cannot, and those in which a cell is of
    another type than it can be."""

    def __init__(self, source: _Source, name: str) -> None:
        self.rows: list[Row] = []
        self.broken: list[Row] = []
        self.lost = 0
        self._types = _types(name)
        # Columns of these came with versions.
        self._needed = list(self._types)[: 1 if name in (*TRACKED, "prompt") else None]
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
            if len(names) == len(self._types):
                # A damaged schema may call them otherwise.
                names = list(self._types)
            for cells in cursor:
                if cells[0] < place:
                    raise ValueError("a page leads back to rows that were read")
                row = dict(zip(names, cells[1:], strict=True))
                whole = all(name in row for name in self._needed) and all(
                    type(row[name]) in kinds for name, kinds in self._types.items() if name in row
                )
                (self.rows if whole else self.broken).append(row)
                self.lost += not whole
                place = cells[0] + 1
                source.until = time.monotonic() + _SECONDS
        except (sqlite3.Error, ValueError):
            self.lost += 1
            source.failed()
            return place + 1
        return last + 1


def _types(table: str) -> dict[str, tuple[type, ...]]:
    """What the cells of a table's columns can be."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(database.empty())
        columns = db.execute(f"PRAGMA table_info([{table}])").fetchall()
    kinds = {"TEXT": str, "INTEGER": int, "REAL": float, "BLOB": bytes}
    return {
        name: (kinds[kind],) if given else (kinds[kind], type(None)) for _, name, kind, given, *_ in columns
    }


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


def _fill(db: Database, out: Path, scratch: sqlite3.Connection, owner: str) -> None:
    """Put what has its place into the new project, as one act that cannot be undone."""
    act = Act(Project(out, db, load_scheme(FALLBACK), None), Header("rescue", "casespan", undoable=False))
    for table in KEPT:
        insert_rows(db, table, _rows(scratch, table))
    for table in TRACKED:
        act.insert_all(table, _rows(scratch, table))
    if not scratch.execute("SELECT 1 FROM scheme_file WHERE name = ?", [SCHEME_FILE]).fetchone():
        keep_scheme(act, FALLBACK)
    db.table("meta").insert({"key": "owner", "value": owner})
    act.write_history()


def _rows(scratch: sqlite3.Connection, table: str) -> list[Row]:
    cursor = scratch.execute(f"SELECT * FROM [{table}] ORDER BY rowid")
    names = [one[0] for one in cursor.description]
    return [dict(zip(names, cells, strict=True)) for cells in cursor]


def _counted(
    scratch: sqlite3.Connection,
    table: str,
    wanted: Mapping[str, list[Row]],
    lost: int,
    doubts: Sequence[Row],
) -> Rescued:
    saved = int(scratch.execute(f"SELECT count(*) FROM [{table}]").fetchone()[0])
    # What the history gave back is not lost; of the others it is not known how many there were.
    gone = len(wanted[table]) - saved + (lost if table in KEPT else 0)
    in_doubt = tuple(one["uuid"] for one in doubts if one["table"] == table)
    return Rescued(table, saved, max(gone, 0), in_doubt)


def _write_lines(path: Path, rows: Sequence[Row]) -> None:
    if rows:
        plain = ({name: _plain(value) for name, value in row.items()} for row in rows)
        text = "".join(f"{canonical(row)}\n" for row in plain)
        path.touch(mode=0o600)
        path.write_text(text, encoding="utf-8", newline="\n", errors="backslashreplace")


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value

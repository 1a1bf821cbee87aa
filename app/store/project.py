"""An open project file: where it is, which scheme it follows, and what is read from it."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from app.store import database
from app.store.faults import busy, damaged, translated
from app.store.former_colours import with_present_colours
from app.store.locks import WriterLock, take_lock
from app.store.place import Place, empty_log
from app.store.sqlite import Database
from app.store.values import sha256
from extractors.model.errors import SchemeError, StorageError
from extractors.model.scheme import SCHEME_FILE, Scheme, parse_scheme

# After which it is not known what SQLCipher still reads.
_FAULTS = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class Project:
    """A project file in use. Use it as a context manager, in one thread, and close it.

    `path` is the file, `scheme` the copy of the scheme inside it, `owner` whoever made it, `writable` whether
    acts are allowed. `db` is for the store's own modules: nobody else speaks SQL.
    """

    def __init__(self, path: Path, db: Database, scheme: Scheme, lock: WriterLock | None) -> None:
        self.path = path
        self.db = db
        self.scheme = scheme
        self._lock = lock
        self._place = Place(path, watched=lock is not None)
        # Where all is that was in memory when another program wrote over the file.
        self._refuge: Path | None = None
        self._closed = False
        # Between two connections: the old one was closed and the new one could not be opened yet.
        self._severed = False
        # Whether SQLite writes no log for now, and whether that should have ended.
        self._without_log = self._log_due = False
        self._columns: dict[str, frozenset[str]] = {}

    @property
    def writable(self) -> bool:
        """Whether the project was opened for writing."""
        return self._lock is not None

    @property
    def alone(self) -> bool:
        """Whether nobody else can even read it meanwhile: its disk does not lock files."""
        return self._lock is not None and self._lock.alone

    @property
    def caveat(self) -> str:
        """What is to be known of the way in which it is open, "" for nothing."""
        if not self.alone:
            return ""
        return (
            f"{self.path} is on a disk that does not lock files (a network folder?): it is open here alone, "
            "nobody can read it meanwhile, and another computer may get in; better work on a copy here."
        )

    @property
    def acting(self) -> bool:
        """Whether an act is under way, during which no other can begin."""
        return not self._severed and self.db.conn.in_transaction

    @property
    def owner(self) -> str:
        """The annotator named when the project was made, whose acts these are by default; "" for nobody."""
        rows = self.query("SELECT value FROM meta WHERE key = 'owner'")
        return str(rows[0]["value"]) if rows else ""

    @classmethod
    def open(cls, path: Path, *, write: bool = False, unchanged: bool = False) -> Self:
        """Open a project; for writing it is ours alone until closed, reading never waits and never writes.

        A file of an older version is copied beside itself and migrated, whichever way it is opened, unless it
        is to stay `unchanged`: then a copy in memory is migrated and read. Raises ProjectError,
        ProjectBusyError or StorageError.
        """
        database.require_project(path)
        lock = take_lock(path) if write else None
        try:
            reader = database.open_unchanged if unchanged else readable
            db = database.open_for_writing(path, alone=lock.alone) if lock is not None else reader(path)
            try:
                return cls(path, db, stored_scheme(path, db), lock)
            except BaseException:
                db.close()
                raise
        except BaseException:
            if lock is not None:
                lock.release()
            raise

    def hasten(self) -> None:
        """Leave it to the system when the disk is written to: the last acts are lost if the machine fails,
        not if the program does.
        """
        if not self.alone:
            self.db.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def without_log(self) -> Iterator[None]:
        """For an act that brings much: it goes into the file at once, not into SQLite's log before.

        Others cannot read while more is written than memory holds. Where somebody is reading when it begins,
        all goes as ever.
        """
        if not self.alone:
            self._keep_log(kept=False)
        try:
            yield
        finally:
            if self._without_log:
                self._keep_log(kept=True)

    def _keep_log(self, *, kept: bool) -> None:
        """Have SQLite write a log, or none; where others are reading, that stays as it is."""
        self._log_due = kept
        ours = self.in_place and not (self._severed or self._closed or self._refuge or self.overwritten)
        if self.acting or not ours:
            return
        with suppress(sqlite3.Error):
            self.db.enable_wal() if kept else self.db.disable_wal()
            self.db.execute("SELECT 1 FROM meta").fetchone()
            self._without_log, self._log_due = not kept, False
        self._place.take()

    def reread_scheme(self) -> None:
        """Take the scheme as the file has it now: a guideline was amended, or an amendment undone."""
        self.scheme = stored_scheme(self.path, self.db)

    @property
    def in_place(self) -> bool:
        """Whether the file under the project's name is still the one that was opened."""
        return self._place.holds

    def require_in_place(self) -> None:
        """Make sure that what is written next reaches the file under the project's name; quick.

        Raises StorageError where that is no longer the file that was opened; a file put in its place is
        never written to. Once the first file is back, the project goes on in it.
        """
        if self.overwritten:
            self._save_what_is_in_memory()
        if self._refuge is not None:
            raise _overwritten(self.path, self._refuge)
        if self._log_due:
            self._keep_log(kept=True)
        holds = self.in_place
        if holds and self._severed:
            self._connect()
            return
        if holds and (self._closed or not self.writable or self._place.log_holds):
            return
        if holds and not self.acting:
            self._reopen()
            return
        self.step_aside()
        raise self._place.fault()

    @property
    def overwritten(self) -> bool:
        """Whether another program has just been found to have written into the file while it was open."""
        watched = self.writable and not (self._closed or self._severed or self._refuge or self._spills)
        return watched and self.in_place and self._place.overwritten

    @property
    def _spills(self) -> bool:
        """Whether SQLite may just be writing into the file itself: without its log it does before an act
        ends that is larger than its memory."""
        return (self.alone or self._without_log) and self.acting

    def commit(self) -> None:
        """Commit the act under way; raises as `require_in_place`, of a file written over after it."""
        if overwritten := self.overwritten:
            # Into the log alone: what is written there is read from there when all is saved elsewhere.
            self.db.execute("PRAGMA wal_autocheckpoint = 0")
        else:
            self.require_in_place()
        self.db.execute("COMMIT")
        if overwritten:
            self.require_in_place()
        self._place.note()

    def _save_what_is_in_memory(self) -> None:
        """Go on reading in a new file beside the one that was overwritten, which is left as it is."""
        refuge, number = self.path.with_name(f"{self.path.stem} (saved).casespan"), 2
        while any(file.exists() for file in (refuge, *database.companions(refuge))):
            refuge, number = self.path.with_name(f"{self.path.stem} (saved {number}).casespan"), number + 1
        database.copy_database(self.db, refuge)
        self._leave()
        self._refuge = refuge
        self.db = readable(refuge)

    def _leave(self) -> None:
        self._place.leave()
        with suppress(sqlite3.Error):
            self.db.close()
        self._place.clear_beside()

    def step_aside(self) -> None:
        """Leave nothing of the project beside a file that was put in its place; not during an act."""
        if self.overwritten and not self.acting:
            self._save_what_is_in_memory()
        if self.writable and not (
            self._refuge or self._closed or self._severed or self.acting or self.in_place
        ):
            self._place.step_aside(self.db)

    def give_up(self, error: BaseException) -> None:
        """Roll back what an error broke off; after a fault of the disk go on with a new connection.

        SQLCipher would read nothing any more, and what cannot be rolled back would pass for an act.
        """
        with suppress(sqlite3.Error):
            self._roll_back()
        self.step_aside()
        codes = (getattr(one, "sqlite_errorcode", 0) & 0xFF for one in (error, error.__cause__))
        faulty = self.db.key is not None and bool(_FAULTS.intersection(codes))
        if self.writable and not (self._refuge or self._severed) and (faulty or self.acting):
            with suppress(sqlite3.Error):
                self.db.close()
            self._severed = True

    def _roll_back(self) -> None:
        spilt = self._spills
        self.db.rollback()
        if spilt:
            self._place.note()

    def close(self) -> None:
        """Close the file and let others write; an act under way is rolled back.

        A file that was put in the project's place meanwhile is left as it is.
        """
        try:
            if not self._closed and not self._severed:
                self._roll_back()
                try:
                    self.step_aside()
                finally:
                    self._leave() if self.overwritten else self.db.close()
        finally:
            self._closed = True
            self._place.close()
            if self._lock is not None:
                self._lock.release()

    def _reopen(self) -> None:
        """Go on in the file with a new log: the old one lost its name, and nobody else would find it."""
        with translated(self.path):
            if not empty_log(self.db):
                # Some of the log may be in the file by now.
                self._place.note()
                raise busy(self.path)
        # Not the other way round: SQLite would share the index of the old log with the new connection.
        self.db.close()
        self._severed = True
        self._connect()

    def _connect(self) -> None:
        # Cursors that an error still holds keep the old connection half open, with its locks.
        gc.collect()
        self.db = database.open_for_writing(self.path, alone=self.alone)
        self._place.close()
        self._place = Place(self.path, watched=True)
        self._severed = self._without_log = self._log_due = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def query(self, sql: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
        """All rows of one SELECT; for the store's own modules.

        Raises DamagedProjectError, ProjectBusyError or StorageError where SQLite cannot read.
        """
        with self._reading():
            # `query` of sqlite-utils has two more statements around each, in case it is no SELECT.
            rows = self.db.execute(sql, parameters)
            names = [column[0] for column in rows.description]
            return [dict(zip(names, row, strict=True)) for row in rows]

    def tuples(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """As `query`, of thousands of rows in half the time: the cells in the order of the SELECT."""
        with self._reading():
            return list(self.db.execute(sql, parameters))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        if self._severed:
            self.require_in_place()
        acting = self.acting
        with translated(self.path):
            try:
                yield
            except sqlite3.DatabaseError as error:
                if not acting:
                    # A query that the disk broke off would pass for an act that is under way.
                    self.give_up(error)
                if isinstance(error, sqlite3.OperationalError) and str(error).startswith("no such"):
                    raise damaged(self.path, f"there is {error}") from error
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let several queries see the project at one moment, whatever a writer does meanwhile.

        Raises what `query` raises.
        """
        with self._reading(), self.db.atomic():
            yield

    def columns(self, table: str) -> frozenset[str]:
        """The column names of a table."""
        if table not in self._columns:
            # Asked for each table of each copy that is brought in; sqlite-utils would find their types, too.
            rows = self.db.execute("SELECT name FROM pragma_table_info(?)", [table])
            self._columns[table] = frozenset(name for (name,) in rows)
        return self._columns[table]


def _overwritten(path: Path, refuge: Path) -> StorageError:
    return StorageError(
        f"{path} was written over by another program while it was open; nothing more is saved there, and it "
        f"is left as it is. What was in memory is in {refuge}: run `casespan check` on it and work on there, "
        "or go back to a copy if it finds anything."
    )


def readable(path: Path) -> Database:
    """A connection for reading; an older file is opened for writing first, which migrates it.

    Raises ProjectError, ProjectBusyError or StorageError.
    """
    while (db := database.open_for_reading(path)) is None:
        Project.open(path, write=True).close()
    return db


def stored_scheme(path: Path, db: Database) -> Scheme:
    """The scheme from its files inside the project.

    Raises DamagedProjectError where they are not what they were.
    """
    with translated(path):
        rows = list(
            db.query("SELECT name, text_sha256, text FROM scheme_file JOIN text ON sha256 = text_sha256")
        )
    if any(sha256(row["text"]) != row["text_sha256"] for row in rows):
        raise damaged(path, "the stored scheme was changed")
    texts: Mapping[str, str] = {row["name"]: row["text"] for row in rows}
    guidelines = {name.removesuffix(".md"): text for name, text in texts.items() if name != SCHEME_FILE}
    try:
        scheme = parse_scheme(texts[SCHEME_FILE], guidelines, f"{path}, {SCHEME_FILE}")
        return _with_clauses(path, db, with_present_colours(scheme))
    except (KeyError, SchemeError) as error:
        raise damaged(path, f"the stored scheme cannot be read ({error})") from error


def _with_clauses(path: Path, db: Database, scheme: Scheme) -> Scheme:
    """The scheme whose categories name the clauses that came by amendment."""
    with translated(path):
        rows = list(db.query("SELECT category, clause FROM amendment WHERE clause <> '' ORDER BY position"))
    clauses: dict[str, tuple[str, ...]] = {}
    for row in rows:
        clauses[row["category"]] = (*clauses.get(row["category"], ()), row["clause"])
    categories = (replace(one, amended=clauses.get(one.id, ())) for one in scheme.categories)
    return replace(scheme, categories=tuple(categories)) if clauses else scheme

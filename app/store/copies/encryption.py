"""A project and the copies that are kept of it written anew: encrypted, with another key, or plain."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path

from app.store import database
from app.store.copies.backups import backups_of
from app.store.faults import busy, damaged, translated
from app.store.keys import Key, key_of
from app.store.locks import take_lock
from app.store.project import Project
from app.store.sqlite import connect
from extractors.model.errors import StorageError, reason_of

# What a file says of itself outside its tables.
_SAID = ("application_id", "user_version")


def recode(path: Path, key: Key | None) -> list[Path]:
    """Write a project with this key, or plain without one, and all copies that are kept beside it; the files.

    Whoever is interrupted begins again and leaves none out; no copy is plain while the project is encrypted.
    Raises LockedProjectError where a copy has another passphrase, ProjectBusyError where the project is in
    use, ProjectError, StorageError; each file is then whole, as it was or as it was to be.
    """
    # Writes out what its log still holds, and brings an old file to this version.
    Project.open(path, write=True).close()
    lock = take_lock(path)
    try:
        files = [*copies_of(path), path] if key else [path, *copies_of(path)]
        for file in files:
            key_of(file)  # all or none: a passphrase that is missing shows before anything is written
        for file in files:
            _recode_file(file, key, database.recoded_draft(path))
    finally:
        lock.release()
    return files


def copies_of(path: Path) -> list[Path]:
    """The copies beside a project that were kept without asking."""
    before = sorted(path.parent.glob(f"{_literal(path.name)}.v*.bak"))
    return [*(one.path for one in backups_of(path)), *before]


def _literal(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _recode_file(path: Path, key: Key | None, draft: Path) -> None:
    try:
        with translated(path):
            database.make_private(draft)
            with closing(connect(str(path.resolve()), key_of(path), recoding=True)) as db:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                db.execute("ATTACH DATABASE ? AS target KEY ?", [str(draft), key.pragma if key else ""])
                db.execute("SELECT sqlcipher_export('target')").fetchall()
                for name in _SAID:
                    db.execute(f"PRAGMA target.{name} = {db.execute(f'PRAGMA {name}').fetchone()[0]:d}")
                db.commit()
                if any(not _same(db, table) for table in _tables(db)):
                    raise damaged(path, "not every row can be read")
        if any(beside.exists() for beside in database.companions(path)):
            raise busy(path)  # somebody reads it: SQLite's log would be taken for that of the new file
        os.replace(draft, path)
        database.sync_folder(path)
    except OSError as error:
        raise StorageError(f"{path} could not be written anew: {reason_of(error)}.", error) from error
    finally:
        database.remove(draft)


def _tables(db: sqlite3.Connection) -> Iterator[str]:
    """The tables whose rows are stored, each as the rows are asked for, in an order that both files have."""
    for _, name, kind, _, without_rowid, _ in db.execute("PRAGMA main.table_list").fetchall():
        if kind in ("table", "shadow") and not name.startswith("sqlite_schema"):
            yield f"{'*' if without_rowid else 'rowid, *'} FROM {{}}.[{name}]" + (
                "" if without_rowid else " ORDER BY rowid"
            )


def _same(db: sqlite3.Connection, rows: str) -> bool:
    ours, theirs = (db.execute(f"SELECT {rows.format(schema)}") for schema in ("main", "target"))
    return all(one == other for one, other in zip_longest(ours, theirs))

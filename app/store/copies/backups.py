"""Copies that are kept without asking, a project put back from one, and all written with another key."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path

from app.store import database
from app.store.chain import read_chain
from app.store.check import check
from app.store.faults import busy, damaged, translated
from app.store.keys import Key, key_of
from app.store.locks import take_lock
from app.store.project import Project
from app.store.sqlite import connect
from extractors.model.errors import CasespanError, ProjectError, StorageError, reason_of

# STEM.20261122T213000Z.opened.0a1b2c3d4e5f.casespan: when, why, and the end of the history at that moment.
_NAME = re.compile(r"\.(\d{8}T\d{6}Z)\.([a-z]+)\.([0-9a-f]{12})(?:-\d+)?\.casespan$")
_TIME = "%Y%m%dT%H%M%SZ"
# Of the last day all are kept, then the last of a day, of a week, and from then on of a month.
_ALL, _DAILY, _WEEKLY = timedelta(days=1), timedelta(days=14), timedelta(days=70)
# Whatever their age, as a clock that is wrong by years makes all of them old at once.
_LATEST = 5


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy: when it was made (UTC), why ("opened", "merge", "restore", "asked"), the end of its history."""

    path: Path
    made: datetime
    reason: str
    head: str


def backup_folder(path: Path) -> Path:
    """Where the copies of a project stand if no other folder is named: beside it."""
    return path.with_name(f"{path.stem}.backups")


def backups_of(path: Path, folder: Path | None = None) -> list[Backup]:
    """The copies of a project, the latest first."""
    where = folder or backup_folder(path)
    found = []
    for file in where.glob("*.casespan") if where.is_dir() else ():
        if (match := _NAME.search(file.name)) and file.name[: match.start()] == path.stem:
            made = datetime.strptime(match[1], _TIME).replace(tzinfo=UTC)
            found.append(Backup(file, made, match[2], match[3]))
    return sorted(found, key=lambda one: (one.made, one.path.name), reverse=True)


def back_up(project: Project, reason: str, folder: Path | None = None) -> Path | None:
    """Copy an open project beside it, or into `folder`; None where a copy has all of it.

    Copies that are no longer kept for their age are removed. Raises StorageError where the copy cannot be
    written, what `Project.query` raises where the project cannot be read.
    """
    if project.writable:
        project.require_in_place()
    kept = backups_of(project.path, folder)
    head = read_chain(project.db)[0][:12]
    if any(one.head == head for one in kept):
        look_through(project)
        return None
    target = _free_name(project.path, reason, head, folder)
    database.copy_database(project.db, target)
    for old in superseded(backups_of(project.path, folder), datetime.now(UTC)):
        old.path.unlink(missing_ok=True)
    return target


def look_through(project: Project) -> None:
    """Read all of a project: finds damage early, and has it in memory, from where it can be saved.

    Raises DamagedProjectError.
    """
    if (given := project.tuples("PRAGMA quick_check(1)")[0][0]) != "ok":
        raise damaged(project.path, f"the file is damaged ({given})")


def superseded(backups: Sequence[Backup], now: datetime) -> Iterator[Backup]:
    """Those that need not be kept: of each day, week or month only the latest is, the older they are."""
    kept: set[str] = set()
    for place, one in enumerate(sorted(backups, key=lambda one: one.made, reverse=True)):
        age = now - one.made
        if age <= _ALL or place < _LATEST:
            continue
        period = "%Y-%m-%d" if age <= _DAILY else "%G-W%V" if age <= _WEEKLY else "%Y-%m"
        span = one.made.strftime(period)
        if span in kept:
            yield one
        kept.add(span)


def restore(path: Path, backup: Path, folder: Path | None = None) -> Path | None:
    """Put a copy in the place of a project and return where what was there is kept, None if nothing was.

    Raises DamagedProjectError where the copy is not whole, ProjectBusyError where the project is in use,
    ProjectError, StorageError; then the project is as it was.
    """
    problems = check(backup)
    if problems:
        raise damaged(backup, f"it is not whole ({problems[0].message})")
    if path.exists() and backup.samefile(path):
        raise ProjectError(f"{backup} is the project itself; name one of its copies.")
    head = _end_of_history(path)
    lock = take_lock(path)
    try:
        kept = _free_name(path, "restore", head, folder) if path.exists() else None
        with closing(database.open_unchanged(backup)) as copy:
            database.copy_database(copy, path, kept)
    finally:
        lock.release()
    return kept


def _end_of_history(path: Path) -> str:
    """As a name has it; zeros where it cannot be read. What a log still holds is in the file then."""
    try:
        with Project.open(path, write=True) as project:
            return read_chain(project.db)[0][:12]
    except (CasespanError, ValueError):
        return "0" * 12


def _free_name(path: Path, reason: str, head: str, folder: Path | None) -> Path:
    where = folder or backup_folder(path)
    try:
        where.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{where} could not be made: {reason_of(error)}.", error) from error
    stem = f"{path.stem}.{datetime.now(UTC).strftime(_TIME)}.{reason}.{head}"
    target, number = where / f"{stem}.casespan", 2
    while target.exists():
        target, number = where / f"{stem}-{number}.casespan", number + 1
    return target


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

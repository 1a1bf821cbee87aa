"""The SQLite file itself: created whole or not at all, recognised, migrated, opened to read or to write."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path, PurePath
from urllib.parse import quote

from app.store.faults import damaged, disk_full, translated
from app.store.heads import first_bytes
from app.store.keys import Key, encrypted, key_of
from app.store.locks import require_no_writer_alone
from app.store.migrations import STEPS, migrate
from app.store.seal import seal, seal_if_open
from app.store.sqlite import IN_MEMORY, Database, Step, connect
from extractors.model.errors import ProjectError, StorageError, reason_of

# "CSSP", at byte 68 of the file; names the format to `file` and to other programs.
APPLICATION_ID = 0x43535350
SUFFIX = ".casespan"
MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_BUSY_SECONDS = 1.0


def create_database(path: Path, fill: Callable[[Database], None], key: Key | None = None) -> None:
    """Make a project file at `path`, with every table and what `fill` puts in, encrypted where there is a
    key; nothing is left if that fails.

    Raises ProjectError where `path` exists, StorageError where it cannot be written, and whatever `fill`
    raises.
    """
    # In memory first: on disk, each step would be waited for.
    with translated(path), closing(_in_memory(key)) as db:
        if key is None:
            db.conn.deserialize(empty())
        else:
            _make_tables(db)
        with db.atomic():
            fill(db)
            seal(db)
        copy_database(db, path)


@cache
def empty() -> bytes:
    """A project file before anything is put in; its hundred tables and indexes are made once for all."""
    with closing(_in_memory(None)) as db:
        _make_tables(db)
        return db.conn.serialize()


def _make_tables(db: Database) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
    migrate(db)


def _in_memory(key: Key | None) -> Database:
    return _prepared(connect(IN_MEMORY, key), key)


def copy_database(db: Database, path: Path, kept: Path | None = None) -> None:
    """Write all that a connection sees into a new file at `path`, encrypted as what it sees is; nothing is
    left if that fails. A file that is there goes by the name `kept` then, if there is one.

    Raises ProjectError where `path` exists or an act is under way, StorageError where it cannot be written.
    """
    draft = draft_of(path)
    try:
        with translated(path):
            _copy(db, draft)
        if kept is None:
            _publish(draft, path)
        else:
            take_place(draft, path, kept)
    except OSError as error:
        raise StorageError(f"{path} could not be created: {reason_of(error)}.", error) from error
    finally:
        remove(draft)


def draft_of(path: Path) -> Path:
    """Where a file is written that will have this path once it is whole."""
    return path.with_name(f".{path.name}.{os.getpid()}.new")


def recoded_draft(path: Path) -> Path:
    """Where a project and its copies are written with another key, or plain; under its lock alone."""
    return path.with_name(f".{path.name}.recoded")


def _copy(db: Database, target: Path) -> None:
    make_private(target)

    def tell(status: int, _remaining: int, _total: int) -> None:
        # Python tries for ever what SQLite refuses the connection that is writing.
        if status == sqlite3.SQLITE_BUSY and db.conn.in_transaction:
            raise ProjectError("Work on the project is under way; save the copy when it has ended.")

    with closing(connect(str(target), db.key)) as copy:
        db.conn.backup(copy, progress=tell)


def make_private(path: Path) -> None:
    """An empty file that nobody but its owner may read; SQLite gives the files beside it the same rights."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def take_place(draft: Path, path: Path, kept: Path) -> None:
    """Give a finished file the name of a closed project, which is `kept` under another, with what SQLite may
    have left beside it; at no moment is there none under `path`. Raises OSError."""
    try:
        for file, new in zip((path, *companions(path)), (kept, *companions(kept)), strict=True):
            if file.exists():
                _name_too(file, new)
    except OSError:
        with suppress(OSError):
            remove(kept)
        raise
    for beside in companions(path):
        beside.unlink(missing_ok=True)
    os.replace(draft, path)
    sync_folder(path)


def _name_too(file: Path, new: Path) -> None:
    try:
        os.link(file, new)
    except OSError:  # another disk, or one without hard links
        make_private(new)
        shutil.copyfile(file, new)
        with new.open("r+b") as copied:
            os.fsync(copied.fileno())


def remove(path: Path) -> None:
    """Remove a closed project file with what SQLite may have left beside it, as far as there is any."""
    for file in (path, *companions(path)):
        file.unlink(missing_ok=True)


def open_for_writing(path: Path, steps: Sequence[Step] = STEPS, *, alone: bool = False) -> Database:
    """A connection that may change the project; an older file is copied, then migrated.

    The caller holds the writer's lock; `alone` where the disk does not lock: then others cannot read. Raises
    ProjectError (DamagedProjectError where the file is damaged), ProjectBusyError or StorageError.
    """
    require_project(path)
    if not os.access(path, os.W_OK):
        raise StorageError(f"{path} may not be written to; change its permissions or work on a copy.")
    with translated(path):
        # Whoever was killed while it was made plain has left it there plain.
        try:
            remove(recoded_draft(path))
        except OSError as error:
            raise StorageError(f"{path} could not be opened: {reason_of(error)}.", error) from error
        db = _connect(path, "mode=rw")
        try:
            version = _known_version(path, db, len(steps))
            _prepare_for_writing(db, alone=alone)
            # Finds out now, not at the first change, that writing is refused: where SQLite could not open the
            # file to write it has opened it to read.
            db.execute("BEGIN IMMEDIATE")
            db.execute(f"PRAGMA user_version = {version:d}")
            db.execute("ROLLBACK")
            if version < len(steps):
                _back_up(path, db)
                migrate(db, steps)
            seal_if_open(db)
        except BaseException:
            db.close()
            raise
        return db


def open_for_reading(path: Path, steps: Sequence[Step] = STEPS) -> Database | None:
    """A connection that cannot change the project, or None where the file must be migrated first.

    Raises ProjectError where `path` is no project of ours or is newer than the program, DamagedProjectError
    where it is damaged, ProjectBusyError or StorageError where it cannot be opened now.
    """
    db, version = _reader(path, len(steps))
    if version == len(steps):
        return db
    db.close()
    return None


def open_unchanged(path: Path, steps: Sequence[Step] = STEPS) -> Database:
    """As `open_for_reading`; of a file of an older version a copy in memory, and that is migrated."""
    db, version = _reader(path, len(steps))
    if version == len(steps):
        return db
    copy = _in_memory(db.key)
    try:
        with translated(path), closing(db):
            db.conn.backup(copy.conn)
            migrate(copy, steps)
            copy.execute("PRAGMA query_only = ON")
    except BaseException:
        copy.close()
        raise
    return copy


def _reader(path: Path, known: int) -> tuple[Database, int]:
    require_project(path)
    require_no_writer_alone(path)
    with translated(path):
        db = _connect(path, _reading_mode(path))
        try:
            db.execute("PRAGMA query_only = ON")
            return db, _known_version(path, db, known)
        except BaseException:
            db.close()
            raise


def sqlite_uri(path: PurePath, parameters: str) -> str:
    """The URI under which SQLite opens an absolute path, with parameters such as "mode=ro".

    The authority stays empty: SQLite refuses file://server/share/x, which is what `as_uri` makes of a folder
    on a Windows server (https://www.sqlite.org/uri.html). A name of undecodable bytes keeps its bytes.
    """
    plain = path.as_posix()
    root = "" if plain.startswith("/") else "/"
    return f"file://{root}{quote(plain, safe='/:', errors='surrogateescape')}?{parameters}"


def _connect(path: Path, mode: str) -> Database:
    uri, key = sqlite_uri(path.resolve(), mode), key_of(path)
    return _prepared(connect(uri, key, uri=True, timeout=_BUSY_SECONDS), key)


def _prepared(connection: sqlite3.Connection, key: Key | None) -> Database:
    # Plugins that other programs registered with sqlite-utils have no business in a project file.
    db = Database(connection, execute_plugins=False)
    db.key = key
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def _prepare_for_writing(db: Database, *, alone: bool) -> None:
    if alone:
        # SQLite's log wants memory that all share, and locks.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = DELETE")
    else:
        db.enable_wal()
    db.execute("PRAGMA synchronous = FULL")
    # Kibibytes: what is in memory is what can be saved when another program writes over the file.
    db.execute("PRAGMA cache_size = -65536")


def _reading_mode(path: Path) -> str:
    """How to open so that reading leaves no trace.

    A connection with mode=ro leaves -wal and -shm files behind, one with mode=rw clears them away; writing is
    switched off by query_only. Where folder or file are read-only, or the disk is full, these files could not
    be made or cleared away; as long as nothing is in them, the file can be read as it stands.
    """
    if os.access(path.parent, os.W_OK) and os.access(path, os.W_OK) and not disk_full(path):
        return "mode=rw"
    log, _, journal = companions(path)
    has_log = any(file.exists() and file.stat().st_size for file in (log, journal))
    return "mode=ro" if has_log else "mode=ro&immutable=1"


def require_project(path: Path) -> None:
    """Look at the file's first bytes, so that another program's database is never even opened.

    Raises ProjectError where there is no such file, where it cannot be read, or where it is no project.
    """
    if path.is_dir():
        raise ProjectError(f"{path} is a folder, not a project; name the {SUFFIX} file in it.")
    try:
        header = first_bytes(path, _HEADER_BYTES)
    except FileNotFoundError:
        raise ProjectError(f"There is no project {path}; make one with `casespan new`.") from None
    except OSError as error:
        raise ProjectError(f"{path} cannot be read: {error.strerror or error}.") from None
    if not header:
        raise ProjectError(f"{path} is empty, not a project; make one with `casespan new`.")
    if encrypted(header):
        return
    if len(header) < _HEADER_BYTES or not header.startswith(MAGIC):
        raise ProjectError(f"{path} is not a Casespan project; choose a {SUFFIX} file.")
    if struct.unpack_from(">I", header, 68)[0] != APPLICATION_ID:
        raise ProjectError(f"{path} is another program's database, not a Casespan project.")


def _known_version(path: Path, db: Database, known: int) -> int:
    version = _version(db)
    if version > known:
        raise ProjectError(
            f"{path} was made by a newer Casespan (file version {version}, this program knows {known}); "
            "update the program to open it."
        )
    if version < 1:
        raise damaged(path, "its version number was taken away")
    return version


def _version(db: Database) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _back_up(path: Path, db: Database) -> None:
    """Copy the project as it is now to NAME.casespan.vN.bak, never over an earlier copy."""
    stem = f"{path.name}.v{_version(db)}"
    target = path.with_name(f"{stem}.bak")
    number = 2
    while target.exists():
        target = path.with_name(f"{stem}-{number}.bak")
        number += 1
    try:
        _copy(db, target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _publish(draft: Path, path: Path) -> None:
    """Give the finished file its name without replacing a file that appeared meanwhile."""
    require_nothing_left(path)
    try:
        os.link(draft, path)
    except FileExistsError:
        raise ProjectError(f"{path} exists already; choose another name or open it.") from None
    except OSError:  # a disk without hard links (FAT, some network shares)
        if path.exists():
            raise ProjectError(f"{path} exists already; choose another name or open it.") from None
        draft.rename(path)
    sync_folder(path)


def require_nothing_left(path: Path) -> None:
    """Raise ProjectError where SQLite would take what is left of another file for that of a new one."""
    log, _, journal = companions(path)
    for left in (log, journal):
        # Whoever was killed before anything was written leaves an empty log.
        if left.exists() and left.stat().st_size:
            raise ProjectError(f"{left} is left of another project; move it away, or choose another name.")


def sync_folder(path: Path) -> None:
    """Have the disk keep the name that a file was just given, where folders can be asked for that."""
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def companions(path: Path) -> tuple[Path, ...]:
    """What SQLite may keep beside a file: log, index and journal."""
    return tuple(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))

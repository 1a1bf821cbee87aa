"""What SQLite's complaints mean to the user."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from extractors.model.errors import CasespanError, ProjectBusyError, ProjectError, StorageError

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_STORAGE = {
    sqlite3.SQLITE_FULL: "the disk is full (make room on it, or go on with a copy on another disk)",
    sqlite3.SQLITE_IOERR: "the disk reported an error",
    sqlite3.SQLITE_READONLY: "it may not be written to",
    sqlite3.SQLITE_CANTOPEN: "its folder may not be written to",
    sqlite3.SQLITE_PERM: "it may not be written to",
    sqlite3.SQLITE_PROTOCOL: "its disk cannot lock files (a network folder?)",
    sqlite3.SQLITE_TOOBIG: "a text is too long for one record",
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_SCHEMA}
# What fails within a function of SQL, or while SQLCipher copies a file, has words alone.
_WORDS = {
    "database or disk is full": sqlite3.SQLITE_FULL,
    "disk I/O error": sqlite3.SQLITE_IOERR,
    "attempt to write a readonly database": sqlite3.SQLITE_READONLY,
    "unable to open database file": sqlite3.SQLITE_CANTOPEN,
    "database disk image is malformed": sqlite3.SQLITE_CORRUPT,
}
# What SQLite needs beside a file to open it; where a disk has less it says only that there was an error.
_LEAST_BYTES = 64 * 1024
_PRIMARY = 0xFF  # SQLite's extended result codes keep the primary code in their lowest byte


def busy(path: Path) -> ProjectBusyError:
    """The sentence for a project that somebody else is changing."""
    return ProjectBusyError(f"{path} is being changed by another program; close it there and try again.")


class DamagedProjectError(ProjectError):
    """The project's contents are not what they were."""

    exit_code = 1


def damaged(path: Path, what: str) -> DamagedProjectError:
    """The sentence for a project whose contents are not what they were."""
    return DamagedProjectError(f"{path}: {what}; run `casespan check` and go back to a copy.")


def disk_full(path: Path) -> bool:
    """Whether next to nothing can be written beside a file."""
    try:
        return shutil.disk_usage(path.absolute().parent).free < _LEAST_BYTES
    except OSError:
        return False


def meaning(error: sqlite3.Error | UnicodeError, path: Path) -> CasespanError | None:
    """What the user can do about it, or None where the fault is the program's own."""
    if isinstance(error, UnicodeEncodeError):
        if error.encoding != "utf-8":
            return None
        return ProjectError(
            f"{path} cannot store a text with half a character (the lone surrogate "
            f"U+{ord(error.object[error.start]):04X}); repair it in the source."
        )
    if isinstance(error, UnicodeError) or str(error).startswith("Could not decode to UTF-8"):
        return damaged(path, "a text in it is no text any more")
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & _PRIMARY if isinstance(code, int) else None
    if primary in (None, sqlite3.SQLITE_ERROR):
        primary = _WORDS.get(str(error))
    if primary in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and disk_full(path):
        primary = sqlite3.SQLITE_FULL
    if primary in _BUSY:
        return busy(path)
    if primary in _STORAGE:
        return StorageError(f"{path} could not be written: {_STORAGE[primary]}; nothing was changed.")
    if primary in _DAMAGED:
        return damaged(path, f"the file is damaged ({error})")
    return None


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Let SQLite's errors out of the block as the errors a user can meet; others pass unchanged."""
    try:
        yield
    except (sqlite3.Error, UnicodeEncodeError, UnicodeDecodeError) as error:
        translation = meaning(error, path)
        if translation is None:
            raise
        raise translation from error


@contextmanager
def sound(path: Path, what: str) -> Iterator[None]:
    """Let the errors of cells that the program would not have written out as damage to `what`.

    Raises DamagedProjectError in their place.
    """
    try:
        yield
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise damaged(path, f"{what} cannot be read ({error})") from error

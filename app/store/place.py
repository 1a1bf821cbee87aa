"""Whether the file under a project's name is still the one that was opened."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from app.store.heads import hold, let_go
from app.store.sqlite import Database
from extractors.model.errors import StorageError

Identity: TypeAlias = tuple[int, int]
_PAGE_BYTES, _SAMPLES = 4096, 64


class Place:
    """Where an open project stands: its file, and the log and index that SQLite keeps beside it.

    Taken when the project has been opened. A file is told by device and number (`st_dev`, `st_ino`). A disk
    that gives no numbers (some of Windows) says 0 for all: there, only a missing file is noticed. One that
    another program writes into in place (`cp` over it) stays the same file: where it is `watched`, its size,
    its time and then some of its pages tell.
    """

    def __init__(self, path: Path, *, watched: bool = False) -> None:
        self._file = path.resolve()
        self._main = identity(self._file)
        self._log, self._index = (
            self._file.with_name(self._file.name + ending) for ending in ("-wal", "-shm")
        )
        # Held open: closing a file lets go of all locks that SQLite has on it.
        self._open = os.open(self._file, os.O_RDONLY | getattr(os, "O_BINARY", 0)) if watched else None
        if self._open is not None:
            hold(self._open)
        self.take()

    def take(self) -> None:
        """Take what is there for ours, log and index too."""
        self._beside = {beside: identity(beside) for beside in (self._log, self._index)}
        self._stamp, self._pages = self._now(), self._sample()

    @property
    def holds(self) -> bool:
        """Whether the project's file is the one that was opened."""
        return self._main == identity(self._file)

    @property
    def log_holds(self) -> bool:
        """Whether SQLite's log is still the one that this connection writes to."""
        return self._beside[self._log] == identity(self._log)

    @property
    def overwritten(self) -> bool:
        """Whether another program wrote into the file that was opened."""
        now = self._now()
        if now == self._stamp:
            return False
        if now is not None and self._stamp is not None and now[0] == self._stamp[0]:
            if self._sample() == self._pages:
                self._stamp = now  # only its time was changed
                return False
        return True

    def note(self) -> None:
        """Take what is in the file for ours: after each act, which may have written its log into the file."""
        now = self._now()
        if now != self._stamp:
            self._stamp, self._pages = now, self._sample()

    def _now(self) -> tuple[int, int] | None:
        if self._open is None:
            return None
        found = os.fstat(self._open)
        return found.st_size, found.st_mtime_ns

    def _sample(self) -> bytes:
        """A hash over pages from the first to the last."""
        if self._open is None:
            return b""
        pages, found = max(os.fstat(self._open).st_size // _PAGE_BYTES, 1), sha256()
        for page in sorted({pages * place // _SAMPLES for place in range(_SAMPLES)} | {pages - 1}):
            os.lseek(self._open, page * _PAGE_BYTES, os.SEEK_SET)
            found.update(os.read(self._open, _PAGE_BYTES))
        return found.digest()

    def leave(self) -> None:
        """Take the log away so that nothing of it is ever written into a file that was overwritten."""
        if self._beside[self._log] is not None and self.log_holds:
            with suppress(OSError):
                os.truncate(self._log, 0)

    def close(self) -> None:
        """Watch no longer; after SQLite has let go of the file."""
        if self._open is not None:
            let_go(self._open)
            os.close(self._open)
            self._open = None

    def fault(self) -> StorageError:
        """The sentence for a file, or a log, that is not the one that was opened."""
        if self.holds:
            return StorageError(
                f"SQLite's log beside {self._file} was deleted while it was in use; this change was not "
                "saved, what was saved before is kept. Try again."
            )
        if identity(self._file) is None:
            return StorageError(
                f"{self._file} was moved, renamed or deleted while it was open; nothing more is saved. "
                "Put it back under that name and go on, or save a copy before you close the project: what "
                "was saved before is in the file, wherever it is now, and in the open project."
            )
        return StorageError(
            f"{self._file} was replaced by another file while it was open; nothing more is saved. "
            "Save a copy before you close the project, or put the first file back under that name and go on: "
            "what was saved before is still in the open project. The other file is left as it is."
        )

    def step_aside(self, db: Database) -> None:
        """Write the log into the file that was opened, wherever it is now, and take the log's name away.

        SQLite would replay a log that it finds beside another file, which destroys that file.
        """
        with suppress(sqlite3.Error):
            empty_log(db)
        self.note()
        self.clear_beside()

    def clear_beside(self) -> None:
        """Take log and index away, where they are ours."""
        for beside, ours in self._beside.items():
            if ours is not None and identity(beside) == ours:
                with suppress(OSError):
                    beside.unlink()


def identity(path: Path) -> Identity | None:
    """Which file that is; None where there is none or it cannot be reached."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def empty_log(db: Database) -> bool:
    """Write SQLite's log into its file and empty it; False where somebody who is reading still needs it."""
    return int(db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]) == 0

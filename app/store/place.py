"""Whether the file under a project's name is still the one that was opened."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from app.store.sqlite import Database
from extractors.model.errors import StorageError

Identity: TypeAlias = tuple[int, int]


class Place:
    """Where an open project stands: its file, and the log and index that SQLite keeps beside it.

    Taken when the project has been opened. A file is told by device and number (`st_dev`, `st_ino`). A disk
    that gives no numbers (some of Windows) says 0 for all: there, only a missing file is noticed. One
    that another program writes into in place (`cp` over it) stays the same file, and is not noticed either.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.resolve()
        self._main = identity(self._file)
        self._log, index = (self._file.with_name(self._file.name + ending) for ending in ("-wal", "-shm"))
        self._beside = {beside: identity(beside) for beside in (self._log, index)}

    @property
    def holds(self) -> bool:
        """Whether the project's file is the one that was opened."""
        return self._main == identity(self._file)

    @property
    def log_holds(self) -> bool:
        """Whether SQLite's log is still the one that this connection writes to."""
        return self._beside[self._log] == identity(self._log)

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
                "What was saved before is in the file, wherever it is now, and in the open project: put the "
                "file back under that name and go on, or save a copy before you close the project."
            )
        return StorageError(
            f"{self._file} was replaced by another file while it was open; nothing more is saved, and the "
            "other file is left as it is. What was saved before is still in the open project: save a copy "
            "before you close it, or put the first file back under that name and go on."
        )

    def step_aside(self, db: Database) -> None:
        """Write the log into the file that was opened, wherever it is now, and take the log's name away.

        SQLite would replay a log that it finds beside another file, which destroys that file.
        """
        with suppress(sqlite3.Error):
            empty_log(db)
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

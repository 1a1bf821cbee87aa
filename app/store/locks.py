"""Who may write to a project: one at a time, also where the disk does not lock files."""

from __future__ import annotations

import errno
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.store.faults import busy
from extractors.model.errors import ProjectBusyError, StorageError, reason_of

if TYPE_CHECKING:
    from filelock import BaseFileLock


# How a disk says that it does not lock.
_NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP}


@dataclass(frozen=True, slots=True)
class WriterLock:
    """The lock of a project that is open for writing. `alone` says that the disk does not lock files (a
    network folder): a file that is there as long as the project is open keeps others out, readers, too."""

    held: BaseFileLock
    alone: bool

    def release(self) -> None:
        """Let others write."""
        self.held.release()


def lock_of(path: Path) -> Path:
    """The file that writers lock; it stays, since removing it would let two writers in. That of a link is
    beside what it leads to."""
    path = path.resolve()
    return path.with_name(path.name + ".lock")


def sign_of(path: Path) -> Path:
    """The file that is there while somebody writes where the disk does not lock."""
    path = path.resolve()
    return path.with_name(path.name + ".open")


def take_lock(path: Path) -> WriterLock:
    """The writer's lock beside the project; raises ProjectBusyError, StorageError."""
    # Imported here because it brings asyncio along, which reading a project does not need.
    from filelock import FileLock, SoftFileLock, Timeout

    lock = FileLock(lock_of(path), timeout=0, mode=0o600, thread_local=False, fallback_to_soft=False)
    sign = SoftFileLock(sign_of(path), timeout=0, mode=0o600, thread_local=False)
    try:
        if not _locks(lock):
            sign.acquire()
            return WriterLock(sign, alone=True)
        require_no_writer_alone(path)
    except Timeout:
        raise (_signed(path) if sign_of(path).exists() else busy(path)) from None
    except ProjectBusyError:
        lock.release()
        raise
    except OSError as error:
        words = f"{path} cannot be opened for writing: {reason_of(error)}; work on a copy elsewhere."
        raise StorageError(words, error) from error
    return WriterLock(lock, alone=False)


def _locks(lock: BaseFileLock) -> bool:
    """Take a lock, and try whether it keeps others out, which no name of a disk says; False where it is not
    taken. Raises Timeout where somebody else has it, OSError.
    """
    from filelock import FileLock, Timeout

    try:
        lock.acquire()
    except NotImplementedError:
        return False
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return False
        raise
    other = FileLock(lock.lock_file, timeout=0, mode=0o600, thread_local=False)
    with suppress(Timeout):
        other.acquire()
        other.release()
        lock.release()
        return False
    return True


def require_no_writer_alone(path: Path) -> None:
    """Raise ProjectBusyError where somebody writes to a project on a disk that does not lock; what a program
    left behind when it was killed on this machine goes away."""
    if not sign_of(path).exists():
        return
    from filelock import SoftFileLock, Timeout

    try:
        with SoftFileLock(sign_of(path), timeout=0, mode=0o600):
            pass
    except Timeout:
        raise _signed(path) from None


def _signed(path: Path) -> ProjectBusyError:
    return ProjectBusyError(
        f"{path} is being changed by another program, on a disk that does not lock files; close it there, or "
        f"remove {sign_of(path)} if nobody has it open."
    )

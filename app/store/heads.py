"""What files begin with, read without closing one that a project is open in.

Where files are POSIX's, a process that closes a file loses all its locks on it, SQLite's too: the next
program that reads the project would then take it for unused, and write its log away.
"""

from __future__ import annotations

import os
from pathlib import Path

_held: dict[tuple[int, int], int] = {}


def hold(descriptor: int) -> None:
    """Read by this one, from now on, the file that it is open for."""
    found = os.fstat(descriptor)
    _held[found.st_dev, found.st_ino] = descriptor


def let_go(descriptor: int) -> None:
    """It is about to be closed."""
    for file in [file for file, held in _held.items() if held == descriptor]:
        del _held[file]


def first_bytes(path: Path, number: int) -> bytes:
    """So many bytes from the start of a file; raises OSError."""
    found = os.stat(path)
    held = _held.get((found.st_dev, found.st_ino))
    if held is not None and hasattr(os, "pread"):
        return os.pread(held, number, 0)
    with path.open("rb") as file:
        return file.read(number)

"""Files written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from extractors.model.errors import StorageError, reason_of

_NAME = re.compile(r"[^\w.-]+")
# Windows writes to a device instead, whatever follows behind a dot.
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\.|$)", re.IGNORECASE)


def file_names(keys: Iterable[str]) -> Iterator[str]:
    """What the files of each report are called in a folder, without a suffix: its key where that can be.

    None stands twice, also where capitals are not told apart.
    """
    taken: set[str] = set()
    for key in keys:
        stem = _NAME.sub("_", key).strip(".") or "report"
        name = stem = f"_{stem}" if _DEVICE.match(stem) else stem
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        yield name


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a text as UTF-8, or bytes, to `path`; until all of it is on disk, what was there before stays.

    Raises StorageError where the folder or disk refuses.
    """
    with drafted(path) as file:
        file.write(as_bytes(content))


@contextmanager
def drafted(path: Path) -> Iterator[BinaryIO]:
    """A file to write to piece by piece, which takes the place of `path` at the end; raises StorageError."""
    try:
        temporary = _draft(path)
        try:
            # What a report says is for its owner, as the project is.
            temporary.touch(mode=0o600)
            with temporary.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({reason_of(error)}); choose another place or free some space.", error
        ) from None


def _draft(path: Path) -> Path:
    """Where it is written first; raises IsADirectoryError where `path` is "" or a root."""
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def as_bytes(content: str | bytes) -> bytes:
    """A text in UTF-8; bytes as they are."""
    return content.encode() if isinstance(content, str) else content


@contextmanager
def drafted_folder(path: Path) -> Iterator[Callable[[str, str | bytes], None]]:
    """A new or empty folder into which texts (as UTF-8) or bytes are put by name; whole or not at all.

    Raises StorageError where something is there already, or the disk refuses.
    """
    try:
        temporary = _draft(path)

        def put(name: str, content: str | bytes) -> None:
            (temporary / name).parent.mkdir(parents=True, exist_ok=True)
            (temporary / name).write_bytes(as_bytes(content))

        try:
            temporary.mkdir(mode=0o700)
            yield put
            if path.is_dir():
                path.rmdir()
            os.rename(temporary, path)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({reason_of(error)}); name a new folder, or an empty one.", error
        ) from None

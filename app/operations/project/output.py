"""What every operation checks before it writes a file for others."""

from __future__ import annotations

from pathlib import Path

from app.operations.project.encryption import is_encrypted
from extractors.model.errors import ProjectError

_DATABASE = b"SQLite format 3\0"


def write_file(out: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; raises StorageError where the disk refuses, or as the check below."""
    from app.formats.writing import write_atomically

    require_writable_name(out)
    write_atomically(out, content)


def require_writable_name(out: Path) -> None:
    """Raise ProjectError where `out` is a folder, in none, or a database: no export replaces one."""
    if not out.name or out.is_dir():
        raise ProjectError(f"{out} is a folder; give a file's name to write to.")
    if not out.parent.is_dir():
        raise ProjectError(f"There is no folder {out.parent}; make it first.")
    try:
        with out.open("rb") as file:
            taken = file.read(len(_DATABASE)) == _DATABASE
    except OSError:
        return
    if taken or is_encrypted(out):
        raise ProjectError(f"{out} is a project or another database; choose another name to write to.")

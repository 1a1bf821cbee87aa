"""Files, folders and archives as a stream of payloads in memory; nothing is unpacked to disk."""

from __future__ import annotations

import os
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.formats.record import LeftOut

MAX_FILE = 500_000_000
MAX_MEMBER = 100_000_000
MAX_ARCHIVE = 4_000_000_000

_ARCHIVES = (".tar.gz", ".tgz", ".tar")
_REPORTS = (".xml", ".nxml", ".txt", ".json", *_ARCHIVES)
# Where a tar file says what it is.
_TAR_HEAD = 262
_MEMBERS = (".nxml", ".xml")


@dataclass(frozen=True, slots=True)
class Payload:
    """The bytes of one file: `source` says where it is, `name` is what to call it where it has no title."""

    source: str
    name: str
    data: bytes


def payloads(path: Path) -> Iterator[Payload | LeftOut]:
    """The file at `path`, or all files below it in order of their names; archives are looked into."""
    if not path.is_dir():
        yield from _file(path)
        return
    passed_over: Counter[str] = Counter()
    failures: list[OSError] = []
    found = False
    for folder, folders, names in os.walk(path, onerror=failures.append):
        folders.sort()
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in sorted(names):
            if name.lower().endswith(_REPORTS) and not name.startswith("."):
                found = True
                yield from _file(Path(folder, name))
            else:
                passed_over[Path(name).suffix.lower() or name] += 1
    for failure in failures:
        yield LeftOut(str(failure.filename), "", _reason(failure), failed=True)
    if passed_over:
        kinds = ", ".join(sorted(passed_over))
        yield LeftOut(str(path), "", f"{passed_over.total()} other files were passed over ({kinds}).")
    elif not found and not failures:
        yield LeftOut(str(path), "", "The folder is empty.", failed=True)


def _file(path: Path) -> Iterator[Payload | LeftOut]:
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > MAX_FILE and not path.name.lower().endswith(_ARCHIVES):
                reason = f"The file is larger than {MAX_FILE // 1_000_000} MB; split it into smaller ones."
                yield LeftOut(str(path), path.stem, reason, failed=True)
                return
            head = file.read(_TAR_HEAD)
            file.seek(0)
            if head.startswith(b"\x1f\x8b") or head.endswith(b"ustar"):
                with tarfile.open(fileobj=file, mode="r|*") as archive:
                    yield from _members(path, archive)
                return
            data = file.read()
    except (tarfile.TarError, EOFError, zlib.error) as error:
        reason = f"The archive cannot be read ({error}); it must be a .tar.gz package."
        yield LeftOut(str(path), path.stem, reason, failed=True)
    except OSError as error:
        yield LeftOut(str(path), path.stem, _reason(error), failed=True)
    else:
        yield Payload(str(path), path.stem, data)


def _members(path: Path, archive: tarfile.TarFile) -> Iterator[Payload | LeftOut]:
    """The articles of an archive; pictures and the like belong to them and are not mentioned."""
    found = False
    size = 0
    for member in archive:
        source = f"{path}!{member.name}"
        stem = PurePosixPath(member.name).stem
        size += member.size
        if size > MAX_ARCHIVE:
            reason = (
                f"The archive holds more than {MAX_ARCHIVE // 1_000_000_000} GB; the rest of it is not read."
            )
            yield LeftOut(source, stem, reason, failed=True)
            return
        if not member.isfile() or not member.name.lower().endswith(_MEMBERS) or stem.startswith("."):
            continue
        found = True
        problem = _problem(member)
        content = None if problem else archive.extractfile(member)
        if content is None:
            yield LeftOut(source, stem, problem or "The archive's member cannot be read.", failed=True)
        else:
            yield Payload(source, stem, content.read())
    if not found:
        yield LeftOut(str(path), path.stem, "The archive holds no .nxml or .xml file.", failed=True)


def _problem(member: tarfile.TarInfo) -> str:
    """Why a member is not read, if so."""
    place = PurePosixPath(member.name)
    if place.is_absolute() or ".." in place.parts:
        return "The archive's member points outside of the archive; it is not read."
    if member.size > MAX_MEMBER:
        return f"The archive's member is larger than {MAX_MEMBER // 1_000_000} MB; it is not read."
    return ""


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "There is no such file; check its name."
    if isinstance(error, PermissionError):
        return "The file may not be read; ask for the right to read it."
    return f"The file cannot be read ({error.strerror or type(error).__name__})."

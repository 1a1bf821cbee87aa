"""Files, folders and archives as a stream of payloads in memory; nothing is unpacked to disk."""

from __future__ import annotations

import os
import stat
import tarfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from app.formats.plain import system_reason, title_line, whole_characters
from app.formats.record import LeftOut, unforeseen

MAX_FILE = 500_000_000
MAX_MEMBER = 100_000_000
MAX_ARCHIVE = 4_000_000_000

_MARKUP = (".nxml", ".xml")
_SUPPLEMENT = "It is a supplement of the report beside it in the package."
_PRINT = "It has the name of the XML beside it, and is taken for the same report."
_ARCHIVES = (".tar.gz", ".tgz", ".tar")
# Where a tar file says what it is.
_TAR_HEAD = 262


@dataclass(frozen=True, slots=True)
class Payload:
    """The bytes of one file: `source` says where it is, `name` is what to call it where it has no title.

    `companion` are those of the file that belongs to it, None where there is none.
    """

    source: str
    name: str
    data: bytes
    companion: bytes | None = None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The endings of files that are read, by ending that of the file that belongs to one of them, and those
    of files that may be printed from another."""

    suffixes: tuple[str, ...]
    companions: Mapping[str, str]
    prints: tuple[str, ...] = ()

    def of(self, name: str) -> str:
        """The name of what belongs to a file, "" for nothing: its own with another ending, or one for all."""
        stem, suffix = os.path.splitext(name)
        companion = self.companions.get(suffix.lower(), "")
        if companion and not companion.startswith("."):
            return name[: name.rfind("/") + 1] + companion
        return companion and stem + companion


def payloads(
    path: Path, suffixes: tuple[str, ...], companions: Mapping[str, str], prints: tuple[str, ...] = ()
) -> Iterator[Payload | LeftOut]:
    """The file at `path`, or all files below it in order of their names; archives are looked into.

    Of folders and archives those of `suffixes` are read. Where a file's ending is among `companions`, the
    file of the same name with the other ending belongs to it, and is none of its own; where it is among
    `prints`, one of the same name as XML is the same report.
    """
    wanted = _Wanted(suffixes, companions, prints)
    yield from _folder(path, wanted) if os.path.isdir(path) else _file(path, wanted)


def _folder(path: Path, wanted: _Wanted) -> Iterator[Payload | LeftOut]:
    """What a folder holds; folders that are links are named, since they may lead round in circles."""
    failures: list[OSError] = []
    empty = True
    for folder, folders, names in os.walk(path, onerror=failures.append):
        folders.sort()
        for hidden in (name for name in folders if name.startswith(".")):
            empty = False
            yield LeftOut(_shown(Path(folder, hidden)), hidden, "Hidden folders are not looked into.")
        folders[:] = [name for name in folders if not name.startswith(".")]
        for link in (Path(folder, name) for name in folders if os.path.islink(Path(folder, name))):
            empty = False
            reason = "The folder is a link, which is not followed; import the folder that it leads to."
            yield LeftOut(_shown(link), link.name, reason)
        taken = {wanted.of(name) for name in names}
        marked_up = {os.path.splitext(name)[0] for name in names if name.lower().endswith(_MARKUP)}
        for name in sorted(set(names) - taken):
            empty = False
            stem, suffix = os.path.splitext(name)
            if stem in marked_up and suffix.lower() in wanted.prints:
                yield LeftOut(_shown(Path(folder, name)), name, _PRINT)
            elif _is_read(name, (*wanted.suffixes, *_ARCHIVES)):
                yield from _file(Path(folder, name), wanted)
            else:
                yield _passed_over(_shown(Path(folder, name)), name)
    for failure in failures:
        yield LeftOut(whole_characters(str(failure.filename)), "", _reason(failure, "folder"), failed=True)
    if empty and not failures:
        yield LeftOut(_shown(path), "", "The folder is empty.", failed=True)


def _file(path: Path, wanted: _Wanted) -> Iterator[Payload | LeftOut]:
    """The one payload of a file, or those of its members; whatever goes wrong costs this file only."""
    source, name = _shown(path), whole_characters(path.stem)
    try:
        yield from _content(path, source, name, wanted)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        reason = f"The archive cannot be read ({error}); it must be a .tar.gz package."
        yield LeftOut(source, name, title_line(reason), failed=True)
    except OSError as error:
        yield LeftOut(source, name, _reason(error, "file"), failed=True)
    except Exception as error:  # damage that nobody foresaw must not keep the files after it from being read
        yield unforeseen(source, name, error)


def _content(path: Path, source: str, name: str, wanted: _Wanted) -> Iterator[Payload | LeftOut]:
    about = path.stat()
    # A pipe is opened only when somebody writes to it, and a device may never end.
    if not stat.S_ISREG(about.st_mode):
        yield LeftOut(source, name, "This is no ordinary file; save what it gives to a file.", failed=True)
        return
    if about.st_size > MAX_FILE and not path.name.lower().endswith(_ARCHIVES):
        reason = f"The file is larger than {MAX_FILE // 1_000_000} MB; split it into smaller ones."
        yield LeftOut(source, name, reason, failed=True)
        return
    with path.open("rb") as file:
        head = file.read(_TAR_HEAD)
        file.seek(0)
        if head.startswith(b"\x1f\x8b") or head.endswith(b"ustar"):
            with tarfile.open(fileobj=file, mode="r|*") as archive:
                yield from _members(path, archive, wanted)
            return
        data = file.read()
    beside = path.with_name(wanted.of(path.name) or path.name)
    companion = beside.read_bytes() if beside != path and beside.is_file() else None
    yield Payload(source, name, data, companion)


def _members(path: Path, archive: tarfile.TarFile, wanted: _Wanted) -> Iterator[Payload | LeftOut]:
    """The reports of an archive; what belongs to them (pictures, supplements beside an .nxml) is named."""
    passed_over: list[LeftOut] = []
    supplements: list[Payload] = []
    package = False
    found = False
    size = 0
    for member in archive:
        source = f"{_shown(path)}!{whole_characters(member.name)}"
        stem = whole_characters(PurePosixPath(member.name).stem)
        size += member.size
        if size > MAX_ARCHIVE:
            reason = (
                f"The archive holds more than {MAX_ARCHIVE // 1_000_000_000} GB; the rest of it is not read."
            )
            found = True
            yield LeftOut(source, stem, reason, failed=True)
            break
        if not member.isfile() or not _is_read(PurePosixPath(member.name).name, wanted.suffixes):
            if not member.isdir():
                passed_over.append(_passed_over(source, member.name))
            continue
        found = True
        problem = _problem(member)
        content = None if problem else archive.extractfile(member)
        if content is None:
            yield LeftOut(source, stem, problem or "The archive's member cannot be read.", failed=True)
        elif member.name.lower().endswith(_MARKUP):
            package = package or member.name.lower().endswith(".nxml")
            yield Payload(source, stem, content.read())
        else:
            supplements.append(Payload(source, stem, content.read()))
    if package:
        passed_over += [LeftOut(one.source, one.name, _SUPPLEMENT) for one in supplements]
    else:
        yield from _paired(supplements, wanted)
    if not found:
        reason = f"The archive holds no {', '.join(wanted.suffixes)} file."
        yield LeftOut(_shown(path), whole_characters(path.stem), reason, failed=True)
    yield from passed_over


def _paired(found: Sequence[Payload], wanted: _Wanted) -> Iterator[Payload]:
    """The payloads of an archive, each with what belongs to it."""
    by_source = {one.source: one for one in found}
    taken = {wanted.of(source) for source in by_source}
    for one in found:
        if one.source not in taken:
            beside = by_source.get(wanted.of(one.source))
            yield one if beside is None else replace(one, companion=beside.data)


def _is_read(name: str, endings: tuple[str, ...]) -> bool:
    return name.lower().endswith(endings) and not name.startswith(".")


def _passed_over(source: str, name: str) -> LeftOut:
    """A file of a kind that is not read."""
    place = PurePosixPath(whole_characters(name))
    if place.name.startswith("."):
        reason = "Hidden files are not read."
    else:
        ending = title_line(place.suffix.lower())
        reason = f"{ending} files are not read." if ending else "Files without an ending are not read."
    return LeftOut(source, title_line(place.name), reason)


def _problem(member: tarfile.TarInfo) -> str:
    """Why a member is not read, if so."""
    place = PurePosixPath(member.name)
    if place.is_absolute() or ".." in place.parts:
        return "The archive's member points outside of the archive; it is not read."
    if member.size > MAX_MEMBER:
        return f"The archive's member is larger than {MAX_MEMBER // 1_000_000} MB; it is not read."
    return ""


def _shown(path: Path) -> str:
    """A path as text; names in another encoding have bytes that are none."""
    return whole_characters(str(path))


def _reason(error: OSError, what: str) -> str:
    if isinstance(error, FileNotFoundError):
        return f"There is no such {what}; check its name."
    if isinstance(error, PermissionError):
        return f"The {what} may not be read; ask for the right to read it."
    return f"The {what} cannot be read ({system_reason(error)})."

"""Files, folders and archives as a stream of payloads in memory; nothing is unpacked to disk."""

from __future__ import annotations

import gzip
import os
import stat
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BufferedIOBase
from pathlib import Path, PurePosixPath

from isal import igzip, isal_zlib

from app.formats.pictures.found import PictureFiles, is_picture
from app.formats.plain import title_line, whole_characters
from app.formats.record import LeftOut, unforeseen
from extractors.model.errors import reason_of

MAX_FILE = 500_000_000
MAX_MEMBER = 100_000_000
MAX_ARCHIVE = 4_000_000_000

_MARKUP = (".nxml", ".xml")
_SUPPLEMENT = "It is a supplement of the report beside it in the package."
_PRINT = "It has the name of the XML beside it, and is taken for the same report."
# A package is a report or a few; in an archive of thousands none waits for pictures that come last.
_MOST_WAITING = 500
ARCHIVES = (".tar.gz", ".tgz", ".tar")
# Where a tar file says what it is.
_TAR_HEAD = 262
_GZIP = b"\x1f\x8b"
_AT_ONCE = 1 << 16
_LED_OUT = "a size in it leads out of it"


@dataclass(frozen=True, slots=True)
class Payload:
    """The bytes of one file: `source` says where it is, `name` is what to call it where it has no title.

    `companion` are those of the file that belongs to it, None where there is none; `pictures` are beside it.
    """

    source: str
    name: str
    data: bytes
    companion: bytes | None = None
    pictures: PictureFiles | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is read of folders and archives: files of these `suffixes`.

    Where a file's ending is among `companions`, the file of the same name with the other ending belongs to
    it, and is none of its own; where it is among `prints`, one of the same name as XML is the same report. Of
    an archive's members `most` bytes are read; its `pictures` wait on the disk for reports that show them.
    """

    suffixes: tuple[str, ...]
    companions: Mapping[str, str]
    prints: tuple[str, ...] = ()
    most: int = MAX_ARCHIVE
    pictures: bool = True

    def of(self, name: str) -> str:
        """The name of what belongs to a file, "" for nothing: its own with another ending, or one for all."""
        stem, suffix = os.path.splitext(name)
        companion = self.companions.get(suffix.lower(), "")
        if companion and not companion.startswith("."):
            return name[: name.rfind("/") + 1] + companion
        return companion and stem + companion


def payloads(path: Path, wanted: Wanted) -> Iterator[Payload | LeftOut]:
    """The file at `path`, or all files below it in order of their names; archives are looked into."""
    yield from _folder(path, wanted) if os.path.isdir(path) else _file(path, wanted)


def _folder(path: Path, wanted: Wanted) -> Iterator[Payload | LeftOut]:
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
        files = sorted(set(names) - taken)
        empty = empty and not files
        yield from _files(Path(folder), files, wanted)
    for failure in failures:
        yield LeftOut(whole_characters(str(failure.filename)), "", _reason(failure, "folder"), failed=True)
    if empty and not failures:
        yield LeftOut(_shown(path), "", "The folder is empty.", failed=True)


def _files(folder: Path, names: Sequence[str], wanted: Wanted) -> Iterator[Payload | LeftOut]:
    """What the files of a folder hold; pictures come last, when reports have taken theirs."""
    marked_up = {os.path.splitext(name)[0] for name in names if name.lower().endswith(_MARKUP)}
    pictures = PictureFiles(folder)
    for name in sorted(names, key=lambda one: (is_picture(one), one)):
        path = folder / name
        stem, suffix = os.path.splitext(name)
        if stem in marked_up and suffix.lower() in wanted.prints:
            yield LeftOut(_shown(path), name, _PRINT)
        elif _is_read(name, (*wanted.suffixes, *ARCHIVES)):
            yield from _file(path, wanted, pictures)
        elif _shown(path) not in pictures.used:
            yield _passed_over(_shown(path), name, looked=bool(pictures.used))


def _file(path: Path, wanted: Wanted, pictures: PictureFiles | None = None) -> Iterator[Payload | LeftOut]:
    """The one payload of a file, or those of its members; whatever goes wrong costs this file only.

    `pictures` are those of its folder.
    """
    source, name = _shown(path), whole_characters(path.stem)
    try:
        for found in _content(path, source, name, wanted):
            if isinstance(found, Payload) and found.pictures is None:
                found = replace(found, pictures=pictures or PictureFiles(path.parent))
            yield found
    except (tarfile.TarError, EOFError, isal_zlib.error, gzip.BadGzipFile) as error:  # type: ignore[misc]
        reason = f"The archive cannot be read ({error}); it must be a .tar.gz package."
        yield LeftOut(source, name, title_line(reason), failed=True)
    except OSError as error:
        yield LeftOut(source, name, _reason(error, "file"), failed=True)
    except Exception as error:  # damage that nobody foresaw must not keep the files after it from being read
        yield unforeseen(source, name, error)


def _content(path: Path, source: str, name: str, wanted: Wanted) -> Iterator[Payload | LeftOut]:
    about = path.stat()
    # A pipe is opened only when somebody writes to it, and a device may never end.
    if not stat.S_ISREG(about.st_mode):
        yield LeftOut(source, name, "This is no ordinary file; save what it gives to a file.", failed=True)
        return
    if about.st_size > MAX_FILE and not path.name.lower().endswith(ARCHIVES):
        reason = f"The file is larger than {MAX_FILE // 1_000_000} MB; split it into smaller ones."
        yield LeftOut(source, name, reason, failed=True)
        return
    with path.open("rb") as file:
        head = file.read(_TAR_HEAD)
        file.seek(0)
        if head.startswith(_GZIP) or head.endswith(b"ustar") or path.name.lower().endswith(ARCHIVES):
            # Not tarfile's own decompression: what a kilobyte may swell to, it copies for every member.
            packed = head.startswith(_GZIP)
            plain = _Onwards(igzip.IGzipFile(fileobj=file) if packed else file)  # type: ignore[no-untyped-call]
            # As a file, not as a stream: of members a stream makes three copies.
            with tarfile.open(fileobj=plain, mode="r:") as archive:  # type: ignore[call-overload]
                yield from _Archive(path, wanted).read(archive, plain)
            return
        data = file.read()
    beside = path.with_name(wanted.of(path.name) or path.name)
    companion = beside.read_bytes() if beside != path and beside.is_file() else None
    yield Payload(source, name, data, companion)


class _Onwards:
    """A file that is only read onwards, and little at once: sizes in an archive may say anything."""

    def __init__(self, file: BufferedIOBase) -> None:
        self._file, self.tell = file, file.tell

    def read(self, size: int) -> bytes:
        """So many bytes, or what is left."""
        if not 0 <= size <= MAX_MEMBER:
            raise tarfile.StreamError(_LED_OUT)
        return self._file.read(size)

    def seek(self, place: int) -> int:
        """Pass over what comes before a place; one that lies behind would come again for ever."""
        if not self.tell() <= place <= sys.maxsize:
            raise tarfile.StreamError(_LED_OUT)
        return self._file.seek(place)


class _Archive:
    """An archive's members as they come. The reports of a folder wait for its pictures, which may come last;
    what belongs to them beside (supplements beside an .nxml) is named."""

    def __init__(self, path: Path, wanted: Wanted) -> None:
        self._source = _shown(path)
        self._stem = whole_characters(path.stem)
        self._wanted = wanted
        self._passed_over: list[LeftOut] = []
        self._supplements: list[Payload] = []
        self._package = self._found = False
        self._size = 0
        self._begin()

    def _begin(self) -> None:
        self._folder: str | None = None
        self._waiting: list[Payload | LeftOut] = []
        self._pictures = PictureFiles()
        self._beside: list[tuple[str, str]] = []

    def read(self, archive: tarfile.TarFile, plain: _Onwards) -> Iterator[Payload | LeftOut]:
        """All that is in it; where it is damaged, what comes before that, and then the error."""
        try:
            for member in archive:
                # It would keep all of them: half a gigabyte of an archive of a million.
                archive.members.clear()  # type: ignore[attr-defined]
                if self._too_large(member):
                    break
                if self._ends(member):
                    yield from self._flushed()
                self._take(archive, member)
            # What is packed says at its end whether all came as it was.
            plain.read(_AT_ONCE)
        except Exception:
            yield from self._flushed()
            raise
        yield from self._flushed()
        if self._package:
            self._passed_over += [LeftOut(one.source, one.name, _SUPPLEMENT) for one in self._supplements]
        else:
            yield from _paired(self._supplements, self._wanted)
        if not self._found:
            reason = f"The archive holds no {', '.join(self._wanted.suffixes)} file."
            yield LeftOut(self._source, self._stem, reason, failed=True)
        yield from self._passed_over

    def _too_large(self, member: tarfile.TarInfo) -> bool:
        self._size += member.size
        if self._size <= self._wanted.most:
            return False
        most = self._wanted.most // 1_000_000_000
        reason = f"The archive holds more than {most} GB; the rest of it is not read."
        self._found = True
        self._waiting.append(LeftOut(self._named(member), _stem(member), reason, failed=True))
        return True

    def _ends(self, member: tarfile.TarInfo) -> bool:
        """Whether what waits is to go before this member comes: the folder is another, or too much waits."""
        weight = sum(len(one.data) for one in self._waiting if isinstance(one, Payload))
        if len(self._waiting) > _MOST_WAITING or weight > MAX_MEMBER:
            return True
        return member.isfile() and not _problem(member) and self._folder not in (None, _top(member))

    def _flushed(self) -> Iterator[Payload | LeftOut]:
        """What waits; pictures that no report took for its figures are passed over then."""
        yield from self._waiting
        unused = (one for one in self._beside if one[0] not in self._pictures.used)
        looked = bool(self._pictures.used)
        self._passed_over += [_passed_over(source, name, looked=looked) for source, name in unused]
        self._pictures.close()
        self._begin()

    def _take(self, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        source, name = self._named(member), PurePosixPath(member.name).name
        problem = _problem(member)
        if is_picture(name) and self._wanted.pictures:
            if not problem and not member.isfile():
                problem = "The archive's member is a link or a device, which is not read."
            content = None if problem else archive.extractfile(member)
            self._pictures.take(whole_characters(name), source, content, member.size, problem)
            self._beside.append((source, member.name))
        elif not member.isfile() or not _is_read(name, self._wanted.suffixes):
            if not member.isdir():
                self._passed_over.append(_passed_over(source, member.name))
            return
        else:
            self._found = True
            content = None if problem else archive.extractfile(member)
            if content is None:
                reason = problem or "The archive's member cannot be read."
                self._waiting.append(LeftOut(source, _stem(member), reason, failed=True))
            elif name.lower().endswith(_MARKUP):
                self._package = self._package or name.lower().endswith(".nxml")
                data = content.read()
                self._waiting.append(Payload(source, _stem(member), data, pictures=self._pictures))
            else:
                self._supplements.append(Payload(source, _stem(member), content.read()))
        if not problem:
            self._folder = _top(member)

    def _named(self, member: tarfile.TarInfo) -> str:
        return f"{self._source}!{whole_characters(member.name)}"


def _stem(member: tarfile.TarInfo) -> str:
    return whole_characters(PurePosixPath(member.name).stem)


def _top(member: tarfile.TarInfo) -> str:
    parts = PurePosixPath(member.name).parts
    return parts[0] if len(parts) > 1 else ""


def _paired(found: Sequence[Payload], wanted: Wanted) -> Iterator[Payload]:
    """The payloads of an archive, each with what belongs to it."""
    by_source = {one.source: one for one in found}
    taken = {wanted.of(source) for source in by_source}
    for one in found:
        if one.source not in taken:
            beside = by_source.get(wanted.of(one.source))
            yield one if beside is None else replace(one, companion=beside.data)


def _is_read(name: str, endings: tuple[str, ...]) -> bool:
    return name.lower().endswith(endings) and not name.startswith(".")


_OLD_WORD = frozenset({".doc", ".rtf", ".odt"})


def _passed_over(source: str, name: str, *, looked: bool = False) -> LeftOut:
    """A file of a kind that is not read; a picture, where reports were `looked` through for theirs."""
    place = PurePosixPath(whole_characters(name))
    if looked and is_picture(name):
        reason = "No figure of a report beside it names this picture."
    elif place.name.startswith("."):
        reason = "Hidden files are not read."
    else:
        ending = title_line(place.suffix.lower())
        reason = f"{ending} files are not read." if ending else "Files without an ending are not read."
        reason = f"{reason[:-1]}; saved as .docx they are." if ending in _OLD_WORD else reason
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
    return f"The {what} cannot be read ({reason_of(error)})."

"""Pictures beside a report, in its folder or package: found by what the report calls them, never unpacked."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, TypeAlias

from app.formats.plain import title_line, whole_characters
from extractors.checks.pictures import inspect
from extractors.model.errors import FormatError, reason_of
from extractors.model.figure import Figure, FigureImage

MAX_PICTURE = 50_000_000
# A package that holds more is read, and its report imported; of its pictures the first ones are.
MAX_PICTURES = 20_000
MAX_PICTURE_BYTES = 2_000_000_000
_IN_MEMORY = 32_000_000
# What names without an ending are tried with, in this order; what follows is recognised, and some refused.
_TRIED = (".jpg", ".jpeg", ".png", ".gif", ".tif")
_SUFFIXES = (*_TRIED, ".tiff", ".bmp", ".webp", ".svg", ".eps")
_NONE_BESIDE = "Beside the report there were no pictures."
_NO_FILE = "No picture of that name was found beside the report."
_ON_THE_WEB = "It stands on the web, from where nothing is fetched."
_TOO_LARGE = f"The file is larger than {MAX_PICTURE // 1_000_000} MB."

# SHA-256, bytes, format, width and height of a picture.
Keep: TypeAlias = Callable[[str, bytes, str, int, int], None]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A picture's file: its name, where it is, how its bytes are read, or why they are not."""

    name: str
    source: str
    read: Callable[[], bytes]
    refused: str = ""


class PictureFiles:
    """The pictures of one folder, or of one package, by name; `used` has the sources of those looked at."""

    def __init__(self, folder: Path | None = None) -> None:
        self.used: set[str] = set()
        self._folder = folder
        self._entries: dict[str, list[_Entry]] = {}
        self._spool: IO[bytes] | None = None
        self._held = self._bytes = 0

    def take(self, name: str, source: str, data: IO[bytes] | None, size: int, refused: str = "") -> None:
        """Remember a member of a package, whose bytes wait in memory or on the disk; may be `refused`."""
        if not refused and size > MAX_PICTURE:
            refused = _TOO_LARGE
        if not refused and (self._held >= MAX_PICTURES or self._bytes + size > MAX_PICTURE_BYTES):
            refused = f"The package holds more than {MAX_PICTURES:,} pictures; this one was not looked at."
        content = b"" if refused or data is None else data.read()
        self._held += 1
        self._bytes += len(content)
        read = self._spooled(content) if self._bytes > _IN_MEMORY else partial(bytes, content)
        self._add(_Entry(name, source, read, refused))

    def _spooled(self, content: bytes) -> Callable[[], bytes]:
        spool = self._spool = self._spool or tempfile.TemporaryFile()
        begin = spool.seek(0, os.SEEK_END)
        length = spool.write(content)

        def read() -> bytes:
            spool.seek(begin)
            return spool.read(length)

        return read

    def close(self) -> None:
        """Give up what waits; nothing can be read any more."""
        self._entries.clear()
        if self._spool is not None:
            self._spool.close()

    def found(self, href: str) -> tuple[_Entry, _Entry | None] | None:
        """The file that a report means by `href`, and another one that could be meant as well."""
        self._list()
        name = PurePosixPath(href.replace("\\", "/")).name
        stems = (name, os.path.splitext(name)[0])
        tried = [name, *(stem + suffix for stem in stems for suffix in _SUFFIXES)]
        those = [entry for one in dict.fromkeys(tried) for entry in self._named(one)]
        if not those:
            return None
        self.used |= {one.source for one in those}
        first, *others = those
        # The GIF beside another picture is its thumbnail.
        others = [one for one in others if not one.name.lower().endswith(".gif")]
        return first, next((one for one in others if one.source != first.source), None)

    def _named(self, name: str) -> Sequence[_Entry]:
        entries = self._entries.get(name.casefold(), ())
        return sorted(entries, key=lambda one: one.name != name)

    def _add(self, entry: _Entry) -> None:
        self._entries.setdefault(entry.name.casefold(), []).append(entry)

    def _list(self) -> None:
        """Look once into the folder; links are not followed."""
        folder, self._folder = self._folder, None
        if folder is None:
            return
        try:
            with os.scandir(folder) as entries:
                names = sorted(entry.name for entry in entries if is_picture(entry.name))
        except OSError:
            return
        for name in names:
            path = folder / name
            source, read = whole_characters(str(path)), partial(_read, path)
            self._add(_Entry(whole_characters(name), source, read, _problem(path)))


def is_picture(name: str) -> bool:
    """Whether a file's name is that of a picture."""
    return name.lower().endswith(_SUFFIXES) and not name.startswith(".")


def with_pictures(figures: Sequence[Figure], files: PictureFiles | None, keep: Keep) -> Iterator[Figure]:
    """The figures with what was found of their pictures; each good one goes to `keep`.

    One picture is in memory at a time. What is missing or refused says why in a sentence.
    """
    for figure in figures:
        yield replace(figure, images=tuple(_resolved(image, files, keep) for image in figure.images))


def without_pictures(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """The figures whose pictures nobody wants."""
    reason = "Pictures were left out at import."
    return tuple(
        replace(figure, images=tuple(replace(image, reason=reason) for image in figure.images))
        for figure in figures
    )


def _resolved(image: FigureImage, files: PictureFiles | None, keep: Keep) -> FigureImage:
    if "://" in image.href:
        return replace(image, reason=_ON_THE_WEB)
    if files is None:
        return replace(image, reason=_NONE_BESIDE)
    found = files.found(image.href)
    if found is None:
        return replace(image, reason=_NO_FILE)
    entry, other = found
    named = replace(image, file=title_line(entry.name))
    if entry.refused:
        return replace(named, state="refused", reason=entry.refused)
    try:
        data = entry.read()
        facts = inspect(data, entry.name)
    except OSError as error:
        return replace(named, state="refused", reason=f"The file cannot be read ({reason_of(error)}).")
    except FormatError as error:
        return replace(named, state="refused", reason=str(error))
    digest = sha256(data).hexdigest()
    keep(digest, data, facts.format, facts.width, facts.height)
    notes = [facts.note] if facts.note else []
    if other is not None:
        notes.append(f"There is {title_line(other.name)} as well, which was left out.")
    return FigureImage(image.href, named.file, "kept", " ".join(notes), digest, facts.width, facts.height)


def _problem(path: Path) -> str:
    """Why a file of a folder is not read, if so."""
    try:
        about = os.lstat(path)
    except OSError as error:
        return f"The file cannot be read ({reason_of(error)})."
    if stat.S_ISLNK(about.st_mode):
        return "The file is a link, which is not followed."
    if not stat.S_ISREG(about.st_mode):
        return "This is no ordinary file."
    return _TOO_LARGE if about.st_size > MAX_PICTURE else ""


def _read(path: Path) -> bytes:
    # Not through a link that was put there since.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        return file.read(MAX_PICTURE + 1)

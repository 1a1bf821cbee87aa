"""What a file format is, and which one a file is in, judged by its first bytes; file names lie."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from app.formats.record import Imported, LeftOut, ReadBack, ReportExport
from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from pathlib import Path

    from app.formats.pictures.packages import Payload

Reader: TypeAlias = "Callable[[Payload, str, Sequence[str]], Iterator[Imported | LeftOut]]"
Writer: TypeAlias = "Callable[[Sequence[ReportExport]], Iterator[str] | Iterator[bytes]]"
FolderWriter: TypeAlias = "Callable[[Sequence[ReportExport]], Iterator[Mapping[str, str | bytes]]]"
Losses: TypeAlias = "Callable[[Sequence[ReportExport]], Iterable[str]]"


def _never(data: bytes) -> int:
    return 0


def _nothing(reports: Sequence[ReportExport]) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    `detect` says of a file's bytes how sure one can be that they are of this format, from 0 (they are not) to
    3; the surest is taken. `read` gives the reports of a payload, whose digest and the scheme's category ids
    it is told. `write` gives the text (or the bytes) of a file in pieces, about one for each report;
    where there is a folder of files, `write_folder` gives their texts by name, likewise. `write_beside` gives
    texts of files beside the one that is written, by what their names have behind its own. `losses` are
    sentences, said beforehand, on what it has no place for; `recount` reads back what was written where there
    is no reader.

    `label` is what people call it, `made_by` who makes such files, `about` what they hold. Files of
    `suffixes` are read from folders, together with the file of the same name that ends in `companion`.
    `carries` says whether they bring annotations along, `outside` that they are read in a process of their
    own: libraries that take a file apart may run away with memory and time. `profile` says that the terms of
    reports are written, not annotations of categories.
    """

    id: str
    label: str
    suffixes: tuple[str, ...]
    detect: Callable[[bytes], int] = _never
    read: Reader | None = None
    write: Writer | None = None
    write_folder: FolderWriter | None = None
    write_beside: Callable[[Sequence[ReportExport]], Mapping[str, str]] | None = None
    losses: Losses = _nothing
    recount: Callable[[Path, Sequence[ReportExport]], ReadBack] | None = None
    made_by: str = ""
    about: str = ""
    companion: str = ""
    carries: bool = False
    outside: bool = False
    profile: bool = False

    @property
    def folder(self) -> bool:
        """Whether it is written into a folder of its own."""
        return self.write_folder is not None

    @property
    def lossless(self) -> bool:
        """Whether it has a place for everything."""
        return self.losses is _nothing

    @property
    def lacks(self) -> tuple[str, ...]:
        """The kinds of things (app/formats/losses.py) that it has no place for."""
        return tuple(getattr(self.losses, "lacks", ()))


_HEAD = 4096
_SURE = 3
_XML = re.compile(r"<[?!A-Za-z]")
_JSON = re.compile(r'[\[{]\s*(?:[\[{"\]}]|$)')
_KNOWN_OTHERS = (
    (b"PK\x03\x04", "a ZIP archive or a document of another program; unpack it, or save it as .docx or PDF"),
    (b"\xd0\xcf\x11\xe0", "an old Word document, or one locked by a password; save it as .docx without one"),
    (b"{\\rtf", "an RTF document; save it as .docx or plain text"),
    (b"From: <Saved by", "a web archive; save the page as “HTML only”"),
    (b"bplist00", "a web archive; save the page as HTML, or print it as a PDF"),
    (b"\x89PNG", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (
        b"SQLite format 3",
        "a database; reports are imported from files, such as JATS XML, text or JSON",
    ),
)


def detect(payload: Payload, formats: Sequence[Format]) -> Format:
    """The format that a file is in; raises FormatError for what is plainly none of them, or empty."""
    data = payload.data
    if payload.companion is not None:
        return next(one for one in formats if one.companion and payload.source.lower().endswith(one.suffixes))
    if not data.strip():
        raise FormatError("The file is empty.")
    wide = _wide(data)
    as_utf8 = data.decode(wide, "replace").encode() if wide else data
    found = max(formats, key=lambda one: one.detect(as_utf8))
    other = next((what for magic, what in _KNOWN_OTHERS if data.startswith(magic)), "")
    if data.startswith(b"PK\x03\x04") and not zipfile.is_zipfile(io.BytesIO(data)):
        other = "only a part of a ZIP archive or of a document, or damaged; copy the whole file"
    if payload.source.lower().endswith(".spacy"):
        other = other or "no spaCy DocBin, or a damaged one"
    if other and found.detect(as_utf8) < _SURE:
        raise FormatError(f"The file is {other}.")
    return found


def read_as(record: Imported, known: Format, others: Sequence[Format]) -> Imported:
    """The record with what it was taken for; a note says so where the file's name promises another format."""
    name = record.source.lower()
    promised = next((one for one in others if name.endswith(one.suffixes)), None)
    notes = record.notes
    if promised is not None and not name.endswith(known.suffixes):
        ending = next(suffix for suffix in promised.suffixes if name.endswith(suffix))
        notes = (
            f"Its name ends in {ending}, but it is no {promised.label}: it was read as {known.label}.",
            *notes,
        )
    return replace(record, notes=notes, read_as=record.read_as or known.label)


def is_xml(data: bytes) -> bool:
    """Whether it begins as XML does."""
    return bool(_XML.match(first_characters(data)))


def is_json(data: bytes) -> bool:
    """Whether it begins as JSON does."""
    return bool(_JSON.match(first_characters(data)))


def first_object(data: bytes) -> dict[str, object]:
    """The JSON object that its first line is; empty where it is none."""
    if not is_json(data):
        return {}
    wide = _wide(data)
    # No copy of all that comes after it.
    line = next(io.BytesIO(data.lstrip()), b"") if not wide else data
    try:
        # What is no UTF-8 has its keys in ASCII.
        text = line.decode(wide or "utf-8-sig", "replace").partition("\n")[0]
        first = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return first if isinstance(first, dict) else {}


def _wide(data: bytes) -> str:
    """The encoding of a text whose characters have two bytes, by its mark or its many zeros; else ""."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    head = data[:_HEAD]
    if head[:2].count(0) != 1 or head.count(0) * 3 <= len(head):
        return ""
    return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"


def first_characters(data: bytes) -> str:
    """The beginning of the file without marks and blanks; only its ASCII characters need to be right."""
    start = data[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    if _wide(start):
        start = start.replace(b"\xff\xfe", b"").replace(b"\xfe\xff", b"").replace(b"\0", b"")
    return start.decode("latin-1").lstrip()

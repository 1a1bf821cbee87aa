"""Every way into a project and out of it as files: which formats there are, and which one a file is in."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.formats.writing import as_bytes, drafted, drafted_folder, write_atomically
from app.messages import no_such
from extractors.model.errors import CasespanError, FormatError, UnknownNameError
from extractors.model.progress import Progress, at_once

if TYPE_CHECKING:
    from app.formats.documents.outside import Outside
    from app.formats.format import Format
    from app.formats.labels import Meaning
    from app.formats.pictures.packages import Payload
    from app.formats.record import Imported, LeftOut, Pasted, Pause, ReportExport


@dataclass(frozen=True, slots=True)
class _Entry:
    """A format's id, the module of this room that has it as FORMAT, and which way it goes.

    Modules are imported when they are needed: their libraries take longer than the program's help.
    """

    id: str
    module: str
    reads: bool = False
    writes: bool = False


# A line here registers a format.
_ENTRIES = (
    _Entry("jats", "jats", reads=True),
    _Entry("pdf", "pdf", reads=True, writes=True),
    _Entry("docx", "documents.docx", reads=True, writes=True),
    _Entry("html", "documents.html", reads=True, writes=True),
    _Entry("text", "documents.text", reads=True),
    _Entry("crb", "crb", reads=True, writes=True),
    _Entry("jsonl", "jsonl", reads=True, writes=True),
    _Entry("prodigy", "standoff.prodigy", reads=True, writes=True),
    _Entry("doccano", "standoff.doccano", reads=True, writes=True),
    _Entry("label-studio", "standoff.label_studio", reads=True, writes=True),
    _Entry("csv", "tabular.csv_table", reads=True, writes=True),
    _Entry("xlsx", "tabular.xlsx", writes=True),
    _Entry("parquet", "tabular.parquet", writes=True),
    _Entry("hf", "tabular.hf", writes=True),
    _Entry("bioc", "standoff.bioc", reads=True, writes=True),
    _Entry("bioc-json", "standoff.bioc_json", reads=True, writes=True),
    _Entry("spacy", "standoff.docbin", reads=True, writes=True),
    _Entry("conll", "standoff.conll", reads=True, writes=True),
    _Entry("cas", "standoff.cas", reads=True, writes=True),
    _Entry("cas-json", "standoff.cas_json", reads=True, writes=True),
    _Entry("brat", "standoff.brat", reads=True, writes=True),
    _Entry("phenopacket", "phenopacket", writes=True),
    _Entry("profile", "tabular.profile_csv", writes=True),
)
READ_FORMATS = ("auto", *(entry.id for entry in _ENTRIES if entry.reads))
WRITE_FORMATS = tuple(entry.id for entry in _ENTRIES if entry.writes)


@cache
def format_of(name: str) -> Format:
    """The format of that id; raises UnknownNameError."""
    entry = next((one for one in _ENTRIES if one.id == name), None)
    if entry is None:
        raise UnknownNameError(no_such("format", name, [one.id for one in _ENTRIES]))
    found: Format = import_module(f"app.formats.{entry.module}").FORMAT
    return found


def read_formats() -> list[Format]:
    """The formats that can be read, in order."""
    return [format_of(name) for name in READ_FORMATS[1:]]


def read_suffixes() -> list[str]:
    """The ends of names of the files that are read, packages of several included."""
    from app.formats.pictures.packages import ARCHIVES

    return sorted({suffix for one in read_formats() for suffix in one.suffixes} | {*ARCHIVES})


def write_formats() -> list[Format]:
    """The formats that can be written, in order."""
    return [format_of(name) for name in WRITE_FORMATS]


def read(
    path: Path,
    format: str = "auto",
    categories: Sequence[str] | None = None,
    labels: Mapping[str, Meaning | None] = MappingProxyType({}),
) -> Iterator[Imported | LeftOut]:
    """The reports in a file, a folder (with all below it) or a `.tar.gz` package, in a fixed order.

    `categories` are the scheme's ids (those of the built-in scheme for None), `labels` says what labels of
    the files stand for. What cannot be read is one
    LeftOut with a sentence, and the rest goes on. Raises UnknownNameError for a format that does not exist.
    """
    from app.formats.record import Pause

    records = read_with_pauses(path, format, categories, labels)
    return (record for record in records if not isinstance(record, Pause))


def read_with_pauses(
    path: Path,
    format: str = "auto",
    categories: Sequence[str] | None = None,
    labels: Mapping[str, Meaning | None] = MappingProxyType({}),
) -> Iterator[Imported | LeftOut | Pause]:
    """As `read`, with pauses where a file takes long: whoever reads may do something else, or give up."""
    if format not in READ_FORMATS:
        raise UnknownNameError(no_such("import format", format, READ_FORMATS))
    return _read(path, format, categories, labels)


def read_pasted(pasted: Pasted, categories: Sequence[str]) -> Imported:
    """The report that a pasted text is; raises FormatError for none."""
    from app.formats.documents.text import pasted_report

    return pasted_report(pasted, categories)


def writing(
    path: Path, format: str, reports: Sequence[ReportExport]
) -> Generator[Progress, None, tuple[str, ...]]:
    """Write reports with their annotations to `path`, which stays as it was unless all of it is written.

    Returns sentences on what the format has no place for; none where everything is written.

    Raises UnknownNameError for a format that does not exist, StorageError where the file cannot be written.
    """
    if format not in WRITE_FORMATS:
        raise UnknownNameError(no_such("export format", format, WRITE_FORMATS))
    known = format_of(format)
    losses = tuple(known.losses(reports))
    with drafted_folder(path) if known.folder else _drafted_file(path) as put:
        for done, piece in enumerate(_pieces(known, reports), start=1):
            for name, content in piece:
                put(name, content)
            yield Progress(min(done, len(reports)), len(reports), "reports written")
    for suffix, content in (known.write_beside(reports) if known.write_beside else {}).items():
        write_atomically(path.with_name(path.name + suffix), as_bytes(content))
    return losses


write = at_once(writing)


@contextmanager
def _drafted_file(path: Path) -> Iterator[Callable[[str, str | bytes], object]]:
    with drafted(path) as file:
        yield lambda _, content: file.write(as_bytes(content))


def _pieces(known: Format, reports: Sequence[ReportExport]) -> Iterator[Iterable[tuple[str, str | bytes]]]:
    """Contents by file name, about those of one report at a time."""
    if known.write_folder is not None:
        yield from (files.items() for files in known.write_folder(reports))
    elif known.write is not None:
        yield from ([("", text)] for text in known.write(reports))


def _read(
    path: Path, format: str, categories: Sequence[str] | None, labels: Mapping[str, Meaning | None]
) -> Iterator[Imported | LeftOut | Pause]:
    from app.formats.documents.outside import Outside
    from app.formats.record import LeftOut

    outside = Outside()
    try:
        for payload in payloads_of(path, format):
            if isinstance(payload, LeftOut):
                yield payload
            else:
                yield from records_in(payload, format, categories, labels, outside)
    finally:
        outside.close()


def payloads_of(
    path: Path, format: str = "auto", passed: Sequence[str] = (), *, bulk: bool = False
) -> Iterator[Payload | LeftOut]:
    """The files at `path` as bytes, as `read` goes through them; those with an ending in `passed` are none.

    Of a `bulk` archive, however large, pictures are passed over, and nothing of it comes to lie on the disk.
    """
    from app.formats.pictures.packages import MAX_ARCHIVE, Wanted, payloads

    # One that is named is given its own companions only: as text, a text of brat is a text.
    paired = read_formats() if format == "auto" else [format_of(format)]
    companions = {suffix: one.companion for one in paired for suffix in one.suffixes if one.companion}
    wanted = [one for one in read_formats() if one in paired or not one.companion]
    suffixes = [suffix for one in wanted for suffix in one.suffixes if suffix not in passed]
    prints = tuple(suffix for one in paired if one.outside for suffix in one.suffixes)
    most = sys.maxsize if bulk else MAX_ARCHIVE
    return payloads(path, Wanted(tuple(suffixes), companions, prints, most, pictures=not bulk))


def records_in(
    payload: Payload,
    format: str = "auto",
    categories: Sequence[str] | None = None,
    labels: Mapping[str, Meaning | None] = MappingProxyType({}),
    outside: Outside | None = None,
) -> Iterator[Imported | LeftOut | Pause]:
    """The reports of a file; without `outside` all is read in this process."""
    from app.formats.labels import resolved
    from app.formats.record import Imported, Pause, fit

    if categories is None:
        categories = _default_categories()
    for record in _records(payload, format, categories, outside):
        if isinstance(record, Imported):
            record = resolved(record, categories, labels)
        yield record if isinstance(record, Pause) else fit(record, payload.name)


def _records(
    payload: Payload, format: str, categories: Sequence[str], outside: Outside | None
) -> Iterator[Imported | LeftOut | Pause]:
    from app.formats.format import detect, is_json, read_as
    from app.formats.record import Imported, LeftOut, unforeseen

    if is_json(payload.data) and f"{format}-json" in READ_FORMATS:
        format = f"{format}-json"  # BioC and CAS are XML or JSON, and named once for both
    try:
        known = format_of(format) if format != "auto" else detect(payload, read_formats())
        if known.read is not None:
            digest = hashlib.sha256(payload.data).hexdigest()
            others = read_formats() if format == "auto" else ()
            read = partial(outside.read, known.id) if known.outside and outside else known.read
            for record in read(payload, digest, categories):
                yield read_as(record, known, others) if isinstance(record, Imported) else record
    except FormatError as error:
        yield LeftOut(payload.source, payload.name, str(error), failed=True)
    except CasespanError:
        raise
    except (
        Exception
    ) as error:  # a fault in a reader costs this file and must not cost those that come after it
        yield unforeseen(payload.source, payload.name, error)


@cache
def _default_categories() -> tuple[str, ...]:
    from extractors.model.scheme import default_scheme

    return default_scheme().ids

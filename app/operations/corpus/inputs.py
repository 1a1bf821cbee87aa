"""What a corpus is made of, as a stream: files, members of archives, lines and rows, cut into parts."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.formats import payloads_of, read_formats
from app.formats.format import detect
from app.formats.pictures.packages import Payload
from app.formats.plain import whole_characters
from app.formats.record import LeftOut
from app.operations.corpus.schema import Input
from extractors.model.errors import FormatError, reason_of

_LINES, _PARQUET = (".jsonl", ".ndjson"), ".parquet"
_ARCHIVES = (".tar.gz", ".tgz")
# Formats of which each line is a report.
_BY_LINE = ("jsonl", "prodigy", "doccano")
_HEAD = 1 << 16
_LONGEST_LINE = 100_000_000
# What an archive swells to, for the time that is left.
_SWELLS = 4
_ROWS = 64
_MOST_BYTES = 16_000_000
# By what a row's columns are known; the first that is there counts.
_COLUMNS = {
    "text": ("text", "full_text", "body"),
    "id": ("report", "id", "key", "pmcid", "pmid"),
    "title": ("title",),
    "journal": ("journal",),
    "date": ("date", "year"),
    "licence": ("licence", "license"),
    "article_type": ("article_type",),
}
_ABOUT = ("journal", "date", "licence", "article_type")


@dataclass(frozen=True, slots=True)
class Unit:
    """One file, member, line or row, to be read as `format`; `line`: it is one of many in a file."""

    payload: Payload
    format: str = "auto"
    line: bool = False


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a part is made of; `sha256` is that of all of it, with its names."""

    part: int
    units: tuple[Unit, ...]
    left_out: tuple[LeftOut, ...]
    sha256: str


@dataclass(slots=True)
class Stream:
    """Goes once through all that was given, in the order of its names; how far it is can be asked."""

    paths: Sequence[Path]
    limit: int | None = None
    taken: int = 0
    bytes: int = 0
    inputs: list[Input] = field(default_factory=list)

    def bundles(self, size: int) -> Iterator[Bundle]:
        """Parts of at most `size` units; one of none where there is nothing."""
        part, units, left_out, weight = 0, list[Unit](), list[LeftOut](), 0
        for one in self:
            if isinstance(one, LeftOut):
                left_out.append(one)
                continue
            if len(units) == size or (units and weight + len(one.payload.data) > _MOST_BYTES):
                yield _bundle(part, units, left_out)
                part, units, left_out, weight = part + 1, [], [], 0
            units.append(one)
            weight += len(one.payload.data)
        yield _bundle(part, units, left_out)

    def __iter__(self) -> Iterator[Unit | LeftOut]:
        for path in sorted(set(self.paths), key=str):
            digest, before = hashlib.sha256(), self.bytes
            for one in _units(path):
                if isinstance(one, Unit):
                    if self.taken == self.limit:
                        return
                    self.taken += 1
                    self.bytes += len(one.payload.data)
                    digest.update(_digest(one))
                yield one
            mtime = path.stat().st_mtime if path.is_file() else 0.0
            self.inputs.append(Input(str(path), self.bytes - before, digest.hexdigest(), mtime))

    def weigh(self) -> int:
        """About how many bytes there are to read."""
        files = [one for path in self.paths for one in (_below(path) if path.is_dir() else [path])]
        sizes = ((os.path.getsize(one), str(one).endswith(_ARCHIVES)) for one in files if one.is_file())
        return sum(size * (_SWELLS if archive else 1) for size, archive in sizes)


def _bundle(part: int, units: Sequence[Unit], left_out: Sequence[LeftOut]) -> Bundle:
    digest = hashlib.sha256()
    for unit in units:
        digest.update(_digest(unit))
    for one in left_out:
        digest.update(f"{one.source}\0{one.reason}\0".encode())
    return Bundle(part, tuple(units), tuple(left_out), digest.hexdigest())


def _digest(unit: Unit) -> bytes:
    payload = unit.payload
    own = hashlib.sha256(payload.data)
    own.update(payload.companion or b"")
    return hashlib.sha256(f"{payload.source}\0{unit.format}\0".encode() + own.digest()).digest()


def _below(path: Path) -> Iterator[Path]:
    """The files below a folder that is no link and not hidden, in order."""
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def _units(path: Path) -> Iterator[Unit | LeftOut]:
    """What is in a file or folder: tables row by row, then all other files."""
    files = _below(path) if path.is_dir() else [path]
    tables = {one: Path(whole_characters(str(one))) for one in files if _is_table(one)}
    for table, shown in tables.items():
        try:
            yield from (_rows if table.name.lower().endswith(_PARQUET) else _lines)(table, shown)
        except OSError as error:
            yield LeftOut(
                str(shown), shown.name, f"The file cannot be read ({reason_of(error)}).", failed=True
            )
    if [*tables] == [path]:
        return
    known = set(map(str, tables.values()))
    for payload in payloads_of(path, passed=(*_LINES, _PARQUET), bulk=True):
        if isinstance(payload, LeftOut):
            if payload.source not in known:
                yield payload
        else:
            yield Unit(Payload(payload.source, payload.name, payload.data, payload.companion))


def _is_table(path: Path) -> bool:
    return path.name.lower().endswith((*_LINES, _PARQUET)) and path.is_file()


def _lines(path: Path, shown: Path) -> Iterator[Unit | LeftOut]:
    """The lines of a file, which is `shown` as a text has it."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(0)
        try:
            known = detect(
                Payload(str(shown), shown.stem, head[: head.rfind(b"\n") + 1] or head), read_formats()
            )
        except FormatError as error:
            yield LeftOut(str(shown), shown.name, str(error), failed=True)
            return
        format = known.id if known.id in _BY_LINE else "jsonl"
        number = 0
        while line := file.readline(_LONGEST_LINE):
            number += 1
            if line.strip():
                yield Unit(Payload(f"{shown}#{number}", shown.stem, line.strip()), format, line=True)


def _rows(path: Path, shown: Path) -> Iterator[Unit | LeftOut]:
    """The rows of a Parquet table, each as a line of JSON: what reads these knows the rest."""
    import pyarrow
    from pyarrow import parquet

    try:
        with path.open("rb") as file, parquet.ParquetFile(file) as table:
            there = set(table.schema_arrow.names)
            names = {key: next((one for one in known if one in there), "") for key, known in _COLUMNS.items()}
            if not names["text"]:
                reason = f"The table has no column of texts ({', '.join(_COLUMNS['text'])})."
                yield LeftOut(str(shown), shown.name, reason, failed=True)
                return
            wanted = sorted({one for one in names.values() if one})
            rows = (row for batch in table.iter_batches(_ROWS, columns=wanted) for row in batch.to_pylist())
            for number, row in enumerate(rows, start=1):
                values = {key: row[name] for key, name in names.items() if name and row[name] is not None}
                yield Unit(Payload(f"{shown}#{number}", shown.stem, _line(values)), "jsonl", line=True)
    except (pyarrow.ArrowException, OSError) as error:
        yield LeftOut(str(shown), shown.name, f"The table is damaged ({type(error).__name__}).", failed=True)


def _line(values: dict[str, object]) -> bytes:
    about = {key: str(values.pop(key)) for key in _ABOUT if key in values}
    return json.dumps({**{key: str(value) for key, value in values.items()}, "metadata": about}).encode()

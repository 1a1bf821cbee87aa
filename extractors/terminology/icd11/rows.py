"""Files that hold a table each, as downloaded: in a zip or by themselves, damaged rows named and counted."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from extractors.model.errors import TerminologyError, reason_of

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATED = re.compile(r"(\d{4})[ -]([a-z]{3})", re.IGNORECASE)
_ZIPPED = b"PK\x03\x04"
_ENDINGS = (".txt", ".csv", ".tsv")


@dataclass(slots=True)
class LeftOut:
    """Rows that cannot be read, by reason; each reason says where the first of them stands."""

    counts: Counter[str] = field(default_factory=Counter)
    _first: dict[str, str] = field(default_factory=dict)

    def add(self, reason: str, where: str) -> None:
        """One more row."""
        self.counts[self._first.setdefault(reason, f"{reason} ({where})")] += 1


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table as text: its file's name, WHO's names of its columns (letters and digits only), its lines."""

    name: str
    heads: tuple[str, ...]
    last: str
    lines: tuple[str, ...]
    parted: str

    def rows(self, wanted: Sequence[int], left_out: LeftOut) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Number and `wanted` cells, two or more, of each line that is whole and readable; the last column
        may be a head alone."""
        most, chosen, parted = len(self.heads), itemgetter(*wanted), self.parted
        for number, line in enumerate(self.lines, start=2):
            if not line.strip():
                continue
            cells = line.split(parted)
            if not most - 1 <= len(cells) <= most:
                left_out.add("too few or too many cells", f"line {number} of {self.name}")
            elif "\ufffd" in line:
                left_out.add("letters that cannot be read", f"line {number} of {self.name}")
            else:
                own = chosen(cells)
                if '"' in line:
                    own = tuple([_unquoted(one) if one[:1] == '"' else one for one in own])
                yield number, own

    def release(self) -> str:
        """The year and month that the last column's head says, as WHO names its releases; "" without."""
        found = _DATED.search(self.last)
        month = found[2].lower() if found else ""
        return f"{found[1]}-{_MONTHS.index(month) + 1:02}" if found and month in _MONTHS else ""


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def table_files(path: Path) -> list[TableFile]:
    """The tables in a file, or in a zip of them; raises TerminologyError where it cannot be read."""
    try:
        if not zipfile.is_zipfile(path) and not (content := path.read_bytes()).startswith(_ZIPPED):
            return [_table(path.name, content)]
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.lower().endswith(_ENDINGS)]
            return [_table(name.rpartition("/")[2], archive.read(name)) for name in names]
    except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise TerminologyError(f"{path.name} cannot be read: {reason_of(error)}.") from None


def _table(name: str, content: bytes) -> TableFile:
    head, *lines = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n")
    parted = "\t" if "\t" in head else ","
    cells = [_unquoted(cell).strip() for cell in head.split(parted)]
    heads = tuple(re.sub(r"[^a-z0-9]", "", cell.lower()) for cell in cells)
    return TableFile(name, heads, cells[-1], tuple(lines), parted)

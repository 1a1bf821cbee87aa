"""Maps between revisions: WHO's from and to ICD-10, and CMS's equivalences of ICD-9-CM and ICD-10-CM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from extractors.terminology.arrays import ArrayFile, texts, write_arrays
from extractors.terminology.icd11.rows import LeftOut, TableFile

_FORMAT = 1
# What each map is called here, as its file is named.
ONE, MANY, BACK = "10To11MapToOneCategory", "10To11MapToMultipleCategories", "11To10MapToOneCategory"
GEM = "icd9toicd10cmgem"
_NO_DIAGNOSIS = "nodx"


@dataclass(frozen=True, slots=True)
class MapRow:
    """From a code, with its title where the map has it, to a code ("" to none); `uri` is that of ICD-11."""

    code: str
    title: str
    target: str
    uri: str = ""


def map_name(table: TableFile) -> str:
    """Which map a file is by its columns, "" for none."""
    heads = table.heads
    if {"icd9cm", "icd10cm"} <= set(heads):
        return GEM
    if not {"icd10code", "icd11code", "icd10title", "icd11title"} <= set(heads):
        return ""
    if heads.index("icd11code") < heads.index("icd10code"):
        return BACK
    return ONE if "11depthinkind" in heads else MANY


def read_map(table: TableFile, left_out: LeftOut) -> tuple[MapRow, ...]:
    """The rows of a map, chapters and blocks too."""
    name, heads = map_name(table), table.heads
    if name == GEM:
        columns = [heads.index("icd9cm"), heads.index("icd10cm")]
    else:
        ours, theirs = ("icd11", "icd10") if name == BACK else ("icd10", "icd11")
        columns = [heads.index(head) for head in (f"{ours}code", f"{theirs}code", f"{ours}title")]
        columns += [at for at, head in enumerate(heads) if head.startswith("linearization")][:1]
    found = []
    for number, cells in table.rows(columns, left_out):
        code, target = cells[0].strip(), cells[1].strip()
        title, uri = (*cells[2:], "", "")[:2]
        if not (code or uri):
            left_out.add("a row that maps nothing", f"line {number} of {table.name}")
            continue
        if target.lower() == _NO_DIAGNOSIS:
            target = ""
        found.append(MapRow(code, title, target, uri))
    return tuple(found)


def write_maps(path: Path, maps: dict[str, tuple[MapRow, ...]]) -> None:
    """Keep maps by name."""
    arrays = {}
    for name, rows in maps.items():
        arrays[f"{name}_codes"] = texts(one.code for one in rows)
        arrays[f"{name}_titles"] = texts(one.title for one in rows)
        arrays[f"{name}_targets"] = texts(one.target for one in rows)
        arrays[f"{name}_uris"] = texts(one.uri for one in rows)
    counts = {name: len(rows) for name, rows in sorted(maps.items())}
    write_arrays(path, {"format": _FORMAT, "maps": counts}, arrays, level=1)


class Maps:
    """The maps of a release, those of WHO and that of CMS, as far as they are there."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files = [ArrayFile(path, _FORMAT) for path in paths if path.exists()]

    @property
    def counts(self) -> dict[str, int]:
        """The rows of each map."""
        return {name: count for one in self._files for name, count in one.about["maps"].items()}

    def rows(self, name: str) -> tuple[MapRow, ...]:
        """The rows of a map; none where it is not there."""
        for one in self._files:
            if name in one.about["maps"]:
                parts = [one.texts(f"{name}_{part}") for part in ("codes", "titles", "targets", "uris")]
                return tuple(map(MapRow, *parts))
        return ()

    @cached_property
    def one(self) -> dict[str, MapRow]:
        """ICD-10 to the one category of ICD-11, by code."""
        return {row.code: row for row in self.rows(ONE)}

    @cached_property
    def many(self) -> dict[str, tuple[str, ...]]:
        """ICD-10 to all categories that may apply, by code."""
        return _targets(self.rows(MANY))

    @cached_property
    def gem(self) -> dict[str, tuple[str, ...]]:
        """ICD-9-CM to ICD-10-CM, by codes without dots; () where there is no diagnosis for it."""
        return _targets(self.rows(GEM))


def _targets(rows: Sequence[MapRow]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        there = found.setdefault(row.code, [])
        if row.target and row.target not in there:
            there.append(row.target)
    return {code: tuple(targets) for code, targets in found.items()}

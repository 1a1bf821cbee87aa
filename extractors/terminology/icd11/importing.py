"""Keeping WHO's tables and the maps in the user's folder: releases side by side, languages together."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from extractors.grouping import grouped
from extractors.model.errors import TerminologyError
from extractors.terminology.concept import Concept, Name
from extractors.terminology.icd11.lexicon import with_lexicon
from extractors.terminology.icd11.maps import BACK, GEM, ONE, MapRow, Maps, map_name, read_map, write_maps
from extractors.terminology.icd11.rows import LeftOut, table_files
from extractors.terminology.icd11.tables import (
    ASIDE,
    CITATION,
    NAME,
    Tabulation,
    is_tabulation,
    read_tabulation,
)
from extractors.terminology.index import Terminology, write_index

_OURS = ("icd10", "lexicon")


@dataclass(frozen=True, slots=True)
class Kept:
    """What is there of a release after an import: "" where there are maps only.

    `maps` has the rows of each by name, `left_out` those that could not be read by reason.
    """

    release: str
    languages: tuple[str, ...]
    categories: int
    leaves: int
    maps: dict[str, int]
    left_out: dict[str, int]
    path: Path


def index_path(folder: Path, release: str) -> Path:
    """Where the classes of a release are kept."""
    return folder / f"{NAME.lower()}-{release}.zip"


def map_paths(folder: Path, release: str) -> tuple[Path, Path]:
    """Where the maps are: those of a release, and that of CMS, which is of none."""
    return folder / f"{NAME.lower()}-{release}.maps", folder / f"{GEM}.maps"


def import_icd11(paths: Sequence[Path], folder: Path) -> tuple[Kept, ...]:
    """Keep what these files hold, the newest release first; nothing is kept where one of them is wrong.

    Raises TerminologyError for a file that is neither a table of WHO's nor a map.
    """
    # So many small objects that live to the end are looked through again and again: a quarter of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _imported(paths, folder)
    finally:
        if collecting:
            gc.enable()


def _imported(paths: Sequence[Path], folder: Path) -> tuple[Kept, ...]:
    left_out = LeftOut()
    tables: dict[str, list[Tabulation]] = {}
    maps: dict[str, dict[str, tuple[MapRow, ...]]] = {}
    for path in paths:
        known = False
        for table in table_files(path):
            if is_tabulation(table):
                read = read_tabulation(table, left_out)
                tables.setdefault(read.release, []).append(read)
            elif name := map_name(table):
                release = "" if name == GEM else table.release()
                maps.setdefault(release, {})[name] = read_map(table, left_out)
            else:
                continue
            known = True
        if not known:
            raise TerminologyError(
                f"{path.name} is neither a table of ICD-11 (SimpleTabulation-ICD-11-MMS-en.zip or its text), "
                "nor WHO's mapping.zip, nor CMS's equivalences (icd9toicd10cmgem.csv); nothing was imported."
            )
    for release, found in maps.items():
        own, gem = map_paths(folder, release)
        target = own if release else gem
        there = Maps([target])
        write_maps(target, {name: there.rows(name) for name in there.counts} | found)
    releases = {one for one in (*tables, *maps) if one}
    counted = dict(sorted(left_out.counts.items()))
    return tuple(
        _kept(folder, one, _keep(folder, one, tables.get(one, [])), counted)
        for one in sorted(releases or {""}, reverse=True)
    )


def _keep(folder: Path, release: str, tables: Sequence[Tabulation]) -> Sequence[Concept]:
    """Write the classes of a release with those that were there, and ICD-10's titles where there are maps."""
    target = index_path(folder, release)
    if not tables and not target.exists():
        return ()
    again = any(table.language == "en" for table in tables)
    concepts = _there(target, again=again) if target.exists() else {}
    for table in sorted(tables, key=lambda one: one.language != "en"):
        concepts = _merged(concepts, table)
    maps = Maps(map_paths(folder, release)[:1])
    named = with_lexicon(_with_icd10(concepts, maps))
    write_index(target, NAME, release, CITATION.format(release=release), named, level=0, aside=ASIDE)
    return named


def _there(path: Path, *, again: bool) -> dict[str, Concept]:
    """The classes that were kept before, without the names that are given anew; of a
    table in English nothing is left once it is read again (`again`)."""
    before = Terminology(path)
    if again and before.languages == ("en",):
        return {}
    found = {}
    for code in before.codes:
        concept = before.concept(code)
        titles = tuple(name for name in concept.names if name.kind not in _OURS)
        found[code] = replace(concept, names=titles, xrefs=())
    return found


def _merged(before: dict[str, Concept], table: Tabulation) -> dict[str, Concept]:
    """The classes with the titles of one more language; a table says again what stands where.

    A table in English is the whole of a release; one in another language says its English titles, too.
    """
    found: dict[str, Concept] = {} if table.language == "en" else dict(before)
    alone = not before and table.language == "en"
    for row in table.rows:
        own = Name(row.title, "title", table.language) if row.title else None
        if alone and own is not None:
            ordered: tuple[Name, ...] = (own,)
        else:
            other = () if row.code not in before else before[row.code].names
            english = Name(row.english, "title") if row.english and table.language != "en" else None
            names = {one.language: one for one in (english, *other, own) if one is not None}
            ordered = tuple(names[one] for one in sorted(names, key=lambda one: (one != "en", one)))
        up = (row.parent,) if row.parent else ()
        found[row.code] = Concept(
            row.code, ordered, up, uri=row.uri, kind=row.kind, chapter=row.chapter, residual=row.residual
        )
    return found


def _with_icd10(concepts: Mapping[str, Concept], maps: Maps) -> list[Concept]:
    """The classes with the titles and codes of ICD-10 that are mapped to them."""
    kinds = {code: one.kind for code, one in concepts.items()}
    rows = [row for row in maps.rows(ONE) if kinds.get(row.target) == "category"]
    names = grouped((row.target, Name(row.title, "icd10")) for row in rows)
    back = ((row.code, row.target) for row in maps.rows(BACK) if row.target)
    codes = grouped((*((row.target, row.code) for row in rows), *back))
    if not codes:
        return list(concepts.values())
    found = []
    for code, concept in concepts.items():
        there = {one.text.casefold() for one in concept.names}
        more = {one.text.casefold(): one for one in names.get(code, ()) if one.text.casefold() not in there}
        xrefs = tuple(f"ICD10:{one}" for one in dict.fromkeys(codes.get(code, ())))
        found.append(
            replace(concept, names=(*concept.names, *more.values()), xrefs=xrefs)
            if more or xrefs
            else concept
        )
    return found


def _kept(folder: Path, release: str, concepts: Sequence[Concept], left_out: dict[str, int]) -> Kept:
    maps = Maps(map_paths(folder, release)).counts
    if not concepts:
        return Kept(release, (), 0, 0, maps, left_out, maps_at(folder, release))
    above = {up for one in concepts for up in one.parents}
    coded = [one for one in concepts if one.kind in ("category", "extension")]
    leaves = sum(one.code not in above for one in coded)
    languages = sorted({name.language for one in concepts for name in one.names})
    path = index_path(folder, release)
    return Kept(release, tuple(languages), len(coded), leaves, maps, left_out, path)


def maps_at(folder: Path, release: str) -> Path:
    """The file of a release's maps, without one that of CMS."""
    own, gem = map_paths(folder, release)
    return own if release else gem

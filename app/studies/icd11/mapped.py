"""Codes of a hospital as ICD-11 codes, by the tables and titles that the user imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.studies.icd11.funnel import Mapped
from extractors.terminology.icd11.classes import Classes, open_maps
from extractors.terminology.icd11.mapping import Mapper, Source, Via

# Titles that are merely alike are offered to people; here all words must be there, or a table must say so.
STEPS = ("full title", "sub-phrase", "table", "family")
_SOURCES: Mapping[str, Source] = {"9": "icd9cm", "10": "icd10cm"}


def code_mapper(
    classes: Classes, titles: Mapping[tuple[str, str], str], via: Via
) -> Callable[[str, str], Mapped]:
    """Maps a code of a version (9 or 10) with its long title; TerminologyError where a map is needed."""
    mapper = Mapper(classes, open_maps(classes.release))

    def map_code(code: str, version: str) -> Mapped:
        source = _SOURCES.get(version)
        if source is None:
            return Mapped(reason="a version that is neither 9 nor 10")
        mapper.require(source, via)
        found = mapper.map(code, titles.get((code, version), ""), source, via)
        best = next((one for one in found.candidates if one.step in STEPS), None)
        return Mapped() if best is None else Mapped(best.code, best.step, classes[best.code].leaf)

    return map_code

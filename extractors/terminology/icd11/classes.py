"""ICD-11's classes by code: what each is, what stands around it, and what it comes to further up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from extractors.model.errors import TerminologyError
from extractors.terminology.concept import CLASS_KINDS
from extractors.terminology.icd11.importing import map_paths
from extractors.terminology.icd11.maps import Maps
from extractors.terminology.icd11.tables import ASIDE, NAME
from extractors.terminology.index import Terminology
from extractors.terminology.library import open_terminology, terminology_folder

Level = Literal["category", "block", "chapter"]
LEVELS: tuple[Level, ...] = ("category", "block", "chapter")
_BLOCK, _CATEGORY = CLASS_KINDS.index("block"), CLASS_KINDS.index("category")
# Not diagnoses: extension codes, the section on functioning, traditional medicine.
_NOT_DIAGNOSES = ("X", *ASIDE)


@dataclass(frozen=True, slots=True)
class IcdClass:
    """A class: `parent` is a code ("" of a chapter), `kind` one of chapter, block, category, extension."""

    code: str
    title: str
    uri: str
    chapter: str
    parent: str
    kind: str
    leaf: bool
    residual: bool


class Classes:
    """The classes of a release, read as they are asked for."""

    def __init__(self, terminology: Terminology) -> None:
        self.terminology = terminology
        self.release, self.languages = terminology.release, terminology.languages
        self.citation = terminology.source

    def __contains__(self, code: object) -> bool:
        return isinstance(code, str) and self.terminology.row(code) is not None

    def __getitem__(self, code: str) -> IcdClass:
        """The class of a code; raises TerminologyError for one that is not there."""
        row = self.terminology.row(code)
        if row is None:
            raise TerminologyError(f"{NAME} {self.release} has no code “{code}”.")
        return self.at(row)

    def __iter__(self) -> Iterator[IcdClass]:
        return map(self.at, range(len(self.terminology.codes)))

    def at(self, row: int) -> IcdClass:
        """The class of a row."""
        known = self.terminology
        up = known.parents(row)
        return IcdClass(
            known.codes[row],
            known.label(row),
            known.concept(known.codes[row]).uri,
            known.chapters[row],
            known.codes[up[0]] if up else "",
            CLASS_KINDS[known.kinds[row]],
            not known.children[row],
            bool(known.residual[row]),
        )

    def diagnosis(self, row: int) -> bool:
        """Whether a row is a category by which a diagnosis can be coded."""
        known = self.terminology
        return known.kinds[row] == _CATEGORY and known.chapters[row] not in _NOT_DIAGNOSES

    def lifted(self, code: str, level: Level) -> str:
        """The code of the category (of four signs), the nearest block or the chapter that a code is in.

        A category without a block is lifted to its chapter. Raises TerminologyError for an unknown code.
        """
        known = self.terminology
        row = known.row(code)
        if row is None:
            raise TerminologyError(f"{NAME} {self.release} has no code “{code}”.")
        if level == "chapter":
            return known.chapters[row]
        last = row
        while known.kinds[row] >= _CATEGORY and (up := known.parents(row)):
            last, row = row, up[0]
        return known.codes[last] if level == "category" else known.codes[row]


def open_icd11(release: str = "") -> Classes:
    """The newest release that was imported, or the one asked for; UnknownNameError says what to fetch."""
    return _classes(open_terminology(NAME, release))


_classes = lru_cache(maxsize=4)(Classes)


def open_maps(release: str) -> Maps:
    """The maps that were imported for a release, and CMS's."""
    return Maps(map_paths(terminology_folder(), release))

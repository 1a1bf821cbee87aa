"""What HPO says of findings: whether they are any, what stands above them, to which groups they belong."""

from __future__ import annotations

import tomllib
from functools import cached_property

from extractors.assets import asset
from extractors.terminology.hierarchy import ancestors
from extractors.terminology.index import Terminology

_FINDINGS = "HP:0000118"
_IMAGING = ("x-ray", "radiograph", "mri", " ct", "ultrasound", "echocardiogra", "tomography", "eeg", "ecg")


class Terms:
    """Findings of one release, by code."""

    def __init__(self, terminology: Terminology) -> None:
        self.terminology = terminology
        self._root = terminology.row(_FINDINGS)
        # A cache of the class would keep every release that was ever read.
        self._branches_of: dict[str, tuple[str, ...]] = {}
        self._categories_of: dict[str, tuple[str, ...]] = {}

    def finding(self, code: str) -> str | None:
        """The code in use of a phenotypic finding; None for anything else."""
        return self._findings.get(code)

    @cached_property
    def _findings(self) -> dict[str, str]:
        found = {}
        codes, obsolete = self.terminology.codes, self.terminology.obsolete.tolist()
        for row in range(len(codes)):
            if not obsolete[row] and row != self._root and self._root in self._above[row]:
                found[codes[row]] = codes[row]
        for code in set(self.terminology._row_of) - found.keys():  # noqa: SLF001 (codes that were merged)
            if (current := self.terminology.current(code)) in found and current is not None:
                found[code] = current
        return found

    @cached_property
    def _above(self) -> list[frozenset[int]]:
        return [frozenset(ancestors(self.terminology, row)) for row in range(len(self.terminology.codes))]

    def label(self, code: str) -> str:
        """The name of a finding."""
        return self.terminology.label_of(code)

    def related(self, one: str, other: str) -> bool:
        """Whether one stands above the other, or is it."""
        first, second = self.terminology.row(one), self.terminology.row(other)
        if first is None or second is None:
            return False
        return first in self._above[second] or second in self._above[first]

    def parents(self, code: str) -> tuple[str, ...]:
        """The codes right above."""
        row = self.terminology.row(code)
        above = () if row is None else self.terminology.parents(row)
        return tuple(self.terminology.codes[up] for up in above)

    def branches(self, code: str) -> tuple[str, ...]:
        """The organ branches (children of the root) that a finding belongs to."""
        row, kept = self.terminology.row(code), self._branches_of
        if row is None or self._root is None:
            return ()
        if code not in kept:
            below = self.terminology.children[self._root]
            kept[code] = tuple(
                sorted(self.terminology.codes[one] for one in below if one in self._above[row])
            )
        return kept[code]

    def categories(self, code: str) -> tuple[str, ...]:
        """The categories of case reports that a finding would stand under."""
        kept = self._categories_of
        if code not in kept:
            kept[code] = tuple(sorted({*self._named_above(code)}))
        return kept[code]

    def _named_above(self, code: str) -> list[str]:
        row = self.terminology.row(code)
        found: list[str] = []
        edge = [] if row is None else [row]
        while edge:
            above = []
            for each in edge:
                named = self._branches.get(self.terminology.label(each))
                found += named or ()
                above += self.terminology.parents(each) if named is None else []
            edge = list(dict.fromkeys(above))
        return found

    @cached_property
    def _branches(self) -> dict[str, list[str]]:
        text = asset("resources", "rules", "hpo_branches.toml").read_text(encoding="utf-8")
        branches: dict[str, list[str]] = tomllib.loads(text)["branches"]
        return branches

    def subject(self, code: str) -> str:
        """Its medical type: laboratory, imaging or symptom."""
        if any(word in self.label(code).casefold() for word in _IMAGING):
            return "imaging"
        return "laboratory" if "Lab_Image" in self.categories(code) else "symptom"

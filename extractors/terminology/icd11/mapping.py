"""What a code of another revision, or a title, is in ICD-11: by the user's tables, by words, or by both."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from extractors.model.errors import TerminologyError
from extractors.terminology.icd11.classes import Classes
from extractors.terminology.icd11.labels import Labels, words_of
from extractors.terminology.icd11.maps import GEM, ONE, Maps
from extractors.terminology.icd11.ranking import Entry, Ranking, Step
from extractors.terminology.index import folded_phrase

Source = Literal["icd9cm", "icd10cm", "icd10", "text"]
Via = Literal["table", "text", "both"]
SOURCES: tuple[Source, ...] = ("icd9cm", "icd10cm", "icd10", "text")

NO_DIAGNOSIS, NOT_IN_TABLE, NO_WORDS, NOT_A_LEAF = (
    "the table says that there is no diagnosis for it",
    "no table has the code, cut or whole",
    "no title has its words, or enough of them in a row",
    "only categories with others below them have its words",
)
_LEAST_LETTERS = 3
_CUT, _MOST = 0.1, 40


@dataclass(frozen=True, slots=True)
class Candidate:
    """A category that a row may be, with how it was come to; scores go down from the best."""

    code: str
    label: str
    uri: str
    score: float
    step: Step


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a row comes to, best first; `reason` says in words why there is nothing."""

    code: str
    title: str
    candidates: tuple[Candidate, ...]
    reason: str = ""


class Mapper:
    """Maps rows by one release and the maps that were imported for it."""

    def __init__(self, classes: Classes, maps: Maps) -> None:
        self.classes, self.maps = classes, maps

    @cached_property
    def labels(self) -> Labels:
        """The titles that are compared."""
        return Labels(self.classes)

    @cached_property
    def ranking(self) -> Ranking:
        """What weighs table, family and text together."""
        return Ranking(self.labels)

    def require(self, source: Source, via: Via) -> None:
        """Raises TerminologyError where a map that is needed was not imported; says what to fetch."""
        counts = self.maps.counts
        for name, what in _needed(source, via):
            if name not in counts:
                raise TerminologyError(
                    f"{what} is not here yet: fetch it and run casespan terminology import ICD11 FILE; it is "
                    f"needed for release {self.classes.release}."
                )

    def map(
        self, code: str, title: str, source: Source, via: Via = "both", *, top: int = 10, share: float = 0.8
    ) -> Mapped:
        """The categories that a row may be; `share` of a title's words must be found, in a row."""
        code = code.strip()
        if via == "text" or source == "text":
            found, reason = self._by_text(title, share)
            if via == "both":
                ranked = self._ranked(title, [], found)
                found, reason = ranked, "" if ranked else NO_WORDS
        else:
            entries, reason = self._entries(code, source)
            if via == "table":
                found = self._by_table(entries)
            else:
                found = self._ranked(title, entries, self._by_text(title, share)[0])
        return Mapped(code, title, tuple(found[:top]), "" if found else reason or NO_WORDS)

    def _entries(self, code: str, source: Source) -> tuple[list[Entry], str]:
        plain = code.replace(".", "").upper()
        tens: Sequence[str] = (plain,)
        if source == "icd9cm":
            if plain not in self.maps.gem:
                return [], NOT_IN_TABLE
            tens = self.maps.gem[plain]
            if not tens:
                return [], NO_DIAGNOSIS
        entries = [entry for ten in tens if (entry := self._entry(ten)) is not None]
        return entries, "" if entries else NOT_IN_TABLE

    def _entry(self, plain: str) -> Entry | None:
        """The longest beginning of a code (without a dot) that WHO's map has."""
        for end in range(len(plain), _LEAST_LETTERS - 1, -1):
            dotted = plain[:3] + ("." + plain[3:end] if end > _LEAST_LETTERS else "")
            row = self.maps.one.get(dotted)
            if row is not None and self._coded(row.target):
                more = (one for one in self.maps.many.get(dotted, ()) if self._coded(one))
                targets = tuple(dict.fromkeys((row.target, *more)))
                return Entry(dotted, row.title, targets, len(plain) - end)
        return None

    def _coded(self, code: str) -> bool:
        row = self.classes.terminology.row(code)
        return row is not None and self.classes.diagnosis(row)

    def _by_table(self, entries: Sequence[Entry]) -> list[Candidate]:
        found: dict[str, float] = {}
        for order, entry in enumerate(entries):
            for place, target in enumerate(entry.targets):
                found.setdefault(target, 1 / (1 + _CUT * entry.cut + order + place))
        return self._candidates([(score, code, "table") for code, score in found.items()])

    def _by_text(self, title: str, share: float) -> tuple[list[Candidate], str]:
        """As the paper does: all words in one title, or else those of a stretch of it, the longest first."""
        for step, phrase, words in _phrases(title.split(), share):
            names = self.labels.with_all(words, phrase)
            if not len(names):
                continue
            rows = self.labels.rows(names)
            leaves = [row for row in rows if self.labels.leaf[row]]
            codes = self.classes.terminology.codes
            found = [(1 / (1 + place), codes[row], step) for place, row in enumerate(leaves)]
            return self._candidates(found), "" if leaves else NOT_A_LEAF
        return [], NO_WORDS

    def _ranked(self, title: str, entries: Sequence[Entry], texts: Sequence[Candidate]) -> list[Candidate]:
        exact = {one.code: one.step for one in texts}
        return self._candidates(self.ranking.ranked(title, entries, exact))

    def _candidates(self, found: Sequence[tuple[float, str, Step]]) -> list[Candidate]:
        best = sorted(found, key=lambda one: (-one[0], one[1]))
        return [self._candidate(code, round(score, 4), step) for score, code, step in best[:_MOST]]

    def _candidate(self, code: str, score: float, step: Step) -> Candidate:
        one = self.classes[code]
        return Candidate(code, one.title, one.uri, score, step)


def _needed(source: Source, via: Via) -> Iterator[tuple[str, str]]:
    if via == "text" or source == "text":
        return
    yield ONE, "WHO's map from ICD-10 (mapping.zip, from https://icd.who.int/browse11, Info, download)"
    if source == "icd9cm":
        yield GEM, "CMS's map from ICD-9-CM (icd9toicd10cmgem.csv, as https://www.nber.org hands it out)"


def _phrases(words: Sequence[str], share: float) -> Iterator[tuple[Step, str, list[str]]]:
    """A title's words, then each stretch of at least `share` of them, longest first and from the left."""
    for size in range(len(words), max(1, math.ceil(share * len(words))) - 1, -1):
        for first in range(len(words) - size + 1):
            phrase = " ".join(words[first : first + size])
            if given := words_of(phrase):
                yield ("full title" if size == len(words) else "sub-phrase"), folded_phrase(phrase), given

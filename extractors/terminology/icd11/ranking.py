"""Table, family and words together: what each category that a row may be is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Literal

import numpy as np

from extractors.terminology.concept import NAME_KINDS
from extractors.terminology.icd11.labels import UNSAID, Labels, words_of
from extractors.terminology.index import folded_words

Step = Literal["table", "family", "full title", "sub-phrase", "text"]
_TEXTS, _LEAST_LIKENESS, _MOST_OF_TABLE, _WHOLE = 60, 0.25, 12, 0.99
# What ICD-10-CM says and ICD-11's categories do not.
_SIDES = frozenset("bilateral initial subsequent encounter sequela side laterality".split())


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of WHO's map that a code, `cut` by so many letters, led to; its category is the first target."""

    code: str
    title: str
    targets: tuple[str, ...]
    cut: int


@dataclass(slots=True)
class Signs:
    """What speaks for a category, or against it; each counts as _WORTH says."""

    own_title: float = 0.0
    own_title_whole: float = 0.0
    icd10_title: float = 0.0
    lexicon: float = 0.0
    lexicon_whole: float = 0.0
    table: float = 0.0
    table_alike: float = 0.0
    many: float = 0.0
    below: float = 0.0
    family: float = 0.0
    unspecified: float = 0.0
    unspecified_unsaid: float = 0.0
    other: float = 0.0
    other_unsaid: float = 0.0
    branch: float = 0.0


# Learnt from rows of WHO's own map that were held back, and from everyday diagnoses looked at one by one.
_WORTH = Signs(
    own_title=1.0,
    own_title_whole=0.4,
    icd10_title=0.1,
    lexicon=0.5,
    lexicon_whole=0.5,
    table=0.65,
    table_alike=0.15,
    many=0.14,
    below=0.27,
    family=0.34,
    unspecified=0.04,
    unspecified_unsaid=-0.02,
    other=-0.2,
    other_unsaid=-0.04,
    branch=-0.27,
)
_weighed = attrgetter(*(sign.name for sign in fields(Signs)))
_WORTHS: tuple[float, ...] = _weighed(_WORTH)


class Ranking:
    """Weighs the categories of one release."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.classes = labels, labels.classes
        known = self.classes.terminology
        self._known = known
        kinds = ("title", "icd10", "lexicon")
        self._kinds = [labels.ranked & (known.name_kinds == NAME_KINDS.index(one)) for one in kinds]
        self._other = np.array([code.endswith("Y") for code in known.codes]) & known.residual.astype(bool)

    def ranked(
        self, title: str, entries: Sequence[Entry], exact: dict[str, Step]
    ) -> list[tuple[float, str, Step]]:
        """Score, code and step of what a row may be; `exact`: steps of codes that have all words."""
        found = []
        for row, (signs, step) in self.signs(title, entries, exact).items():
            score = sum(one * each for one, each in zip(_WORTHS, _weighed(signs), strict=True))
            found.append((score, self._known.codes[row], step))
        return found

    def signs(
        self, title: str, entries: Sequence[Entry], exact: dict[str, Step]
    ) -> dict[int, tuple[Signs, Step]]:
        """All that is weighed, by row."""
        known = self._known
        parts = [word for word in words_of(title) if word not in _SIDES]
        likeness = self.labels.likeness(parts)
        own, tens, ours = (np.maximum.reduceat(likeness * kind, known.firsts[:-1]) for kind in self._kinds)
        best = np.maximum(np.maximum(own, tens), ours)
        found: dict[int, tuple[Signs, Step]] = {}
        for row in np.argsort(-best, kind="stable")[:_TEXTS].tolist():
            if best[row] >= _LEAST_LIKENESS:
                found[row] = Signs(), exact.get(known.codes[row], "text")
        for entry in entries:
            self._add(found, entry, parts)
        words = set(folded_words(title))
        unsaid, others = not words & UNSAID, "other" not in words
        # No table says what it is, and no title is called so: then our words for one count in full.
        everyday = not entries and own.max(initial=0.0) <= _WHOLE
        for row, (signs, _) in found.items():
            signs.own_title, signs.icd10_title = float(own[row]), float(tens[row])
            signs.own_title_whole, signs.lexicon = float(own[row] > _WHOLE), float(ours[row])
            signs.lexicon_whole = float(everyday and ours[row] > _WHOLE)
            signs.branch = float(bool(known.children[row]))
            if known.residual[row]:
                if self._other[row]:
                    signs.other, signs.other_unsaid = float(not others), float(others)
                else:
                    signs.unspecified, signs.unspecified_unsaid = float(not unsaid), float(unsaid)
        return found

    def _add(self, found: dict[int, tuple[Signs, Step]], entry: Entry, words: Sequence[str]) -> None:
        known = self._known
        rows = [row for code in entry.targets[:_MOST_OF_TABLE] if (row := known.row(code)) is not None]
        first, *more = rows
        signs = found[first][0] if first in found else Signs()
        signs.table = 1.0
        signs.table_alike = max(signs.table_alike, _dice(set(words), set(words_of(entry.title))))
        found[first] = signs, "table"
        for row in more:
            signs = found[row][0] if row in found else Signs()
            signs.many = 1.0
            found[row] = signs, "table"
        below = set(_below(known.children, first)) - {first}
        category = known.row(self.classes.lifted(known.codes[first], "category"))
        for row in _below(known.children, first if category is None else category):
            if row == first:
                continue
            signs, step = found.get(row, (Signs(), "family"))
            if row in below:
                signs.below = 1.0
            else:
                signs.family = 1.0
            found[row] = signs, ("family" if step == "text" else step)


def _below(children: Sequence[Sequence[int]], row: int) -> Iterator[int]:
    yield row
    for child in children[row]:
        yield from _below(children, child)


def _dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0

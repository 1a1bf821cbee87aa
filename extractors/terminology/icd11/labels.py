"""The titles by which a diagnosis is known, in ICD-11 and ICD-10, compared with others word by word."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from extractors.terminology.concept import NAME_KINDS
from extractors.terminology.index import folded_words

if TYPE_CHECKING:
    from extractors.terminology.arrays import Array
    from extractors.terminology.icd11.classes import Classes

# Words that carry nothing of what a title is about.
_EMPTY = frozenset("a an and as at by due for from in into of on or the to with".split())
_KINDS = ("title", "icd10")
UNSAID = frozenset(("unspecified", "nos", "uncomplicated"))


def content(words: Iterable[str]) -> list[str]:
    """Folded words that say something, each once."""
    return [word for word in dict.fromkeys(words) if word not in _EMPTY]


class Labels:
    """English titles of all categories for diagnoses, and ICD-10's titles of what is mapped to them."""

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        known = classes.terminology
        kinds = np.isin(known.name_kinds, [NAME_KINDS.index(kind) for kind in _KINDS])
        english = known.name_languages == known.languages.index("en") if "en" in known.languages else kinds
        diagnoses = np.array([classes.diagnosis(row) for row in range(len(known.codes))], np.bool_)
        given: Array = english & diagnoses[known.name_rows]
        self.wanted: Array = kinds & given
        # Words of ours are no titles: they count where all is ranked, not where the paper's way is gone.
        self.ranked: Array = self.wanted | (given & (known.name_kinds == NAME_KINDS.index("lexicon")))
        self.leaf: Array = np.array([not below for below in known.children], np.bool_)
        self._starts, self._postings = known.array("postings_starts"), known.array("postings")

    def rows(self, names: Array) -> list[int]:
        """The rows of names, each once, in their order."""
        return list(dict.fromkeys(self.classes.terminology.name_rows[names].tolist()))

    def with_all(self, words: Sequence[str], phrase: str = "") -> Array:
        """The names that have every one of these folded words, shortest first; of equal ones those that have
        the folded phrase as it stands."""
        found: Array | None = None
        for names in sorted((self._named(word) for word in words), key=len):
            found = names if found is None else found[np.isin(found, names, assume_unique=True)]
            if not len(found):
                break
        if found is None or not len(found):
            return np.zeros(0, np.int32)
        found = found[self.wanted[found]]
        known = self.classes.terminology.folded
        apart = np.array([phrase not in known[name] for name in found.tolist()], np.bool_)
        length = self._lengths[found] - self._unsaid[found]
        found = found[np.lexsort((found, apart, length))]
        return found

    def likeness(self, words: Sequence[str]) -> Array:
        """For each name how much it shares with these folded words, by what each says: 0 to 1."""
        shared: Array = np.zeros(len(self.wanted), np.float32)
        asked = 0.0
        for word in words:
            at = self._place(word)
            weight = float(self._weights[at]) if at is not None else self._unknown
            asked += weight
            if at is not None:
                shared[self._named(word)] += weight
        shared *= self.ranked
        likeness: Array = 2 * shared / (asked + self._sums)
        return likeness

    def _named(self, word: str) -> Array:
        at = self._place(word)
        stretch = (0, 0) if at is None else (self._starts[at], self._starts[at + 1])
        named: Array = self._postings[stretch[0] : stretch[1]]
        return named

    def _place(self, word: str) -> int | None:
        words = self.classes.terminology.words
        at = bisect_left(words, word)
        return at if at < len(words) and words[at] == word else None

    @cached_property
    def _lengths(self) -> Array:
        return self.classes.terminology.array("name_lengths")

    @cached_property
    def _unsaid(self) -> Array:
        """How many words of each name say no more than the others do."""
        found = np.zeros(len(self.wanted), np.int32)
        for word in UNSAID:
            found[self._named(word)] += 1
        return found

    @cached_property
    def _unknown(self) -> float:
        return float(self._weights.max(initial=1.0)) / 2

    @cached_property
    def _weights(self) -> Array:
        """What each word says: the rarer in these titles, the more; empty ones nothing."""
        words = self.classes.terminology.words
        wanted = self.wanted[self._postings].astype(np.int64)
        counts = np.add.reduceat(np.append(wanted, 0), self._starts[:-1])
        weights: Array = np.log(1 + self.wanted.sum() / (1 + counts)).astype(np.float32)
        weights[[at for word in _EMPTY if (at := self._place(word)) is not None and words]] = 0
        return weights

    @cached_property
    def _sums(self) -> Array:
        """What the words of each name say together, never nothing."""
        of_each = np.repeat(self._weights, np.diff(self._starts))
        sums: Array = np.bincount(self._postings, of_each, minlength=len(self.wanted)).astype(np.float32)
        return np.maximum(sums, 1e-3)


def words_of(title: str) -> list[str]:
    """The folded words of a title that say something."""
    return content(folded_words(title))

"""The concepts whose names are nearest to words, by what n-grams of letters and words they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from extractors.terminology.arrays import Array
from extractors.terminology.hierarchy import descendants
from extractors.terminology.index import Terminology, folded_words

_LETTERS = 3
_WORDS_WEIGHT = 2.0
# A name of several words is looked for in as many words of a text.
_WINDOW, _STRIDE = 5, 2
_AT_ONCE = 64
_LEAST = 0.4


@dataclass(frozen=True, slots=True)
class _Index:
    """Columns and rarity by n-gram, the names as rows of unit length, and the concept of each."""

    columns: dict[str, int]
    weights: Array
    names: Any
    rows: Array


class Nearest:
    """Nearest names among the concepts below `root` (all where it is ""); the first question reads them."""

    def __init__(self, terminology: Terminology, root: str = "") -> None:
        self.terminology, self._root = terminology, root

    def near(self, phrases: Sequence[str], limit: int) -> list[list[tuple[int, float]]]:
        """For each phrase rows of concepts with their likeness (0 to 1), the nearest first."""
        found: list[list[tuple[int, float]]] = []
        names, rows = self._index.names, self._index.rows
        for first in range(0, len(phrases), _AT_ONCE):
            likeness = (self._vectors(phrases[first : first + _AT_ONCE]) @ names.T).tocsr()
            for start, end in zip(likeness.indptr, likeness.indptr[1:], strict=False):
                values, places = likeness.data[start:end], rows[likeness.indices[start:end]]
                best: dict[int, float] = {}
                # Several names of one concept may stand before the next one.
                for at in np.lexsort((places, -values))[: limit * 8].tolist():
                    best.setdefault(int(places[at]), float(values[at]))
                found.append(list(best.items())[:limit])
        return found

    def in_text(self, text: str, limit: int) -> list[int]:
        """Rows of the concepts nearest to any stretch of a text, the nearest first."""
        best: dict[int, float] = {}
        for hits in self.near(list(_windows(text)), 3):
            for row, likeness in hits:
                if likeness >= _LEAST:
                    best[row] = max(likeness, best.get(row, 0.0))
        return sorted(best, key=lambda row: (-best[row], row))[:limit]

    @cached_property
    def _index(self) -> _Index:
        terminology = self.terminology
        top = terminology.row(self._root) if self._root else None
        below = None if top is None else descendants(terminology, top)
        rows = terminology.name_rows.tolist()
        wanted = [
            place
            for place, row in enumerate(rows)
            if terminology.folded[place] and not terminology.obsolete[row] and (below is None or row in below)
        ]
        columns: dict[str, int] = {}
        of_words: dict[str, list[int]] = {}
        grams: list[list[int]] = []
        for place in wanted:
            words = terminology.folded[place].split()
            for word in words:
                if word not in of_words:
                    of_words[word] = [columns.setdefault(one, len(columns)) for one in _letters(word)]
            own = [column for word in words for column in of_words[word]]
            own += [columns.setdefault(one, len(columns)) for one in _pairs(words)]
            grams.append(own)
        of, at, times = _counts(grams, len(columns))
        rarity = np.log(len(grams) / np.bincount(at, minlength=len(columns)))
        whole = np.array([gram.startswith("=") for gram in columns])
        weights = rarity * np.where(whole, _WORDS_WEIGHT, 1.0)
        names = _unit_rows(of, at, np.sqrt(times) * weights[at], (len(grams), len(columns)))
        return _Index(columns, weights, names, np.array([rows[place] for place in wanted], np.int64))

    def _vectors(self, phrases: Sequence[str]) -> Any:  # noqa: ANN401 (a sparse matrix)
        index = self._index
        said = [folded_words(one) for one in phrases]
        known = [[*filter(index.columns.__contains__, _grams(words))] for words in said]
        of, at, times = _counts([[index.columns[one] for one in own] for own in known], len(index.columns))
        shape = (len(phrases), len(index.columns))
        return _unit_rows(of, at, np.sqrt(times) * index.weights[at], shape)


def _counts(grams: Sequence[Sequence[int]], width: int) -> tuple[Array, Array, Array]:
    """Row, column and number of each n-gram, in the order in which they come first; given are the columns."""
    at = np.fromiter(chain.from_iterable(grams), np.int64)
    of = np.repeat(np.arange(len(grams)), [len(own) for own in grams])
    cells, first, times = np.unique(of * width + at, return_index=True, return_counts=True)
    order = np.argsort(first)
    return cells[order] // width, cells[order] % width, times[order]


def _unit_rows(of: Array, at: Array, values: Array, shape: tuple[int, int]) -> Any:  # noqa: ANN401
    """A sparse matrix whose rows have unit length."""
    lengths = np.sqrt(np.bincount(of, values**2, minlength=shape[0]))
    values = values / np.maximum(lengths, 1e-9)[of]
    return csr_array((values.astype(np.float32), (of, at)), shape=shape)


def _grams(words: Sequence[str]) -> Iterator[str]:
    """Words, pairs of them, and the letters of each by threes, with where it begins and ends."""
    for word in words:
        yield from _letters(word)
    yield from _pairs(words)


def _letters(word: str) -> Iterator[str]:
    yield f"={word}"
    edged = f" {word} "
    yield from (edged[at : at + _LETTERS] for at in range(len(edged) - _LETTERS + 1))


def _pairs(words: Sequence[str]) -> Iterator[str]:
    yield from (f"={first} {second}" for first, second in pairwise(words))


def _windows(text: str) -> Iterator[str]:
    """Stretches of a few words, each within a line or sentence."""
    for line in text.replace(". ", "\n").replace(";", "\n").split("\n"):
        words = line.split()
        for first in range(0, max(1, len(words) - _STRIDE), _STRIDE):
            if words:
                yield " ".join(words[first : first + _WINDOW])


@lru_cache(maxsize=2)
def nearest_names(terminology: Terminology, root: str = "") -> Nearest:
    """Those of a terminology, made once."""
    return Nearest(terminology, root)

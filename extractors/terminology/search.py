"""Search as one types: by code, by name, by the beginnings of words, and past typing errors."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from extractors.terminology.concept import NAME_KINDS, Name
from extractors.terminology.index import Terminology, folded_words
from extractors.text.folding import fold_stem

if TYPE_CHECKING:
    from extractors.terminology.arrays import Array

_ALMOST_ALL = "\U0010ffff"
# Of names that match alike the label is what is meant; an abbreviation has many meanings.
_WEIGHTS = {"label": 1.0, "exact": 0.97, "layperson": 0.97, "narrow": 0.9, "lexicon": 0.9, "related": 0.85}
_OTHER_WEIGHT = 0.8
_OBSOLETE = 0.5
# A word that had to be corrected counts so much less for each letter.
_PER_ERROR = 0.12
_LEAST_LETTERS = 4
_LONG_WORD = 8
# What shares but some of the words may be worth a look, but stands below all that has every word.
_LEAST_COVERED = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """A concept found, by the name that matched, with a score from 0 to 1 (1: the name as it was typed)."""

    code: str
    label: str
    matched: Name
    score: float
    leaf: bool


class Search:
    """Searches one terminology; the first question reads its names."""

    def __init__(self, terminology: Terminology) -> None:
        self.terminology = terminology

    def find(self, typed: str, limit: int = 10) -> list[Hit]:
        """The concepts that `typed` is a code, a name or the beginning of a name of, best first."""
        typed = typed.strip()
        codes = self._by_code(typed, limit)
        if codes or not typed:
            return codes
        return self._by_name(typed, limit)

    def _by_code(self, typed: str, limit: int) -> list[Hit]:
        terminology, wanted = self.terminology, typed.upper()
        row = terminology.row(wanted)
        if row is not None:
            return [self._hit(row, int(terminology.firsts[row]), 1.0)]
        if not any(character.isdigit() for character in wanted):
            return []
        codes, order = self._sorted_codes
        low = bisect_left(codes, wanted)
        rows: list[int] = []
        while low < len(codes) and codes[low].startswith(wanted) and len(rows) < limit:
            rows.append(order[low])
            low += 1
        return [self._hit(row, int(terminology.firsts[row]), 0.9) for row in rows]

    @cached_property
    def _sorted_codes(self) -> tuple[list[str], list[int]]:
        pairs = sorted(zip(self.terminology.codes, range(len(self.terminology.codes)), strict=True))
        return [code for code, _ in pairs], [row for _, row in pairs]

    def _by_name(self, typed: str, limit: int) -> list[Hit]:
        import numpy as np

        asked = folded_words(typed)
        if not asked:
            return []
        # The last word may not be typed to its end: its beginning counts as it stands, plural or not.
        begun = fold_stem(typed.split()[-1].strip(".,;:()"))
        count = len(self.terminology.names)
        covered = np.zeros(count, np.float32)
        places = dict.fromkeys(asked)
        for word in places:
            best = np.zeros(count, np.float32)
            for weight, low, high in self._words(word, begun if word == asked[-1] else ""):
                best[self._named(low, high)] = np.maximum(best[self._named(low, high)], weight)
            covered += best
        covered /= len(places)
        most = float(covered.max(initial=0))
        if most < _LEAST_COVERED:
            return []
        least = 0.8 if most >= 0.8 else _LEAST_COVERED
        candidates = np.flatnonzero(covered >= least)
        # Of what the words say, how much was asked for: short names first.
        shares = len(places) / np.maximum(self._lengths[candidates], len(places))
        scores = covered[candidates] * (0.6 + 0.4 * shares) * self._weights[candidates]
        best_first = np.lexsort((candidates, -scores))
        return self._best(candidates[best_first], scores[best_first], " ".join(asked), limit)

    def _best(self, names: Array, scores: Sequence[float], asked: str, limit: int) -> list[Hit]:
        """One hit a concept; what begins as was asked before what has it in its midst."""
        import numpy as np

        terminology = self.terminology
        shortlist = []
        for name, score in zip(names[: 20 * limit].tolist(), np.asarray(scores).tolist(), strict=False):
            folded = terminology.folded[name]
            bonus = 0.04 if folded == asked else 0.02 if folded.startswith(asked) else 0.0
            shortlist.append((min(1.0, score * 0.96 + bonus), name))
        hits: dict[int, Hit] = {}
        for score, name in sorted(
            shortlist, key=lambda one: (-one[0], len(terminology.names[one[1]]), one[1])
        ):
            row = int(terminology.name_rows[name])
            if row not in hits and len(hits) < limit:
                hits[row] = self._hit(row, name, round(score, 4))
        return list(hits.values())

    def _words(self, word: str, begun: str) -> list[tuple[float, int, int]]:
        """Stretches of the sorted words that a word may mean, with what each counts; itself first."""
        words = self.terminology.words
        low = bisect_left(words, word)
        found = [(1.0, low, low + 1)] if low < len(words) and words[low] == word else []
        if begun:
            low, high = bisect_left(words, begun), bisect_left(words, begun + _ALMOST_ALL)
            if low < high:
                found.append((0.9, low, high))
        return found or self._corrected(word, bool(begun))

    def _corrected(self, word: str, begun: bool) -> list[tuple[float, int, int]]:
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        if len(word) < _LEAST_LETTERS:
            return []
        errors = 2 if len(word) >= _LONG_WORD else 1
        words = self.terminology.words
        near = extract(word, words, scorer=OSA.distance, score_cutoff=errors, limit=20)
        if not near and begun:
            near = extract(word, self._cut(len(word)), scorer=OSA.distance, score_cutoff=errors, limit=20)
        return [(1 - _PER_ERROR * float(distance), at, at + 1) for _, distance, at in near]

    def _cut(self, length: int) -> list[str]:
        """The words' beginnings of that length, for a word that is wrong before it is typed to its end."""
        if length not in self._cuts:
            self._cuts[length] = [word[:length] for word in self.terminology.words]
        return self._cuts[length]

    @cached_property
    def _cuts(self) -> dict[int, list[str]]:
        return {}

    def _named(self, low: int, high: int) -> Array:
        """The names that have a word of that stretch."""
        starts, postings = self._postings
        return postings[starts[low] : starts[high]]

    @cached_property
    def _postings(self) -> tuple[Array, Array]:
        return self.terminology.array("postings_starts"), self.terminology.array("postings")

    @cached_property
    def _lengths(self) -> Array:
        return self.terminology.array("name_lengths")

    @cached_property
    def _weights(self) -> Array:
        """What each name counts, by its kind and whether its concept is still in use."""
        import numpy as np

        by_kind = np.array([_WEIGHTS.get(kind, _OTHER_WEIGHT) for kind in NAME_KINDS], np.float32)
        terminology = self.terminology
        weights: Array = by_kind[terminology.name_kinds]
        weights[terminology.obsolete[terminology.name_rows].astype(bool)] *= _OBSOLETE
        return weights

    def _hit(self, row: int, name: int, score: float) -> Hit:
        terminology = self.terminology
        kind = NAME_KINDS[terminology.name_kinds[name]]
        return Hit(
            terminology.codes[row],
            terminology.label(row),
            Name(terminology.names[name], kind),
            score,
            not terminology.children[row],
        )

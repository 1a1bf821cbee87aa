"""Search as one types: by code, by name, by the beginnings of words, and past typing errors."""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from extractors.assets import asset
from extractors.terminology.arrays import Array
from extractors.terminology.concept import CLASS_KINDS, DISORDER_KINDS, NAME_KINDS, Name
from extractors.terminology.index import Terminology, folded_words
from extractors.text.folding import fold, fold_stem

_ALMOST_ALL = "\U0010ffff"
# Of names that match alike the label is what is meant; an abbreviation has many meanings.
_WEIGHTS = {
    "label": 1.0, "title": 1.0, "exact": 0.97, "layperson": 0.97, "icd10": 0.95, "lexicon": 0.97,
    "narrow": 0.9, "related": 0.85,
}  # fmt: skip
_OTHER_WEIGHT = 0.8
_OBSOLETE = 0.5
# A class for what has none of its own is meant where its words are said.
_RESIDUAL, _ASIDE = 0.93, 0.8
_SAYS_RESIDUAL = frozenset(("other", "specified", "unspecified"))
# A word that had to be corrected counts so much less for each letter.
_PER_ERROR = 0.12
_LEAST_LETTERS, _SWAPPED_LETTERS = 4, 3
_LONG_WORD, _ERRORS = 8, 2
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
    residual: bool = False


class Search:
    """Searches one terminology; the first question reads its names."""

    def __init__(self, terminology: Terminology, *, extensions: bool = False, language: str = "") -> None:
        """`extensions`: find these codes too; `language`: what hits are called in, where there is a title."""
        self.terminology, self._language = terminology, language
        kinds = ("", "category", *DISORDER_KINDS, *(("extension",) if extensions else ()))
        self._kinds = tuple(map(CLASS_KINDS.index, kinds))
        self._cuts: dict[int, list[str]] = {}

    def find(self, typed: str, limit: int = 10) -> list[Hit]:
        """The concepts that `typed` is a code, a name or the beginning of a name of, best first.

        A code may lack its dot or its last letters. Classes for what has none of its own come last.
        """
        typed = typed.strip()
        codes = self._by_code(typed, limit)
        if codes or not typed:
            return codes
        hits = self._by_name(typed, limit)
        ours = self._by_everyday_words(typed, hits[0].score if hits else 0.0)
        if ours is None or (hits and hits[0].score >= ours.score):
            return hits
        return [ours, *(hit for hit in hits if hit.code != ours.code)][:limit]

    def _by_everyday_words(self, typed: str, best: float) -> Hit | None:
        """What reports say for a term, as it was typed, begun or, where it may be `best`, misspelt."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extractOne

        known, score, asked = self._everyday, _WEIGHTS["lexicon"], " ".join(folded_words(typed))
        if asked in known:
            return self._hit(known[asked], Name(typed, "lexicon"), score)
        if len(asked) < _LONG_WORD or not known:
            return None
        begun = next((phrase for phrase in known if phrase.startswith(asked)), None)
        if begun is not None:
            return self._hit(known[begun], Name(begun, "lexicon"), score * len(asked) / len(begun))
        if best >= score - _PER_ERROR:
            return None
        near = extractOne(asked, known.keys(), scorer=OSA.distance, score_cutoff=_ERRORS)
        return near and self._hit(known[near[0]], Name(near[0], "lexicon"), score - _PER_ERROR * near[1])

    @cached_property
    def _everyday(self) -> dict[str, int]:
        """The rows of HPO's terms by what reports say for them."""
        if self.terminology.name != "HPO":
            return {}
        own = tomllib.loads(asset("resources", "terminology", "everyday.toml").read_text(encoding="utf-8"))
        told = ((self.terminology.row(code), words) for code, words in own["terms"].items())
        known = [(row, words.split(",")) for row, words in told if row is not None]
        return {" ".join(folded_words(phrase)): row for row, phrases in known for phrase in phrases}

    def _by_code(self, typed: str, limit: int) -> list[Hit]:
        if not any(character.isdigit() for character in typed) or " " in typed:
            return []
        wanted = typed.upper().replace(".", "")
        codes, order = self._sorted_codes
        low = bisect_left(codes, wanted)
        high = bisect_left(codes, wanted + _ALMOST_ALL)
        rows = order[low:high]
        if not rows and (row := self.terminology.row(typed.upper())) is not None:
            rows = [row] if self.terminology.kinds[row] in self._kinds else []
        residual = [row for row in rows if self.terminology.residual[row]]
        plain = [row for row in rows if not self.terminology.residual[row]]
        # Those right below what was typed are not crowded out by those of its other children.
        residual.sort(key=lambda row: (len(self.terminology.codes[row]), self.terminology.codes[row]))
        last = residual[: max(2, limit - len(plain))]
        chosen = [*plain[: max(0, limit - len(last))], *last][:limit]
        return [self._by_its_code(row, wanted) for row in chosen]

    def _by_its_code(self, row: int, wanted: str) -> Hit:
        code = self.terminology.codes[row]
        score = 1.0 if wanted == code.replace(".", "") else 0.9
        return self._hit(row, Name(code, "code"), score)

    @cached_property
    def _sorted_codes(self) -> tuple[list[str], list[int]]:
        """The codes without dots that may be found, sorted, and their rows."""
        kinds, codes = self.terminology.kinds.tolist(), self.terminology.codes
        pairs = sorted(
            (code.replace(".", ""), row) for row, code in enumerate(codes) if kinds[row] in self._kinds
        )
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
        candidates = np.flatnonzero((covered >= least) & (self._weights > 0))
        # Of what the words say, how much was asked for: short names first.
        shares = len(places) / np.maximum(self._lengths[candidates], len(places))
        scores = covered[candidates] * (0.6 + 0.4 * shares) * self._weights[candidates]
        says_residual = not _SAYS_RESIDUAL.isdisjoint(asked)
        if self.terminology.classes and not says_residual:
            rows = self.terminology.name_rows[candidates]
            scores = np.where(self.terminology.residual[rows], scores * _RESIDUAL, scores)
        best_first = np.lexsort((candidates, -scores))
        hits = self._best(candidates[best_first], scores[best_first], " ".join(asked), limit)
        return hits if says_residual else sorted(hits, key=lambda hit: hit.residual)

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
                kind = NAME_KINDS[terminology.name_kinds[name]]
                matched = Name(
                    terminology.names[name], kind, terminology.languages[terminology.name_languages[name]]
                )
                hits[row] = self._hit(row, matched, round(score, 4))
        return list(hits.values())

    def _words(self, word: str, begun: str) -> list[tuple[float, int, int]]:
        """Stretches of the sorted words that a word may mean, with what each counts; itself first."""
        words = self._known_words
        low = bisect_left(words, word)
        found = [(1.0, low, low + 1)] if words[low : low + 1] == [word] else []
        if not found:
            found += self._swapped(word)
        if begun:
            low, high = bisect_left(words, begun), bisect_left(words, begun + _ALMOST_ALL)
            if low < high:
                found.append((0.9, low, high))
        return found or self._corrected(word, bool(begun))

    def _swapped(self, word: str) -> list[tuple[float, int, int]]:
        """The words of which two letters beside each other were swapped: "tui" for "uti"."""
        if len(word) < _SWAPPED_LETTERS:
            return []
        words = self._known_words
        turned = {
            fold(word[:at] + word[at + 1] + word[at] + word[at + 2 :])
            for at in range(len(word) - 1)
            if word[at] != word[at + 1]
        }
        places = [(other, bisect_left(words, other)) for other in sorted(turned)]
        return [(1 - _PER_ERROR, at, at + 1) for other, at in places if words[at : at + 1] == [other]]

    def _corrected(self, word: str, begun: bool) -> list[tuple[float, int, int]]:
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        if len(word) < _LEAST_LETTERS:
            return []
        errors = _ERRORS if len(word) >= _LONG_WORD else 1
        words = self._known_words
        near = extract(word, words, scorer=OSA.distance, score_cutoff=errors, limit=20)
        if not near and begun:
            near = extract(word, self._cut(len(word)), scorer=OSA.distance, score_cutoff=errors, limit=20)
        return [(1 - _PER_ERROR * float(distance), at, at + 1) for _, distance, at in near]

    def _cut(self, length: int) -> list[str]:
        """The words' beginnings of that length, for a word that is wrong before it is typed to its end."""
        if length not in self._cuts:
            self._cuts[length] = [word[:length] for word in self._known_words]
        return self._cuts[length]

    def _named(self, low: int, high: int) -> Array:
        """The names that have a word of that stretch."""
        starts, postings = self._postings
        return postings[starts[low] : starts[high]]

    @cached_property
    def _known_words(self) -> list[str]:
        """The sorted words of names that may be found."""
        return self._searched[0]

    @cached_property
    def _postings(self) -> tuple[Array, Array]:
        return self._searched[1], self._searched[2]

    @cached_property
    def _searched(self) -> tuple[list[str], Array, Array]:
        """The words of names that may be found, where the names of each begin, and the names."""
        import numpy as np

        words = self.terminology.words
        starts, postings = self.terminology.array("postings_starts"), self.terminology.array("postings")
        wanted = self._weights[postings] > 0
        if wanted.all():
            return words, starts, postings
        counts = np.concatenate([[0], np.cumsum(wanted)])[starts]
        own = np.flatnonzero(np.diff(counts))
        return [words[at] for at in own.tolist()], np.append(counts[own], counts[-1]), postings[wanted]

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
        if terminology.classes:
            aside = np.array([chapter in terminology.aside for chapter in terminology.chapters], np.bool_)
            weights[aside[terminology.name_rows]] *= _ASIDE
            weights[~np.isin(terminology.kinds[terminology.name_rows], self._kinds)] = 0
        return weights

    def _hit(self, row: int, matched: Name, score: float) -> Hit:
        terminology = self.terminology
        return Hit(
            terminology.codes[row],
            terminology.label(row, self._language),
            matched,
            score,
            not terminology.children[row],
            bool(terminology.residual[row]),
        )

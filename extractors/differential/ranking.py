"""All diseases in one list, best explanation first, each with its evidence finding by finding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from extractors.assets import asset
from extractors.differential.families import names_above
from extractors.differential.naming import Naming
from extractors.differential.wording import Words, alike_key, words_in
from extractors.terminology.library import shipped_hpo

if TYPE_CHECKING:
    from extractors.differential.index import Diseases, Features, Numbers, Rows
    from extractors.differential.scores import Evidence, Scorer


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one finding says of a disease: natural logarithm of the likelihood ratio.

    `matched` is the code of the term the disease is known for, the finding's own or one above it; "" where
    there is none. `polarity` is "present" or "negated".
    """

    code: str
    polarity: str
    matched: str
    value: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A disease in its place; `number` is its own in the index.

    `evidence` is the sum of its contributions. `score`, by which the list is ordered, uses more: less the
    logarithms of the ranks that five measures give it, of which the evidence is one, half of it the best of
    its family's, and how often the disease is met.
    """

    rank: int
    number: int
    codes: tuple[str, ...]
    name: str
    score: float
    evidence: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """`left_out` rows of the annotations cite the case's own publications, `left` is what the diseases that
    had them are known for without; `unknown` codes are no terms, and `mapped` ones were read as another.
    `scores` are those of all diseases by their numbers, None without a present finding."""

    diseases: tuple[Ranked, ...]
    scores: Numbers | None
    left_out: int
    left: Mapping[int, Features]
    unknown: tuple[str, ...]
    mapped: tuple[tuple[str, str], ...]

    def order(self) -> list[int]:
        """All diseases by their numbers, the best first; empty without a present finding."""
        return [] if self.scores is None else _best_first(self.scores).tolist()


@dataclass(frozen=True, slots=True)
class Options:
    """`top`: how long the list is; None for all. `leave_out`: rows that cite the case's own publications do
    not count."""

    top: int | None = 10
    prevalence: bool = True
    leave_out: bool = True


def _best_first(scores: Numbers) -> Rows:
    return (-scores).argsort(kind="stable")


class Ranker:
    """Ranks all diseases of an index for a patient."""

    def __init__(self, diseases: Diseases) -> None:
        from extractors.differential.scores import Columns

        self.diseases = diseases
        self._columns = Columns(diseases)

    def rank(
        self,
        present: Sequence[str],
        excluded: Sequence[str] = (),
        publications: Sequence[int] = (),
        options: Options | None = None,
        *,
        listed: bool = True,
    ) -> Ranking:
        """Codes present and denied -> the diseases that explain them; unless `listed` their scores alone.

        Merged and replaced codes are read as those in use, each once; a code both present and denied counts
        as present. Without a present finding the list is empty.
        """
        from extractors.differential.scores import Scorer

        options = options or Options()
        terms, denied = self._rows(present), self._rows(excluded)
        rows = list(dict.fromkeys(terms.values()))
        negated = list(dict.fromkeys(row for row in denied.values() if row not in terms.values()))
        left, gone = self.diseases.without(publications) if options.leave_out and publications else ({}, 0)
        codes = self.diseases.terminology.codes
        found = terms | denied
        unknown = tuple(code for code in dict.fromkeys((*present, *excluded)) if code not in found)
        mapped = tuple((code, codes[row]) for code, row in found.items() if codes[row] != code)
        telling = [row for row in rows if self.diseases.tells(row)]
        if not telling:
            return Ranking((), None, gone, left, unknown, mapped)
        scorer = Scorer(self.diseases, self._columns, left)
        evidence = scorer.evidence(rows, negated)
        scores = scorer.scores(telling, evidence, prevalence=options.prevalence)
        found_diseases = self._listed(scorer, scores, evidence, options.top) if listed else ()
        self._columns.forget()
        return Ranking(found_diseases, scores, gone, left, unknown, mapped)

    def _rows(self, codes: Sequence[str]) -> dict[str, int]:
        terminology = self.diseases.terminology
        rows = {code: terminology.row(terminology.current(code) or "") for code in codes}
        return {code: row for code, row in rows.items() if row is not None}

    def _listed(
        self, scorer: Scorer, scores: Numbers, evidence: Evidence, top: int | None
    ) -> tuple[Ranked, ...]:
        order = _best_first(scores)[:top]
        codes = self.diseases.terminology.codes
        found: list[list[Contribution]] = [[] for _ in order]
        for term, values in evidence.present.items():
            for at, value, matched in zip(found, values[order], scorer.matched(term, order), strict=True):
                at.append(
                    Contribution(codes[term], "present", codes[matched] if matched >= 0 else "", float(value))
                )
        for term, values in evidence.denied.items():
            for at, value in zip(found, values[order], strict=True):
                at.append(Contribution(codes[term], "negated", codes[term], float(value)))
        ranked = []
        for place, (disease, parts) in enumerate(zip(order.tolist(), found, strict=True), start=1):
            about = self.diseases.codes[disease], self.diseases.names[disease], float(scores[disease])
            ranked.append(Ranked(place, disease, *about, sum(one.value for one in parts), tuple(parts)))
        return tuple(ranked)


@lru_cache(maxsize=1)
def shipped_ranker() -> Ranker:
    """Ranks the diseases of the release that comes along. Raises TerminologyError where it is damaged."""
    from extractors.differential.index import Diseases

    return Ranker(Diseases(asset("resources", "terminology", "diseases.zip"), shipped_hpo()))


@lru_cache(maxsize=1)
def shipped_naming() -> Naming:
    """Finds the diseases of the knowledge that comes along by name."""
    return Naming(shipped_ranker().diseases)


def codes_of_names(diseases: Diseases) -> dict[str, str]:
    """The leading code of each disease by its names in small letters, the first of two of one name; what it
    is called by another source goes behind the names of all."""
    codes: dict[str, str] = {}
    for name, (code, *_) in zip(diseases.names, diseases.codes, strict=True):
        codes.setdefault(name.casefold(), code)
    for names, (code, *_) in zip(diseases.other_names, diseases.codes, strict=True):
        for name in names:
            codes.setdefault(name.casefold(), code)
    return codes


_WORD = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*")
_MOST = 14
# So short a name is an abbreviation, and no word of a language.
_SHORT = 4
# A name neither begins nor ends with these, though they may stand within.
_BETWEEN = frozenset("the a of and with due to in de du di von".split())


def places_of_diseases(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each name, the longest that begins at a word."""
    words = [match.span() for match in _WORD.finditer(text)]
    at = 0
    while at < len(words):
        ends = range(min(at + _MOST, len(words)), at, -1)
        end = next((end for end in ends if _named(text, words[at:end])), at)
        # Of "Morbus Fabry, Morbus Gaucher" the second "Morbus" would do no harm to the first name.
        while end > at + 1 and _parted(text, words[end - 2 : end]) and _named(text, words[at : end - 1]):
            end -= 1
        if end > at:
            yield words[at][0], words[end - 1][1]
        at = max(end, at + 1)


def _parted(text: str, words: Sequence[tuple[int, int]]) -> bool:
    (_, before), (after, _) = words
    return not text[before:after].isspace()


def _named(text: str, words: Sequence[tuple[int, int]]) -> bool:
    stretch = text[words[0][0] : words[-1][1]]
    edges = {text[start:end].casefold() for start, end in (words[0], words[-1])}
    if not _BETWEEN.isdisjoint(edges) or (len(stretch) <= _SHORT and not stretch.isupper()):
        return False
    return alike_key(words_in(stretch)) in _called()


@lru_cache(maxsize=1)
def _called() -> frozenset[Words]:
    """What tells every disease that has a name, and every family."""
    naming = shipped_naming()
    names = [name for number in range(len(naming.diseases)) for name in naming.names(number)]
    keys = {alike_key(words_in(one)) for name in names for one in (name, *names_above(name))}
    return frozenset(key for key in keys if any(len(word) > 2 and word.isalpha() for word in key))

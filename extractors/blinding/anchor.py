"""Which disorders a report names, and which it is about, by the places: a mention is no diagnosis."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

from extractors.blinding.case import Case, cue
from extractors.blinding.forms import SHORT, Alias, Hint, Source
from extractors.blinding.words import WORD, Words, numbered_otherwise, plain, stem
from extractors.terminology.concept import CLASS_KINDS
from extractors.terminology.index import Terminology

GENE = "GENE:"
_SOURCES: dict[str, Source] = {"label": "label", "omim": "omim"}
# A word that hints at a name has so many letters, and stands in the names of so many codes at most.
_LETTERS, _CODES = 6, 25
_NO_HINT = frozenset(map(stem, "disease syndrome disorder deficiency familial congenital hereditary".split()))
# What places count. A name within the case or the discussion alone proposes nothing.
_TITLE, _KEYWORD, _SAID, _CONCLUSION, _SUMMARY, _CASE, _AROUND = 100.0, 30.0, 12.0, 6.0, 5.0, 0.5, 0.1
_LEAST = 6.0
_MOST_EVIDENCE = 8
_BEFORE, _AFTER = 60, 40


@dataclass(frozen=True, slots=True)
class Named:
    """A name of concepts (rows; some names are shared) in a text: from word `first` to before `end`."""

    rows: tuple[int, ...]
    first: int
    end: int


class Disorders:
    """The disorders of a nomenclature by their names."""

    def __init__(self, terminology: Terminology) -> None:
        self.terminology = terminology

    @cached_property
    def _split(self) -> list[tuple[int, list[str], str]]:
        """Each name of what is still in use: its row, its stems (by each way to write its numbers), and the
        name."""
        rows, obsolete = self.terminology.name_rows.tolist(), self.terminology.obsolete.tolist()
        return [
            (row, [*map(stem, words)], name)
            for row, name in zip(rows, self.terminology.names, strict=True)
            if not obsolete[row]
            for words in numbered_otherwise(WORD.findall(name))
        ]

    @cached_property
    def _rows(self) -> dict[tuple[str, ...], dict[int, None]]:
        """The rows that have a name of these stems; without short names: these are words."""
        found: dict[tuple[str, ...], dict[int, None]] = {}
        for row, stems, name in self._split:
            if stems and len(name) > SHORT:
                found.setdefault(tuple(stems), {})[row] = None
        return found

    @cached_property
    def _lengths(self) -> dict[str, dict[str, list[int]]]:
        """How many stems names have (the most first) that begin with one stem and another ("" for none)."""
        found: dict[str, dict[str, list[int]]] = {}
        for count, first, second in sorted({(-len(one), one[0], "".join(one[1:2])) for one in self._rows}):
            found.setdefault(first, {}).setdefault(second, []).append(-count)
        return found

    @cached_property
    def _in_capitals(self) -> frozenset[tuple[str, ...]]:
        """The stems of what only abbreviations say: "SeLECTS" is no "selects"."""
        found: dict[tuple[str, ...], bool] = {}
        for _, stems, name in self._split:
            found[tuple(stems)] = found.get(tuple(stems), True) and _mostly_capitals(name)
        return frozenset(stems for stems, alone in found.items() if alone)

    @cached_property
    def counts(self) -> Counter[str]:
        """In the names of how many codes each stem stands."""
        seen = {(row, stem) for row, stems, _ in self._split for stem in stems}
        return Counter(stem for _, stem in seen)

    def find(self, words: Words) -> list[Named]:
        """The names that a text says, in its order; within a longer one none is found ("small cell" in
        "non-small cell")."""
        stems, lengths, rows = [*words.stems, ""], self._lengths, self._rows
        found: list[Named] = []
        reached = 0
        for at in compress(range(len(stems)), map(lengths.__contains__, stems)):
            seconds = lengths[stems[at]]
            longer, alone = seconds.get(stems[at + 1], ()), seconds.get("", ())
            if not (longer or alone) or at < reached or (at and stems[at - 1] == "non"):
                continue
            for count in (*longer, *alone):
                name, end = tuple(stems[at : at + count]), at + count
                if name in rows:
                    if name not in self._in_capitals or _mostly_capitals("".join(words.said[at:end])):
                        found.append(Named(tuple(rows[name]), at, end))
                        reached = end
                    break
        return found

    def group(self, row: int) -> bool:
        """Whether it is a group of disorders, which is nobody's diagnosis without a person's word."""
        return CLASS_KINDS[self.terminology.kinds[row]] == "group"

    def aliases(self, code: str) -> tuple[Alias, ...]:
        """All names of a code, its label first; raises TerminologyError where it is unknown."""
        names = self.terminology.concept(code).names
        return tuple(Alias(name.text, _SOURCES.get(name.kind, "synonym")) for name in names)

    def hints(self, code: str, aliases: Sequence[Alias]) -> tuple[Hint, ...]:
        """What points to a code that goes by these names: their rare words, its genes, what is above it."""
        concept = self.terminology.concept(code)
        words: dict[str, str] = {}
        for alias in aliases:
            for found in WORD.findall(alias.text):
                word = plain(found)
                given = stem(word)
                if len(word) >= _LETTERS and given not in _NO_HINT and self.counts.get(given, 0) <= _CODES:
                    words.setdefault(given, word)
        genes = dict.fromkeys(one.removeprefix(GENE) for one in concept.xrefs if one.startswith(GENE))
        rows = [row for row in map(self.terminology.row, concept.parents) if row is not None]
        parents = dict.fromkeys(map(self.terminology.label, rows))
        return (
            *(Hint(word, "word") for word in words.values()),
            *(Hint(gene, "gene") for gene in genes),
            *(Hint(parent, "parent") for parent in parents),
        )


def _mostly_capitals(name: str) -> bool:
    return 2 * sum(map(str.isupper, name)) > sum(map(str.isalpha, name))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place that speaks for a diagnosis, in code points; None where the title or keywords do."""

    start: int | None
    end: int | None
    reason: str
    weight: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """The disorder that most speaks for, its evidence (the best first), and the others that are named."""

    code: str
    evidence: tuple[Evidence, ...]
    others: tuple[str, ...]


def propose(case: Case, disorders: Disorders) -> Proposal | None:
    """The primary diagnosis of a report as far as its words tell it; None where no such place names one.

    A group of disorders is proposed only where the title names it and no disorder.
    """
    found, scores = _weighed(case, disorders)
    firsts = {row: min(one.start or 0 for one in given) for row, given in found.items()}
    ranked = sorted(found, key=lambda row: (disorders.group(row), -scores[row], firsts[row]))
    likely = [row for row in ranked if scores[row] >= (_TITLE if disorders.group(row) else _LEAST)]
    # A group in the title stands before a disorder that is named elsewhere alone.
    best = min(likely, key=lambda row: scores[row] < _TITLE, default=None)
    if best is None:
        return None
    codes = disorders.terminology.codes
    evidence = sorted(found[best], key=lambda one: (-one.weight, one.start or 0))[:_MOST_EVIDENCE]
    return Proposal(codes[best], tuple(evidence), tuple(codes[row] for row in ranked if row != best))


def named_in(case: Case, disorders: Disorders) -> list[int]:
    """The concepts (rows) that a report names, those that most speaks for first."""
    _, scores = _weighed(case, disorders)
    return sorted(scores, key=lambda row: -scores[row])


def _weighed(case: Case, disorders: Disorders) -> tuple[dict[int, list[Evidence]], dict[int, float]]:
    """The evidence for each concept (row) that is named, and what it weighs in all."""
    found: dict[int, list[Evidence]] = {}
    for row, one in _mentions(case, disorders):
        found.setdefault(row, []).append(one)
    return found, {row: sum(one.weight for one in given) for row, given in found.items()}


def _mentions(case: Case, disorders: Disorders) -> Iterator[tuple[int, Evidence]]:
    document = case.document
    for text, reason, weight in (
        (document.title, "title", _TITLE),
        (document.metadata.get("keywords", ""), "keywords", _KEYWORD),
    ):
        words = Words(text)
        for number, one in enumerate(disorders.find(words)):
            yield _meant(disorders, words, one), Evidence(None, None, reason, weight - 10 * number)
    words = case.words
    starts = [one.start for one in case.blocks]
    for one in disorders.find(words):
        start, end = words.place(one.first, one.end)
        block = case.blocks[max(0, bisect_right(starts, start) - 1)]
        reason, weight = _place(case, block.what, block.section, start, end)
        if weight:
            yield _meant(disorders, words, one), Evidence(start, end, reason, weight)


def _place(case: Case, what: str, heading: str, start: int, end: int) -> tuple[str, float]:
    """Why a place speaks for what it names, and how much."""
    if what not in ("case", "summary", "background"):
        return what, 0.0
    text = case.low
    before = text[max(0, start - _BEFORE) : start].rpartition(". ")[2]
    after = text[end : end + _AFTER].partition(". ")[0]
    said = cue("diagnosis", "before").search(before) and not cue("diagnosis", "not_said").search(before)
    if said and "?" not in after:
        if what != "background":
            return "stated as the diagnosis", _SAID
    if what == "summary":
        return ("conclusion", _CONCLUSION) if "conclu" in heading.lower() else ("abstract", _SUMMARY)
    return ("case", _CASE) if what == "case" else ("around the case", _AROUND)


def _meant(disorders: Disorders, words: Words, named: Named) -> int:
    """Of the concepts that share a name the one whose label it is, else the first."""
    if len(named.rows) == 1:
        return named.rows[0]
    terminology, text = disorders.terminology, words.stems[named.first : named.end]
    labels = (row for row in named.rows if Words(terminology.label(row)).stems == text)
    return next(labels, named.rows[0])

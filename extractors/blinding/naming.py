"""All names of a nomenclature found in a text, looked up by their first words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

from extractors.blinding.forms import SHORT, Alias, Hint, Source
from extractors.blinding.words import WORD, Words, numbered_otherwise, plain, stem
from extractors.terminology.concept import CLASS_KINDS
from extractors.terminology.index import Terminology

GENE = "GENE:"
_SOURCES: dict[str, Source] = {"label": "label", "omim": "omim"}
# A word that hints at a name has so many letters, and stands in the names of so many codes at most.
_LETTERS, _CODES = 6, 25
_NO_HINT = frozenset(map(stem, "disease syndrome disorder deficiency familial congenital hereditary".split()))


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
        stems, lengths = [*words.stems, ""], self._lengths
        found: list[Named] = []
        reached = 0
        for at in compress(range(len(stems)), map(lengths.__contains__, stems)):
            if at < reached or (at and stems[at - 1] == "non"):
                continue
            seconds = lengths[stems[at]]
            counts = (*seconds.get(stems[at + 1], ()), *seconds.get("", ()))
            name = next((one for end in counts if (one := tuple(stems[at : at + end])) in self._rows), ())
            end = at + len(name)
            if name and (name not in self._in_capitals or _mostly_capitals("".join(words.said[at:end]))):
                found.append(Named(tuple(self._rows[name]), at, end))
                reached = end
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

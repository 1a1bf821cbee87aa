"""All names of a nomenclature found in a text, looked up by their first words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from extractors.blinding.forms import SHORT, Alias, Source
from extractors.blinding.hints import Hint, hints_of
from extractors.blinding.words import WORD, Words, stem
from extractors.terminology.concept import CLASS_KINDS
from extractors.terminology.index import Terminology

GENE = "GENE:"
_SOURCES: dict[str, Source] = {"label": "label", "omim": "omim"}


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
    def _split(self) -> list[tuple[int, list[str], int]]:
        """Each name of what is still in use: its row, its stems, and how long it is."""
        rows, obsolete = self.terminology.name_rows.tolist(), self.terminology.obsolete.tolist()
        return [
            (row, [stem(word) for word in WORD.findall(name)], len(name))
            for row, name in zip(rows, self.terminology.names, strict=True)
            if not obsolete[row]
        ]

    @cached_property
    def _by_first(self) -> dict[str, dict[tuple[str, ...], tuple[int, ...]]]:
        """Rows by the first stem and all stems of their names, without short names: these are words."""
        found: dict[str, dict[tuple[str, ...], tuple[int, ...]]] = {}
        for row, stems, length in self._split:
            if stems and length > SHORT:
                here = found.setdefault(stems[0], {})
                here[tuple(stems)] = tuple(dict.fromkeys((*here.get(tuple(stems), ()), row)))
        return found

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        """How many words names with a first stem have, the longest first."""
        return {
            first: sorted({len(stems) for stems in names}, reverse=True)
            for first, names in self._by_first.items()
        }

    @cached_property
    def counts(self) -> Counter[str]:
        """In the names of how many codes each stem stands."""
        seen = {(row, said) for row, stems, _ in self._split for said in stems}
        return Counter(said for _, said in seen)

    def find(self, words: Words) -> list[Named]:
        """The names that a text says, in its order; within a longer one none is found ("small cell" in
        "non-small cell")."""
        stems, lengths = words.stems, self._lengths
        found: list[Named] = []
        reached = 0
        for at in [place for place, said in enumerate(stems) if said in lengths]:
            if at < reached or (at and stems[at - 1] == "non"):
                continue
            names = self._by_first[stems[at]]
            for count in lengths[stems[at]]:
                rows = names.get(tuple(stems[at : at + count]))
                if rows:
                    found.append(Named(rows, at, at + count))
                    reached = at + count
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
        """What points to a code that goes by these names."""
        concept = self.terminology.concept(code)
        genes = [one.removeprefix(GENE) for one in concept.xrefs if one.startswith(GENE)]
        return hints_of(aliases, self.counts, genes, list(self._labels(concept.parents)))

    def _labels(self, codes: Sequence[str]) -> Iterator[str]:
        for code in codes:
            if (row := self.terminology.row(code)) is not None:
                yield self.terminology.label(row)

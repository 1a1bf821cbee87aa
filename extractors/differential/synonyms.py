"""What another ontology calls the diseases of an index besides, where it leads to one of them alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from extractors.differential.families import head_of, names_above, without_type
from extractors.differential.wording import Words, is_type, key_of, named_beside, without_letters, words_in
from extractors.terminology.concept import Concept

_SOURCES = {"MIM": "OMIM", "ORDO": "ORPHA"}
_MEANT = ("label", "exact")


def synonyms_of(
    concepts: Iterable[Concept], codes: Sequence[Sequence[str]], names: Sequence[Sequence[str]]
) -> list[list[str]]:
    """For each disease, by its codes and names, what concepts with one of the codes or names are called
    besides; what is, or may be for short, another disease of the index or of the concepts is left out."""
    index = _Index(codes, names)
    claims: dict[Words, set[frozenset[int]]] = {}
    spelt: dict[Words, str] = {}
    for concept in concepts:
        meant = index.diseases_of(concept)
        for name in concept.names if meant else ():
            key = _key(name.text)
            if name.kind in _MEANT and key and index.leads_to(name.text, meant):
                claims.setdefault(key, set()).add(frozenset(meant))
                spelt.setdefault(key, name.text)
    found: list[list[str]] = [[] for _ in codes]
    for key, claimed in claims.items():
        for number in sorted(next(iter(claimed))) if len(claimed) == 1 else ():
            if key not in index.own[number] | index.above[number]:
                found[number].append(spelt[key])
    return found


class _Index:
    """The diseases of an index by code, by what they are called and by what their families are."""

    def __init__(self, codes: Sequence[Sequence[str]], names: Sequence[Sequence[str]]) -> None:
        self._numbers = {code: number for number, each in enumerate(codes) for code in each}
        self._types = {number for code, number in self._numbers.items() if code.startswith("OMIM")}
        self._names = names
        self.own = [{_key(one) for name in each for one in (name, *named_beside(name))} for each in names]
        self.above = [{key for name in each for key in _above(name)} for each in names]
        self._by_key: dict[Words, set[int]] = {}
        self._named: dict[Words, set[int]] = {}
        for number, (own, above) in enumerate(zip(self.own, self.above, strict=True)):
            for key in own:
                self._named.setdefault(key, set()).add(number)
            for key in own | above:
                self._by_key.setdefault(key, set()).add(number)

    def diseases_of(self, concept: Concept) -> set[int]:
        """The disease that a concept is, with the group of the same name; of a family without a group all
        types."""
        codes = (_code(xref) for xref in concept.xrefs)
        linked = {self._numbers[code] for code in codes if code in self._numbers}
        label = _key(concept.label)
        named = self._named.get(label, set())
        if not linked:
            return named if len(named) == 1 and not concept.obsolete else set()
        types, groups, same = linked & self._types, linked - self._types, named - self._types
        if len(types) == 1:
            (one,) = types
            wider = label not in self.own[one] and label in self.above[one] and self._others(label, types)
            family = (other for other in self._types if label in self.above[other])
            return same or set(family) if wider else types | same
        return groups if len(groups) == 1 else same or types

    def leads_to(self, name: str, meant: set[int]) -> bool:
        """Whether a name is of no other disease, and has no number of a type where more than it is meant."""
        groups = {one for one in meant - self._types if not any(map(_numbered, self._names[one]))}
        wide = groups or len(meant & self._types) > 1
        return not self._others(_key(name), meant) and not (wide and _numbered(name))

    def _others(self, key: Words, meant: Iterable[int]) -> bool:
        """Whether another disease, or its family, goes by this name."""
        return bool(self._by_key.get(key, set()).difference(meant))


def _code(xref: str) -> str:
    source, _, number = xref.partition(":")
    return f"{_SOURCES.get(source, '')}:{number}"


def _numbered(name: str) -> bool:
    return name[-1:].isdigit() or any(map(is_type, words_in(name)[-1:]))


def _key(name: str) -> Words:
    return key_of(words_in(name))


def _above(name: str) -> Iterator[Words]:
    yield key_of(without_letters(words_in(name)))
    yield from map(_key, (*names_above(name), head_of(name), without_type(name)))

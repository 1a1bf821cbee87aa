"""Which disease a name in words stands for: by code, name, synonym, abbreviation, family or spelling."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from extractors.assets import asset
from extractors.differential.families import head_of, names_above, without_type
from extractors.differential.genes import CAUSING, Genes
from extractors.differential.inheritance import Counting
from extractors.differential.spelling import Spelling
from extractors.differential.wording import (
    Words,
    abbreviates,
    alike_key,
    bare_key,
    codes_in,
    expanded,
    forms_of,
    is_apart,
    is_wider,
    key_of,
    letters_in,
    named_beside,
    named_within,
    run_together,
    telling,
    tells_age,
    untyped,
    without_letters,
    without_onset,
    words_in,
)
from extractors.grouping import grouped

if TYPE_CHECKING:
    from extractors.differential.index import Diseases

_FEW = 50


_Key = TypeVar("_Key", str, Words)


@dataclass(frozen=True, slots=True)
class Match:
    """The disease that a text stands for, by its number, and by what: code, name, synonym, abbreviation,
    spelling or family."""

    disease: int
    by: str


@dataclass(frozen=True, slots=True)
class _Named:
    """All diseases that go by a name."""

    numbers: Collection[int]
    by: str


class Naming:
    """Finds diseases of an index by what they are called."""

    def __init__(self, diseases: Diseases) -> None:
        self.diseases = diseases

    def is_name(self, text: str) -> bool:
        """Whether a text is the code or a name of anything; quick where `match` looks at all diseases."""
        return bool(codes_in(text)) or any(map(self._named, forms_of(text)))

    def match(self, text: str, wanted: Collection[int]) -> Match | None:
        """Whether a text names one of the diseases wanted, or their family; another type of the same disease
        is none."""
        for code in codes_in(text):
            number = self.diseases.numbers.get(code)
            if number is not None:
                return Match(number, "code") if number in wanted else None
        found, said = self._match(text, wanted), self._genes.said_in(text)
        if found is None and said:
            return self._by_gene(text, said, wanted)
        # "TSC2-related tuberous sclerosis" is no other type; "pulmonary hypertension (PAH)" says no gene.
        if not said or self._match(text, self._genes.diseases_of(said)) is None:
            return found
        return self._match(text, [one for one in wanted if self._genes.may_cause(said, one)])

    def _by_gene(self, text: str, said: Collection[str], wanted: Iterable[int]) -> Match | None:
        """By a gene with words that its disease's names have, or with none where it has no other disease:
        "KCNQ2 encephalopathy", "NGLY1-related disorder"."""
        words = {*alike_key(words_in(text))} - {*words_in(" ".join(said))} - CAUSING
        for number in (one for one in wanted if self._genes.cause(said, one)):
            names = (alike_key(words_in(name)) for name in self.names(number))
            alone = not words and all(self._genes.is_alone(one) for one in said)
            if alone or (words and any(words.issubset(name) for name in names)):
                return Match(number, "family")
        return None

    def _match(self, text: str, wanted: Collection[int]) -> Match | None:
        forms = forms_of(text)
        named = next(filter(None, map(self._named, forms)), None)
        if named is None:
            parts = [words_in(one) for form in forms for one in (form, expanded(form, self._short))]
            return (
                self._first_family(parts, wanted)
                or self._of_other_age(forms, wanted)
                or self._shortened(forms, wanted)
                or self._spelt(forms, wanted)
            )
        # A group may have one of its own beside it: "Mucopolysaccharidosis type I (Hurler syndrome)".
        all_named = [named, *self._beside_a_group(named, forms)]
        for each in all_named:
            if (right := _first(wanted, each)) is not None:
                return Match(right, each.by)
        # Of a group by another name the group's own counts, too; of a type it would be its siblings'.
        groups = [one for one in named.numbers if not self._is_type(one)] if named.by == "synonym" else []
        names = [name for number in groups for name in self._names(number)]
        beside = forms if not any(map(self._has_types, all_named)) else ()
        parts = [words_in(one) for one in (text, expanded(text, self._short), *names, *beside)]
        called = self._as_called(all_named)
        right = _first(wanted, called)
        return self._first_family(parts, wanted, named) or (
            None if right is None else Match(right, called.by)
        )

    def _beside_a_group(self, named: _Named, forms: Iterable[str]) -> Iterator[_Named]:
        if not self._has_types(named):
            yield from filter(None, map(self._named, forms))

    def _as_called(self, all_named: Iterable[_Named]) -> _Named:
        """What the list of names calls like the groups that are named."""
        groups = [one for named in all_named for one in named.numbers if not self._is_type(one)]
        keys = {key_of(words_in(name)) for one in groups for name in self._known_as.get(one, ())}
        return _Named({one for key in keys for one in self._listed[key]}, "synonym")

    def _has_types(self, named: _Named) -> bool:
        return any(map(self._is_type, named.numbers))

    def _of_other_age(self, forms: Iterable[str], wanted: Collection[int]) -> Match | None:
        """Without the age of onset, where the disease wanted says none: "Infantile-onset Pompe disease"."""
        ageless = [one for one in wanted if not any(tells_age(words_in(name)) for name in self.names(one))]
        for form in filter(None, map(without_onset, forms)):
            if found := self.match(form, ageless):
                return Match(found.disease, "family")
        return None

    def _is_type(self, number: int) -> bool:
        return any(code.startswith("OMIM") for code in self.diseases.codes[number])

    def disease(self, text: str) -> int | None:
        """The one disease that goes by a name in the index or in the list of names, by its number."""
        named = self._exactly(words_in(text))
        return next(iter(named.numbers)) if named is not None and len(named.numbers) == 1 else None

    def _named(self, form: str) -> _Named | None:
        """The diseases that go by a name, an abbreviation, or words that mean the same."""
        words = words_in(form)
        found = self._exactly(words)
        if found is not None:
            return found
        letters = letters_in(form)
        if short := self._by_letters.get(letters):
            return _Named(short, "abbreviation")
        if found := self._wide(self._by_further_letters.get(letters), "abbreviation"):
            return found
        whole = expanded(form, self._short)
        if whole != form and (found := self._exactly(words_in(whole)) or self._loosely(words_in(whole))):
            return _Named(found.numbers, "abbreviation")
        return self._loosely(words)

    def _exactly(self, words: Words) -> _Named | None:
        key = key_of(words)
        listed = self._listed.get(key, set())
        if key in self._by_words:
            return _Named(self._in_order(words, self._by_words[key] | listed), "name")
        if listed:
            return _Named(self._in_order(words, listed), "synonym")
        return self._wide(self._by_further.get(key), "synonym")

    def _in_order(self, words: Words, numbers: set[int]) -> set[int]:
        """Of several types those with the words in this order, if any: "Shprintzen-Goldberg syndrome" is not
        "Goldberg-Shprintzen syndrome"."""
        if sum(map(self._is_type, numbers)) < 2:
            return numbers
        told = telling(words)
        same = {one for one in numbers if any(telling(words_in(name)) == told for name in self.names(one))}
        return same or numbers

    def _wide(self, numbers: set[int] | None, by: str) -> _Named | None:
        """What other sources call several types is their family."""
        if not numbers:
            return None
        return _Named(numbers, "family" if sum(map(self._is_type, numbers)) > 1 else by)

    def _loosely(self, words: Words) -> _Named | None:
        """By words that mean the same, where they tell one disease and the group of the same name at most."""
        found = {
            number: alike_key(name)
            for number, name in self._by_bare_words.get(bare_key(words), ())
            if self._counting.may_be(words, name)
        }
        types = sum(map(self._is_type, found))
        return _Named(set(found), "name") if found and types < 2 and len({*found.values()}) == 1 else None

    @cached_property
    def _counting(self) -> Counting:
        return Counting(name for each in self._by_bare_words.values() for _, name in each)

    def _names(self, number: int) -> Iterable[str]:
        names = (self.diseases.names[number], *self.diseases.other_names[number])
        return (*names, *(aside for name in names for aside in named_beside(name)))

    def names(self, number: int) -> Iterable[str]:
        """What a disease is called, in the index, in the list of names and by other sources."""
        return (*self._names(number), *self._known_as.get(number, ()), *self._further.get(number, ()))

    @cached_property
    def _by_words(self) -> dict[Words, set[int]]:
        found: dict[Words, set[int]] = {}
        for number in range(len(self.diseases)):
            for name in self._names(number):
                if key := key_of(words_in(name)):
                    found.setdefault(key, set()).add(number)
        within: dict[Words, set[int]] = {}
        for number in range(len(self.diseases)):
            for name in self._names(number):
                for key in (key_of(words_in(one)) for one in named_within(name)):
                    if key not in found:
                        within.setdefault(key, set()).add(number)
        # Two types that share it are not told apart by it.
        return found | {key: ones for key, ones in within.items() if sum(map(self._is_type, ones)) < 2}

    @cached_property
    def _by_bare_words(self) -> dict[Words, list[tuple[int, Words]]]:
        """With all words of the name."""
        numbers = range(len(self.diseases))
        named = ((number, words_in(name)) for number in numbers for name in self.names(number))
        return grouped((key, (number, words)) for number, words in named if (key := bare_key(words)))

    @cached_property
    def _lexicon(self) -> dict[str, dict[str, str | list[str]]]:
        path = asset("resources", "terminology", "disease_names.toml")
        found: dict[str, dict[str, str | list[str]]] = tomllib.loads(path.read_text(encoding="utf-8"))
        return found

    @cached_property
    def _short(self) -> dict[str, str]:
        """Families by their abbreviations."""
        return {short: str(name) for short, name in self._lexicon["families"].items()}

    @cached_property
    def _known_as(self) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        for code, names in self._lexicon["names"].items():
            if (number := self.diseases.numbers.get(code)) is not None:
                found[number] = (*found.get(number, ()), *names)
        return found

    @cached_property
    def _listed(self) -> dict[Words, set[int]]:
        return _by(_key, self._known_as)

    @cached_property
    def _further(self) -> dict[int, tuple[str, ...]]:
        """What other sources call diseases, abbreviations apart; the list of names goes before them."""
        return {
            number: names
            for number, each in enumerate(self.diseases.synonyms)
            if (names := tuple(one for one in each if not letters_in(one) and _key(one) not in self._listed))
        }

    @cached_property
    def _by_further(self) -> dict[Words, set[int]]:
        return _by(_key, self._further)

    @cached_property
    def _by_letters(self) -> dict[str, set[int]]:
        """The abbreviations of the list."""
        return _by(letters_in, self._known_as)

    @cached_property
    def _by_further_letters(self) -> dict[str, set[int]]:
        """Those of other sources, which stand for no family."""
        further = _by(letters_in, dict(enumerate(self.diseases.synonyms)))
        return {short: numbers for short, numbers in further.items() if short not in self._short}

    @cached_property
    def _genes(self) -> Genes:
        return Genes(self.diseases.genes, set(filter(self._is_type, range(len(self.diseases)))))

    @cached_property
    def _spelling(self) -> Spelling:
        names = (name for number in range(len(self.diseases)) for name in self.names(number))
        return Spelling(map(words_in, names))

    def _shortened(self, forms: Collection[str], wanted: Collection[int]) -> Match | None:
        """By letters that stand for all of a name; they fit too many where all diseases are wanted."""
        few = wanted if len(wanted) <= _FEW else ()
        right = (
            one for one in few if any(abbreviates(form, name) for form in forms for name in self._names(one))
        )
        return next((Match(one, "abbreviation") for one in right), None)

    def _spelt(self, forms: Iterable[str], wanted: Collection[int]) -> Match | None:
        """By the nearest spelling that is a name of something; none where the nearest is another's, too."""
        for form in forms:
            words = words_in(form)
            if (right := self._as_one_word(words, wanted)) is not None:
                return right
            nearest: int | None = None
            found: list[Collection[int]] = []
            family: Match | None = None
            corrected = self._spelling.corrected
            for slips, given in sorted({*corrected(words), *corrected(words_in(form, folded=False))}):
                if nearest is not None and slips > nearest:
                    break
                named = self._exactly(given) or self._loosely(given)
                above = self._first_family([given], wanted, named)
                if named is not None or above is not None:
                    nearest, family = slips, family or above
                    found += [named.numbers] if named else []
            meant = [one for one in wanted if all(one in numbers for numbers in found)]
            if found and meant:
                return Match(meant[0], "spelling")
            if family is not None:
                return family
        return None

    def _as_one_word(self, words: Words, wanted: Collection[int]) -> Match | None:
        """By the same letters with other gaps between."""
        letters = run_together(words)
        for number in wanted:
            for name in self.names(number):
                if letters & run_together(words_in(name)):
                    return Match(number, "spelling")
                if any(letters & run_together(words_in(above)) for above in names_above(name)):
                    return Match(number, "family")
        return None

    def _first_family(
        self, found: Iterable[Words], wanted: Collection[int], named: _Named | None = None
    ) -> Match | None:
        """By the name that types have in common; of a disease that has no type also by a type that is no
        disease of its own. What is `named` besides is another disease, a single type where OMIM has it."""
        typed = named is not None and self._has_types(named)
        for words in found:
            key = alike_key(words)
            for number in wanted if key else ():
                for name in self.names(number):
                    own = words_in(name)
                    above = [*map(words_in, names_above(name))]
                    above += [] if typed else [without_letters(own), words_in(without_type(name))]
                    above += [words_in(head_of(name))] if named is not None and not typed else []
                    if named is not None and not typed and alike_key(own) == key and not is_apart(words, own):
                        return Match(number, "name")
                    if alike_key(own) != key and key in map(alike_key, above):
                        return Match(number, "family")
                    if not typed and is_wider(words, own):
                        return Match(number, "family")
                if not typed and _is_type_of(words, [*map(words_in, self.names(number))]):
                    return Match(number, "family")
        return None


def _key(name: str) -> Words:
    return key_of(words_in(name))


def _by(key: Callable[[str], _Key], names: Mapping[int, Iterable[str]]) -> dict[_Key, set[int]]:
    """The numbers of the diseases whose names have a key."""
    found: dict[_Key, set[int]] = {}
    for number, each in names.items():
        for one in filter(None, map(key, each)):
            found.setdefault(one, set()).add(number)
    return found


def _first(wanted: Collection[int], named: _Named) -> int | None:
    return next((one for one in wanted if one in named.numbers), None)


def _is_type_of(words: Words, names: Iterable[Words]) -> bool:
    """Whether words are one of the names with the letter of a subtype, or with the number of a type behind it
    where no name has another."""
    wider = key_of(without_letters(words))
    if wider != key_of(words) and wider in map(key_of, names):
        return True
    shorter = untyped(words)
    same = [one for one in names if key_of(untyped(one)) == key_of(shorter)]
    return len(shorter) < len(words) and bool(same) and all(one == untyped(one) for one in same)

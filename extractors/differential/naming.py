"""Which disease a name in words stands for: by code, name, synonym, abbreviation, family or spelling."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING

from extractors.assets import asset
from extractors.differential.families import head_of, names_above, without_type
from extractors.differential.wording import (
    Words,
    abbreviates,
    alike_key,
    codes_in,
    expanded,
    forms_of,
    inheritance_in,
    is_apart,
    is_type,
    is_wider,
    key_of,
    loose_key,
    may_be_misspelt,
    named_beside,
    named_within,
    run_together,
    tells_age,
    without_letters,
    without_onset,
    words_in,
)

if TYPE_CHECKING:
    from extractors.differential.index import Diseases

_FEW = 50
_KIND = re.compile(r"\s+(?:syndrome|disease)$", re.IGNORECASE)
# Words of so many letters may have one slip, of so many two; what is a word of some disease's name has none.
_ONE_SLIP, _TWO_SLIPS = 5, 9
_CORRECTIONS = 64
_USUAL = 100
_ALIKE, _SAME = 85.0, 100.0


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

    def match(self, text: str, wanted: Collection[int]) -> Match | None:
        """Whether a text names one of the diseases wanted, or their family; another type of the same disease
        is none."""
        for code in codes_in(text):
            number = self.diseases.numbers.get(code)
            if number is not None:
                return Match(number, "code") if number in wanted else None
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
        return _Named({one for key in keys for one in self._synonyms[key]}, "synonym")

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
        if short := self._by_letters.get(_letters(form)):
            return _Named(short, "abbreviation")
        whole = expanded(form, self._short)
        if whole != form and (found := self._exactly(words_in(whole)) or self._loosely(words_in(whole))):
            return _Named(found.numbers, "abbreviation")
        return self._loosely(words)

    def _exactly(self, words: Words) -> _Named | None:
        key = key_of(words)
        if not key:
            return None
        besides = self._synonyms.get(key, set())
        if key in self._by_words:
            return _Named(self._by_words[key] | besides, "name")
        return _Named(besides, "synonym") if besides else None

    def _loosely(self, words: Words) -> _Named | None:
        """By words that mean the same, where they tell one disease."""
        ways = inheritance_in(words)
        numbers = {
            number
            for number, other in self._by_loose_words.get(loose_key(words), ())
            if not ways or not other or ways == other
        }
        return _Named(numbers, "name") if len(numbers) == 1 else None

    def _names(self, number: int) -> Iterable[str]:
        names = (self.diseases.names[number], *self.diseases.other_names[number])
        return (*names, *(aside for name in names for aside in named_beside(name)))

    def names(self, number: int) -> Iterable[str]:
        """What a disease is called, in the index and in the list of names."""
        return (*self._names(number), *self._known_as.get(number, ()))

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
    def _by_loose_words(self) -> dict[Words, list[tuple[int, frozenset[str]]]]:
        """With the way of inheritance that the name says."""
        found: dict[Words, list[tuple[int, frozenset[str]]]] = {}
        for number in range(len(self.diseases)):
            for name in self.names(number):
                words = words_in(name)
                if key := loose_key(words):
                    found.setdefault(key, []).append((number, inheritance_in(words)))
        return found

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
    def _synonyms(self) -> dict[Words, set[int]]:
        found: dict[Words, set[int]] = {}
        for number, names in self._known_as.items():
            for name in names:
                found.setdefault(key_of(words_in(name)), set()).add(number)
        return found

    @cached_property
    def _by_letters(self) -> dict[str, set[int]]:
        """The abbreviations of the list."""
        known: dict[str, set[int]] = {}
        for number, names in self._known_as.items():
            for short in filter(None, map(_letters, names)):
                known.setdefault(short, set()).add(number)
        return known

    @cached_property
    def _vocabulary(self) -> Counter[str]:
        """Every word of a name that may be misspelt, and how often it is there; sorted."""
        words = Counter(
            word
            for number in range(len(self.diseases))
            for name in self.names(number)
            for word in words_in(name)
            if may_be_misspelt(word)
        )
        return Counter(dict(sorted(words.items())))

    @cached_property
    def _usual(self) -> list[str]:
        return [word for word, often in self._vocabulary.items() if often >= _USUAL]

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
            for slips, given in sorted(
                {*self._corrected(words), *self._corrected(words_in(form, folded=False))}
            ):
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

    def _corrected(self, words: Words) -> list[tuple[int, Words]]:
        """What may have been meant by words of which some are in no name, the fewest slips first."""
        choices = [self._meant(word) for word in words]
        if not any(slips for each in choices for slips, _ in each) or not all(choices):
            return []
        made = (
            (sum(slips for slips, _ in each), tuple(word for _, word in each)) for each in product(*choices)
        )
        return list(islice(made, _CORRECTIONS))

    def _meant(self, word: str) -> list[tuple[int, str]]:
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        often = self._vocabulary[word]
        if not may_be_misspelt(word) or often > 1 or len(word) < _ONE_SLIP - (not often):
            return [(0, word)]
        # Names have slips, too: one has "sydrome", thousands "syndrome".
        most = 2 if len(word) >= _TWO_SLIPS and not often else 1
        words = self._usual if often else list(self._vocabulary)
        near = extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=4)
        meant = [(int(slips), one) for one, slips, _ in near if len(one) >= _ONE_SLIP]
        return [(0, word), *meant] if often or not meant else meant

    def _first_family(
        self, found: Iterable[Words], wanted: Collection[int], named: _Named | None = None
    ) -> Match | None:
        """By the name that types have in common; of a disease that has no type also by a type that is no
        disease of its own. What is `named` besides is another disease, a single type where OMIM has it."""
        typed = named is not None and self._has_types(named)
        for words in found:
            for number in wanted if alike_key(words) else ():
                for name in self.names(number):
                    own = words_in(name)
                    above = [*map(words_in, names_above(name))]
                    above += [] if typed else [without_letters(own), words_in(without_type(name))]
                    above += [words_in(head_of(name))] if named is not None and not typed else []
                    key = alike_key(words)
                    if named is not None and not typed and alike_key(own) == key and not is_apart(words, own):
                        return Match(number, "name")
                    if alike_key(own) != key and key in map(alike_key, above):
                        return Match(number, "family")
                    if not typed and is_wider(words, own):
                        return Match(number, "family")
                if named is None and _is_type_of(words, [*map(words_in, self.names(number))]):
                    return Match(number, "family")
        return None


def _first(wanted: Collection[int], named: _Named) -> int | None:
    return next((one for one in wanted if one in named.numbers), None)


def _is_type_of(words: Words, names: Iterable[Words]) -> bool:
    """Whether words are one of the names with the letter of a subtype, or with the number of a type behind it
    where no name has another."""
    wider = key_of(without_letters(words))
    if wider != key_of(words) and wider in map(key_of, names):
        return True
    shorter = _untyped(words)
    same = [one for one in names if key_of(_untyped(one)) == key_of(shorter)]
    return len(shorter) < len(words) and bool(same) and all(one == _untyped(one) for one in same)


def _untyped(words: Words) -> Words:
    return tuple(word for word in words if not is_type(word))


def _letters(form: str) -> str:
    """An abbreviation as it is looked up: no blanks and hyphens, capitals."""
    short = _KIND.sub("", form).strip().replace("-", "")
    capitals = sum(map(str.isupper, short))
    return short.upper() if capitals >= 2 and 2 * capitals >= len(short) and " " not in short else ""


def alike(text: str, names: Iterable[str], others: Iterable[str] = ()) -> str:
    """By what a text is one of some names that no index has, "name" or "spelling"; "" where it is none, or
    is nearer to one of the others."""
    from rapidfuzz.fuzz import ratio

    key = " ".join(key_of(words_in(text)))

    def nearest(listed: Iterable[str]) -> float:
        return max((ratio(key, " ".join(key_of(words_in(one)))) for one in listed), default=0.0)

    wanted = set(names)
    near = nearest(wanted)
    if not key or near < _ALIKE or near <= nearest(set(others) - wanted):
        return ""
    return "name" if near == _SAME else "spelling"

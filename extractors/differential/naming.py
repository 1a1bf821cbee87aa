"""Which disease a name in words stands for: by code, name, abbreviation, spelling, or name of a family."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from extractors.differential.families import family_of
from extractors.text.folding import fold_phrase

if TYPE_CHECKING:
    from extractors.differential.index import Diseases

_CODE = re.compile(r"\b(O?MIM|ORPHA(?:NET)?|ORDO)[:# ]*(\d{2,6})\b", re.IGNORECASE)
_ASIDE = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_EMPTY = frozenset("type the of and with due to a in form syndrome syndrom disease disorder".split())
_ROMAN = {word: str(number) for number, word in enumerate("i ii iii iv v vi vii viii ix x xi xii".split(), 1)}
_NUMBER = re.compile(r"^(\d+)([a-z]?)$|^([ivx]+)([a-z]?)$")
_LEAST_ALIKE = 92.0
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Match:
    """The disease that a text stands for, by its number, and by what: code, name, abbreviation, spelling or
    family."""

    disease: int
    by: str


class Naming:
    """Finds diseases of an index by what they are called."""

    def __init__(self, diseases: Diseases) -> None:
        self.diseases = diseases

    def match(self, text: str, wanted: Collection[int]) -> Match | None:
        """Whether a text names one of the diseases wanted; another type of the same disease is none."""
        for code in _codes(text):
            number = self.diseases.numbers.get(code)
            if number is not None:
                return Match(number, "code") if number in wanted else None
        for form in _forms(text):
            words = _words(form)
            if not words:
                continue
            named = self._by_words.get(words, ()) or self._by_letters.get(_letters(form), ())
            if named:
                right = next((one for one in named if one in wanted), None)
                if right is None:
                    return self._of_family(form, wanted)
                return Match(right, "name" if words in self._by_words else "abbreviation")
        for form in _forms(text):
            found = self._spelt(form, wanted) or self._of_family(form, wanted)
            if found is not None:
                return found
        return None

    def _names(self, number: int) -> Iterable[str]:
        return (self.diseases.names[number], *self.diseases.other_names[number])

    @cached_property
    def _by_words(self) -> dict[tuple[str, ...], list[int]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for number in range(len(self.diseases)):
            for words in {_words(name) for name in self._names(number)}:
                if words:
                    found.setdefault(words, []).append(number)
        return found

    @cached_property
    def _by_letters(self) -> dict[str, list[int]]:
        """Initials with the type's number ("BBS10"), where one disease alone has them."""
        found: dict[str, set[int]] = {}
        for number in range(len(self.diseases)):
            for name in self._names(number):
                short = _initials(name)
                if len(short) >= _SHORTEST:
                    found.setdefault(short, set()).add(number)
        return {short: list(numbers) for short, numbers in found.items() if len(numbers) == 1}

    def _spelt(self, form: str, wanted: Collection[int]) -> Match | None:
        """By a name that is spelt almost so, with the same numbers."""
        from rapidfuzz.fuzz import ratio

        words = _words(form)
        numbers = [word for word in words if any(sign.isdigit() for sign in word)]
        for number in wanted:
            for name in self._names(number):
                other = _words(name)
                same = [word for word in other if any(sign.isdigit() for sign in word)] == numbers
                if same and ratio(" ".join(words), " ".join(other)) >= _LEAST_ALIKE:
                    return Match(number, "spelling")
        return None

    def _of_family(self, form: str, wanted: Collection[int]) -> Match | None:
        """By the name that all types have in common; a name with a type of its own is not that."""
        plain = _words(form)
        if not plain or _words(family_of(form)) != plain:
            return None
        for number in wanted:
            for name in self._names(number):
                family = family_of(name)
                if family != name.lower() and _words(family) == plain:
                    return Match(number, "family")
        return None


def _codes(text: str) -> list[str]:
    return [
        f"{'OMIM' if source.upper().endswith('MIM') else 'ORPHA'}:{number}"
        for source, number in _CODE.findall(text)
    ]


def _forms(text: str) -> list[str]:
    """A name as it stands, without what stands in brackets, and what stands there."""
    return list(dict.fromkeys(form for form in (text, _ASIDE.sub("", text), *_ASIDE.findall(text)) if form))


def _words(name: str) -> tuple[str, ...]:
    """The words that tell a disease, in one spelling and any order; type numbers in Arabic."""
    said = [_arabic(word) for word in fold_phrase(name.replace("'s", "")).split()]
    return tuple(sorted(word for word in said if word not in _EMPTY))


def _arabic(word: str) -> str:
    """One number for "IIa", "2A" and "2a"; other words as they are ("x" is no ten before "linked")."""
    found = _NUMBER.match(word)
    if found is None or word in ("x", "v"):
        return word
    if found[1]:
        return f"{int(found[1])}{found[2]}"
    return f"{_ROMAN[found[3]]}{found[4]}" if found[3] in _ROMAN else word


def _letters(form: str) -> str:
    """An abbreviation as it is looked up: no blanks and hyphens, capitals."""
    short = re.sub(r"[\s\-]+", "", form)
    return short.upper() if form.upper() == form else ""


def _initials(name: str) -> str:
    words = re.findall(r"[A-Za-z]+|\d+[A-Za-z]?", name.split("(")[0])
    letters = [
        word.upper() if word[0].isdigit() else word[0].upper() for word in words if word.lower() != "type"
    ]
    return "".join(letters)

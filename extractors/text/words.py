"""The words that decide whether a quote and a place say the same (resources/text/cues.toml)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import lru_cache
from typing import Any, TypeVar

from extractors.text.cues import listed, load_cues

_MOST_SEEN = 100_000

_T = TypeVar("_T", bound="Persons | Grammar")


class Kind(IntEnum):
    """What a term does in a comparison, from nothing to decisive."""

    FUNCTION = 0
    LIGHT = 1
    CONTENT = 2
    UNIT = 3
    CONTRAST = 4
    NUMBER = 5
    COMPARATOR = 6
    NEGATION = 7
    UNCERTAIN = 8


ESSENTIAL = (Kind.CONTENT, Kind.CONTRAST, Kind.NUMBER)


@dataclass(frozen=True, slots=True)
class Persons:
    """Normalised words that tell of whom a sentence speaks.

    `kin` are relatives, `patient` words for the patient. `verbs` follow a subject; `reporting` verbs make a
    relative a source only. `aside` are prepositions that make a noun part of something else, `within` those
    of "diabetes in her mother", `relating` words that make a noun a subject in spite of them. `trades` turn
    "family" into something else, which is one of the `generic` words that may stand beside another relative;
    `shared` are said of patient and relatives alike.
    """

    kin: frozenset[str]
    patient: frozenset[str]
    verbs: frozenset[str]
    reporting: frozenset[str]
    aside: frozenset[str]
    within: frozenset[str]
    relating: frozenset[str]
    trades: frozenset[str]
    generic: frozenset[str]
    shared: frozenset[str]


@dataclass(frozen=True, slots=True)
class Grammar:
    """Words by what they do in a sentence: what begins, joins and parts clauses.

    `participles` are verbs unless a noun follows. `contrary` are the joining words that end the reach of a
    negation. `procedures` say that something was done, not what came of it. `sites` are the prepositions
    that put a thing somewhere; `directed` are words whose two sides may not change places.
    "From 5 to 8" is a range behind a word of `ranging`, else a change.
    """

    verbs: frozenset[str]
    participles: frozenset[str]
    joining: frozenset[str]
    contrary: frozenset[str]
    determiners: frozenset[str]
    prepositions: frozenset[str]
    sites: frozenset[str]
    procedures: frozenset[str]
    directed: frozenset[str]
    ranging: frozenset[str]
    adjectives: frozenset[str]
    endings: frozenset[str]
    denying: frozenset[str]

    def is_adjective(self, word: str) -> bool:
        """Whether a word looks like an adjective, by the list or its ending."""
        return word in self.adjectives or word.endswith(tuple(self.endings))


@dataclass(frozen=True, slots=True)
class Words:
    """The word lists, keyed by the stem or the normalised spelling of a word.

    `known` gives the canonical form and kind of every listed word; `phrases` those of several words, keyed by
    their first. `bare` are the words that are comparators right before a number. `units` maps spellings to
    units, `numbers` number words to values. `opposed` are pairs of prefixes with opposite meanings.
    `doubted` are the words of doubt of "X was suspected", `qualifying` the contrasts of adjectives, `be` the
    forms of to be. `labels` are stems of words that head a quote without saying anything of the patient.
    `seen` remembers answers of `canonical`.
    """

    known: Mapping[str, tuple[str, Kind]]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str, Kind], ...]]
    bare: Mapping[str, str]
    units: Mapping[str, str]
    numbers: Mapping[str, str]
    strict: frozenset[str]
    opposed: tuple[tuple[str, str], ...]
    confusable: frozenset[str]
    negates_before: frozenset[str]
    stops: frozenset[str]
    doubted: frozenset[str]
    labels: frozenset[str]
    qualifying: frozenset[str]
    be: frozenset[str]
    persons: Persons
    grammar: Grammar
    seen: dict[str, tuple[str, Kind]] = field(default_factory=dict, compare=False)

    def canonical(self, word: str) -> tuple[str, Kind]:
        """Canonical form and kind of a normalised word; unlisted words are content, by their stem."""
        found = self.seen.get(word)
        if found is None:
            root = stem(word)
            found = self.known.get(word) or self.known.get(root, (root, Kind.CONTENT))
            if len(self.seen) < _MOST_SEEN:
                self.seen[word] = found
        return found


_ENDINGS = (
    ("ies", "y", 5),
    ("sses", "ss", 5),
    ("ing", "", 7),
    ("ed", "", 6),
    ("es", "", 5),
    ("s", "", 4),
    ("e", "", 4),
)


def stem(word: str) -> str:
    """A word without its inflection and with one spelling for British and American, for comparison only."""
    if len(word) < 4:
        return word
    word = word.replace("ae", "e").replace("oe", "e").replace("our", "or").replace("iz", "is")
    for ending, instead, least in _ENDINGS:
        if len(word) >= least and word.endswith(ending) and not word.endswith(("ss", "us", "is")):
            return word[: -len(ending)] + instead
    return word


def differ_by_prefix(one: str, other: str, opposed: tuple[tuple[str, str], ...]) -> bool:
    """Whether words are equal but for prefixes that turn the meaning: hyper-, hypo-; normal, abnormal."""
    if one[-4:] != other[-4:] or len(one) < 4 or one == other:
        return False
    for left, right in opposed:
        for a, b in ((left, right), (right, left)):
            tail = one[len(a) :]
            if one.startswith(a) and other == b + tail and len(tail) > 3:
                return True
    return False


def _sides(contrasts: Mapping[str, list[list[str]]]) -> Iterator[tuple[str, tuple[str, Kind]]]:
    for group, sides in contrasts.items():
        for words in sides:
            for word in words:
                canonical = (f"@{group}:{words[0]}", Kind.CONTRAST)
                yield word, canonical
                yield stem(word), canonical


def _synonyms(known: dict[str, tuple[str, Kind]], names: list[list[str]]) -> list[tuple[str, str, Kind]]:
    """Give single words the form of the first name of their list; return the names of several words."""
    several: list[tuple[str, str, Kind]] = []
    for first, *others in names:
        form, kind = known.setdefault(first, (first, Kind.CONTENT))
        several += [(name, form, kind) for name in others if " " in name]
        for name in others:
            if " " not in name:
                known[name] = known[stem(name)] = form, kind
    return several


def _phrases(
    data: Mapping[str, Any], named: list[tuple[str, str, Kind]]
) -> dict[str, tuple[tuple[tuple[str, ...], str, Kind], ...]]:
    listed = named + _decisive(data)
    found: dict[str, list[tuple[tuple[str, ...], str, Kind]]] = {}
    for words, canonical, kind in listed:
        parts = tuple(words.split())
        found.setdefault(parts[0], []).append((parts, canonical, kind))
    return {first: tuple(sorted(all_, key=lambda entry: -len(entry[0]))) for first, all_ in found.items()}


def _decisive(data: Mapping[str, Any]) -> list[tuple[str, str, Kind]]:
    """Negations and comparators of several words."""
    listed = [(words, "@no", Kind.NEGATION) for words in data["polarity"]["phrases"]]
    listed += [(words, sign, Kind.COMPARATOR) for sign, all_ in data["comparators"].items() for words in all_]
    return listed


def _filled(made: type[_T], table: Mapping[str, str]) -> _T:
    """An instance with the lists of its fields."""
    return made(**{one.name: frozenset(listed(table, one.name)) for one in fields(made)})


@lru_cache(maxsize=1)
def load_words() -> Words:
    """The word lists as shipped, read once. Raises AssetError where the file is missing."""
    data = load_cues()
    polarity = data["polarity"]
    negations = listed(polarity, "negations") + listed(polarity, "before")
    known: dict[str, tuple[str, Kind]] = {}
    for kind, words in ((Kind.LIGHT, data["light"]), (Kind.FUNCTION, data["function"])):
        for word in words.split():
            known[word] = (word, kind)
            known.setdefault(stem(word), (word, kind))
    known.update(_sides(data["contrasts"]))
    known.update({word: ("@maybe", Kind.UNCERTAIN) for word in polarity["uncertain"].split()})
    known.update({word: ("@no", Kind.NEGATION) for word in negations})
    return Words(
        known=known,
        phrases=_phrases(data, _synonyms(known, data["synonyms"]["names"])),
        bare={word: sign for sign, words in data["bare"].items() for word in words},
        units={spelling: unit for unit, spellings in data["units"].items() for spelling in spellings},
        numbers={word: str(value) for word, value in data["numbers"].items()},
        strict=frozenset(data["strict"]),
        opposed=tuple((a, b) for a, b in data["prefixes"]["opposed"]),
        confusable=frozenset(stem(word) for word in data["confusable"]["words"].split()),
        negates_before=frozenset(polarity["after"]),
        stops=frozenset(polarity["stop"].split()),
        doubted=frozenset(polarity["doubted"].split()),
        qualifying=frozenset(data["qualifying"]),
        be=frozenset(polarity["be"].split()),
        persons=_filled(Persons, data["persons"]),
        labels=frozenset(stem(word) for word in data["labels"].split()),
        grammar=_filled(Grammar, data["grammar"]),
    )


def spelled_alike(one: str, other: str, words: Words) -> bool:
    """Whether two unlisted stems are one word with a slip of the pen: a letter too many, too few, or swapped.

    Short words and words that an ending or a prefix sets apart are never alike; of replaced letters only a
    vowel for a vowel counts, and only in long words, because one consonant makes another medical word.
    """
    if min(len(one), len(other)) < 7 or one[0] != other[0] or {one, other} <= words.confusable:
        return False
    if abs(len(one) - len(other)) > 1 or differ_by_prefix(one, other, words.opposed):
        return False
    start = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    rest_one, rest_other = one[start:], other[start:]
    if len(one) != len(other):
        longer, shorter = sorted((rest_one, rest_other), key=len, reverse=True)
        return longer[1:] == shorter
    if (
        len(rest_one) > 1
        and rest_one[2:] == rest_other[2:]
        and rest_one[1] == rest_other[0]
        and rest_one[0] == rest_other[1]
    ):
        return True
    vowels = "aeiouy"
    return (
        len(one) >= 9 and rest_one[1:] == rest_other[1:] and rest_one[0] in vowels and rest_other[0] in vowels
    )

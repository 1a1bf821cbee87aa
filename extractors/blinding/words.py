"""The words of a text by their stems, so that a name is found in whatever form it is written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate

from extractors.text.boundaries import IGNORED, MARKS
from extractors.text.folding import fold

APOSTROPHES = "'’‘‛ʼʹ′`´＇"
# A possessive s belongs to its word, also where a blank slipped in; digits are words of their own.
WORD = re.compile(rf"[^\W\d_]+(?:[{IGNORED}{MARKS}]+[^\W\d_]*)*(?:\s?[{APOSTROPHES}]\s?[sS](?![^\W_]))?|\d+")
_POSSESSIVE = re.compile(rf"\s?[{APOSTROPHES}]\s?[sS]$")
_INVISIBLE = re.compile(f"[{IGNORED}{MARKS}]")
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau"
    " upsilon phi chi psi omega"
).split()
# Letters of other alphabets that look like Latin ones, and letters that Unicode does not take apart.
_LOOK_ALIKES = str.maketrans(
    "аАВвеЕкКМмНоОрРсСТтуУүҮѵѴхХіІјЈѕЅԁԛԚԝԜһҺӀӏԌαΑΒεΕΖηΗιΙκΚΜνΝοΟρΡτΤυΥχΧøØłŁđĐıßɑɡǀⅼ",
    "aABbeEkKMmHoOpPcCTtyYyYvVxXiIjJsSdqQwWhHIlGaABeEZnHiIkKMvNoOpPtTuYxXoOlLdDibagll",
)
_WIDER = str.maketrans({"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"})
# What is left of Greek once look-alikes are Latin is read by its name.
_NAMED = str.maketrans({chr(ord("α") + at): name for at, name in enumerate(_GREEK)})
_SHARP_S = re.compile("(?<=[^\\W\\d_])ß")
_ENDINGS = (
    ("itide", "itis"), ("omata", "oma"), ("sis", "se"), ("tre", "ter"), ("eurone", "euron"), ("um", "a")
)  # fmt: skip
_LONG_ENOUGH = 6
ROMAN = {
    letters: str(number)
    for number, letters in enumerate("I II III IV V VI VII VIII IX X XI XII XIII XIV XV".split(), 1)
}
ARABIC = {number: letters for letters, number in ROMAN.items()}
_ROMAN = re.compile(rf"(?<= )({'|'.join(ROMAN)})([A-HJ-UWYZ]?)(?= |$)")
_ARABIC = re.compile(rf"(?<= )({'|'.join(ARABIC)})(?: ([A-HJ-UWYZ]))?(?= |$)")
NUMBER = re.compile(rf"(?:{'|'.join(ROMAN)})[A-HJ-UWYZ]?|{'|'.join(ARABIC)}")
_NUMBERS = {**ROMAN, "ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5"}


@lru_cache(maxsize=131072)
def stem(word: str) -> str:
    """What a word as WORD finds it is looked up by: small plain letters, American spelling, singular.

    A Greek letter alone is its name, one among Latin letters the Latin one it looks like.
    """
    folded = fold(plain(word))
    if len(folded) >= _LONG_ENOUGH:
        for ending, instead in _ENDINGS:
            if folded.endswith(ending):
                return folded[: -len(ending)] + instead
    return folded or word


def plain(word: str) -> str:
    """A word in Latin letters without accents, invisible signs, raised numbers and possessive s."""
    word = _POSSESSIVE.sub("", word)
    if word.isascii():
        return word
    if len(bare := _INVISIBLE.sub("", word)) == 1:
        if bare == "ß":
            return "beta"
        number = ord(bare.lower()) - ord("α")
        if 0 <= number < len(_GREEK):
            return _GREEK[number]
    wider = _SHARP_S.sub("ss", word).translate(_WIDER)
    parted = unicodedata.normalize("NFKD", wider).translate(_LOOK_ALIKES).lower().translate(_NAMED)
    letters = "".join(sign for sign in parted if sign.isalpha() and not unicodedata.combining(sign))
    return letters or parted


def numbered_otherwise(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The words as they are, and with the numbers behind the first as Roman ones or the other way round:
    "2", "A" are "IIA"."""
    yield words
    said = " ".join(words)
    arabic = _ROMAN.sub(lambda found: ROMAN[found[1]] + found[2], said)
    roman = _ARABIC.sub(lambda found: ARABIC[found[1]] + (found[2] or ""), said)
    yield from (WORD.findall(other) for other in (arabic, roman) if other != said)


def signs(text: str) -> str:
    """Letters and digits of a text in Latin letters, capitals as they are, without raised numbers."""
    level = "".join(sign for sign in text if sign.isdecimal() or not sign.isdigit())
    parted = unicodedata.normalize("NFKD", level).translate(_LOOK_ALIKES)
    # Of apostrophes one is a letter to Unicode.
    return "".join(sign for sign in parted if sign.isalnum() and sign not in APOSTROPHES)


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    """The words of all names of findings."""
    from extractors.terminology.library import shipped_hpo

    return frozenset(map(stem, shipped_hpo().words))


def _slips(wanted: frozenset[str], there: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words that are there, each with the wanted one that is meant by it."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    for one in sorted(wanted):
        for word, slips, _ in extract(one, there, scorer=OSA.distance, score_cutoff=1, limit=None):
            if slips and word not in wanted and word not in _everyday():
                yield word, one


@dataclass(frozen=True)
class Words:
    """The words of a text, each by its stem and its place in code points; stems that are `meant` for others
    are read as these."""

    text: str
    meant: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def said(self) -> list[str]:
        return WORD.findall(self.text)

    @cached_property
    def stems(self) -> list[str]:
        stems = map(stem, self.said)
        return [self.meant.get(one, one) for one in stems] if self.meant else list(stems)

    @cached_property
    def _respelt(self) -> dict[frozenset[str], Words | None]:
        return {}

    def respelt(self, wanted: frozenset[str]) -> Words | None:
        """The text with those of its words read as wanted ones that are a slip of one letter away from them
        (left out, put in, changed, or two turned round); None where there are none. Words that mean something
        else ("root" for "foot", "dysphagia" for "dysphasia") are no slips."""
        if wanted not in self._respelt:
            meant = dict(_slips(wanted, list(self.places)))
            self._respelt[wanted] = replace(self, meant=meant) if meant else None
        return self._respelt[wanted]

    @cached_property
    def numbered(self) -> list[str]:
        """The stem of each word, a Roman numeral or a number in words as the number that it is."""
        return [_NUMBERS.get(word.upper(), words) for word, words in zip(self.said, self.stems, strict=True)]

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Which words have a stem, or number."""
        found: dict[str, list[int]] = {}
        for place, words in enumerate(self.numbered):
            found.setdefault(words, []).append(place)
        return found

    @cached_property
    def starts(self) -> list[int]:
        """Where each word begins: between two stands nothing of a word, so the next such letters are it."""
        found, at, find = [], 0, self.text.find
        for word in self.said:
            at = find(word, at)
            found.append(at)
            at += len(word)
        return found

    @cached_property
    def key(self) -> str:
        """All stems as one string: what parts words in a text parts nothing here."""
        return "".join(self.stems)

    @cached_property
    def _edges(self) -> dict[int, int]:
        """The number of the word that begins at a place of the key; one more at its end."""
        edges = accumulate(map(len, self.stems), initial=0)
        return {at: number for number, at in enumerate(edges)}

    def find(self, key: str) -> list[tuple[int, int]]:
        """Where whole words say a key (stems joined): first word and the one after the last."""
        found, at = [], self.key.find(key)
        while at >= 0:
            first, end = self._edges.get(at), self._edges.get(at + len(key))
            if first is not None and end is not None:
                found.append((first, end))
            at = self.key.find(key, at + 1)
        return found

    def place(self, first: int, end: int) -> tuple[int, int]:
        """Code points from a word to the one before `end`."""
        return self.starts[first], self.starts[end - 1] + len(self.said[end - 1])


def joined(words: Sequence[str]) -> str:
    """The key under which `Words.find` looks words up."""
    return "".join(map(stem, words))

"""A second, simpler and over-eager search for what a mask left: it shares no code with the masker's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher

_NAMES = "alpha beta gamma delta epsilon zeta eta theta theta lambda mu xi pi sigma sigma phi psi omega beta"
_GREEK = dict(zip("αβγδεζηθϑλμξπσςφψωß", _NAMES.split(), strict=True))
_LATIN = dict(zip("авекмнорстухіјѕοικντρχłđø", "abekmhopctyxijsoikvtpxldo", strict=True))
_MUTE = frozenset("aeiousyhz")
_ALIKE, _FEWEST, _SHORT = 0.82, 3, 4
_BEHIND = re.compile(r"[^()\[\]\n]{0,30}?[(\[]([^()\[\]]{2,60})[)\]]")
_OR = re.compile(r",? (?:or|abbreviated(?: as| to)?|known as) ([^\W_][\w/-]*)")
_BEFORE = re.compile(r"([^\W_][\w/-]*)\s*[(\[:=,|–—-]\s*$")
_TOKEN = re.compile(r"[^\W_][\w/-]*")
# So many letters of an abbreviation may stand for words before the name ("NSCLC").
_NEAR, _MORE = 100, 4


@dataclass(frozen=True, slots=True)
class Leak:
    """Words of a view that give the diagnosis away, and the alias they say."""

    form: str
    text: str
    start: int
    end: int


def abbreviated(report: str, names: Sequence[str]) -> frozenset[str]:
    """What a report (with its title) abbreviates names by: it stands in brackets behind one, or before it."""
    found = set()
    for leak in _names_in(report, _long(names)):
        after = _BEHIND.match(report, leak.end, leak.end + _NEAR)
        before = _BEFORE.search(report, max(0, leak.start - _NEAR), leak.start)
        beside = _OR.match(report, leak.end)
        parts = _TOKEN.findall(after[1]) if after else []
        parts += [one[1] for one in (before, beside) if one]
        found |= {one for one in parts if one in names or _may_abbreviate(one, leak)}
    return frozenset(found)


def find_leaks(
    view: str, masks: Sequence[tuple[int, int]], names: Sequence[str], shorts: Set[str]
) -> list[Leak]:
    """What of names and abbreviations is still in a view, in any form; `masks` are places of its masks."""
    seen = _without(view, masks)
    found = set(_names_in(seen, _long(names)))
    for short in shorts:
        signs = r"[-\s]?".join(map(re.escape, filter(str.isalnum, short)))
        whole = rf"(?<![^\W_]){signs}(?:['’]?s)?(?![^\W_])"
        found |= {Leak(short, one[0], *one.span()) for one in re.finditer(whole, seen)}
    return sorted(found, key=lambda leak: (leak.start, leak.end, leak.form))


def _long(names: Sequence[str]) -> list[str]:
    return [one for one in dict.fromkeys(names) if len(one) > _SHORT or (one.isalpha() and one[1:].islower())]


def _without(view: str, masks: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(masks):
        parts += [view[at:start], "¶" * (end - start)]
        at = end
    return "".join([*parts, view[at:]])


class _Sounds(dict[int, str]):
    """Consonants and digits of a text, so that spellings, plurals and possessives fall together."""

    def __missing__(self, number: int) -> str:
        sign = chr(number).lower()
        sign = _GREEK.get(sign) or _LATIN.get(sign) or unicodedata.normalize("NFKD", sign)
        kept = "".join(one for one in sign if one.isalnum() and one not in _MUTE)
        self[number] = sound = kept.replace("k", "c").replace("q", "c").replace("f", "p")
        return sound


_SOUNDS = _Sounds()


def _names_in(text: str, names: Sequence[str]) -> Iterator[Leak]:
    heard = text.translate(_SOUNDS)
    places: list[int] = []
    for name in names:
        wanted = name.translate(_SOUNDS)
        at = heard.find(wanted) if len(wanted) >= _FEWEST else -1
        while at >= 0:
            places = places or [here for here, sign in enumerate(text) for _ in _SOUNDS[ord(sign)]]
            first, last = places[at], places[at + len(wanted) - 1] + 1
            ahead, after = _mute_ends(name)
            for before, behind in dict.fromkeys(((0, 0), (ahead, 0), (ahead, after))):
                start, end = _whole(text, max(0, first - before), min(len(text), last + behind))
                if _alike(text[start:end], name):
                    yield Leak(name, text[start:end], start, end)
                    break
            at = heard.find(wanted, at + 1)
        if len(wanted) < _FEWEST:
            for found in re.finditer(rf"\b{re.escape(name)}(?:['’]?s)?\b", text, re.IGNORECASE):
                yield Leak(name, found[0], *found.span())


def _mute_ends(name: str) -> tuple[int, int]:
    """How many signs of a name stand before the first and behind the last that sounds ("OI type 1")."""
    heard = [at for at, sign in enumerate(name) if _SOUNDS[ord(sign)]]
    return heard[0], len(name) - 1 - heard[-1]


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """The words around a stretch."""
    while start and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and (text[end].isalpha() or unicodedata.combining(text[end])):
        end += 1
    return start, end


def _alike(words: str, name: str) -> bool:
    one, other = _letters(words), _letters(name)
    if one[:1] != other[:1]:
        return other in one
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE


def _letters(text: str) -> str:
    low = "".join(_GREEK.get(sign) or _LATIN.get(sign, sign) for sign in text.lower())
    return "".join(sign for sign in unicodedata.normalize("NFKD", low) if sign.isalnum())


def _may_abbreviate(short: str, leak: Leak) -> bool:
    letters = [sign.lower() for sign in short if sign.isalpha()]
    if len(letters) < 2 or sum(map(str.isupper, short)) < 2 or _letters(short) in _letters(leak.text):
        return False
    for name in (leak.form, leak.text):
        for first in range(min(_MORE, len(letters) - 1)):
            rest = iter(_letters(name))
            words = letters[first:]
            if name[:1].lower() == words[0] and all(letter in rest for letter in words):
                return True
    return False

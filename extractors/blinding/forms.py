"""Every form of a diagnosis' names: as nomenclatures have them, as a report abbreviates and spells them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from extractors.blinding.words import NUMBER, WORD, Words, joined, numbered_otherwise, plain, signs, stem

Source = Literal["label", "synonym", "omim", "person", "report"]
# Names of so few signs are words and units as well: they count where the report defines them so.
SHORT = 4
_SAFE = 6
# An abbreviation of more signs is hardly a word in small letters ("FIRES").
_BY_CAPITALS = 7
# Words of so many letters are known with a slip in them; alone, shorter ones would be others ("plaque").
_MISSPELT, _MISSPELT_ALONE = 4, 7
# What may stand between the words of a name in another order: between two words, and between more.
_FEW = frozenset("in of the type".split())
_LINKS = _FEW | {stem(word) for word in "a an and associated by due form related to with".split()}
_APART = re.compile(r"[.;:!?]\s|\n")
_UMLAUTS = str.maketrans(
    {"ö": "oe", "ü": "ue", "ä": "ae", "ø": "oe", "Ö": "Oe", "Ü": "Ue", "Ä": "Ae", "Ø": "Oe"}
)
_TRANSCRIBED = re.compile(r"(?<=[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z])([oau])e(?=[a-z]{2})")
_GREEK_NAMES = {"alpha": "a", "eta": "n", "iota": "i", "kappa": "k", "nu": "v", "rho": "p", "tau": "t"}
_ABBREVIATION = r"(?=[\w/-]*[A-Z])[^\W_][\w/.’'-]{0,14}"
# What a bracket behind a name holds; each of its parts may be an abbreviation, some words before it.
# Numbers of references may stand before it.
_BEHIND = re.compile(
    r"[\d,–-]{0,9}\s{0,2}(?:[(\[][\d,;\s–-]+[)\]]\s?|(?:[\w-]+\s){0,3}?)[(\[（]([^()\[\]（）]*)"
)
_PARTS = re.compile(r"[,;:=]|\sor\s")
_CALLED = re.compile(rf"\s*(?:[a-z][a-z.-]*\s+){{0,4}}[\"“‘']?({_ABBREVIATION})[\"”’']?\s*")
_BESIDE = re.compile(
    r"(?:,?\s(?:or|(?:(?:which|is|also|commonly)\s){0,2}(?:abbreviated|called|known|termed|referred to)"
    r"(?: as| to)?|here(?:in)?after)\s|\s*[–—/]\s*|\s-\s|,\s(?=\S+ for))"
    rf"[\"“‘']?({_ABBREVIATION})\b"
)
_BEFORE = re.compile(
    rf"(?<![^\W_])({_ABBREVIATION})\s*"
    r"(?:[(\[（:=,;|/]|\s[–—-]|,?\s(?:also\s)?(?:called|known as)"
    r"|,?\s(?:which\s)?(?:stands|(?:is\s)?short)\sfor)\s*(?:the |a |an )?$"
)
# Right beside a name its usual abbreviation stands for it, whatever parts the two.
_NEXT, _LAST = re.compile(rf"\W{{1,4}}({_ABBREVIATION})\b"), re.compile(rf"\b({_ABBREVIATION})\W{{1,4}}$")
_REACH, _WORDS_BEFORE = 90, 5
_PLURAL = re.compile(r"([A-Z0-9])s$")


@dataclass(frozen=True, slots=True)
class Alias:
    """A name of a diagnosis, and where it is from."""

    text: str
    source: Source = "synonym"

    @property
    def short(self) -> bool:
        """Whether it is read by its capitals, and only where a report defines it; a word ("Kuru") is not."""
        return len(self.text) <= SHORT and not (self.text.isalpha() and self.text[1:].islower())


@dataclass(frozen=True, slots=True)
class Hint:
    """What points to a diagnosis without naming it: a word of its name, a causal gene, a disorder right
    above."""

    text: str
    kind: Literal["word", "gene", "parent"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place in code points that says `form` (the alias as it is listed)."""

    start: int
    end: int
    form: str


@dataclass(frozen=True, slots=True)
class Forms:
    """What is searched for in a report: its `aliases` with the abbreviations that the report defines.

    `undefined` are short aliases that it does not define; they are not searched for. `keys` are those of all
    spellings, each with its alias. `unordered` are the
    words of those that have several, Roman numerals as numbers and without links, to be found in any order;
    `long` are words that may be misspelt.
    """

    aliases: tuple[Alias, ...]
    undefined: tuple[Alias, ...]
    keys: tuple[tuple[str, str], ...]
    unordered: tuple[tuple[str, frozenset[str]], ...]
    long: frozenset[str] = frozenset()

    def find(self, words: Words) -> list[Occurrence]:
        """Where a text says any of them, in text order, the longest of those that overlap."""
        found = list(_found(words, self.keys, self.unordered))
        if respelt := words.respelt(self.long):
            slips = set(respelt.meant.values())
            keys = [one for one in self.keys if any(word in one[0] for word in slips)]
            unordered = [one for one in self.unordered if not slips.isdisjoint(one[1])]
            found += _found(respelt, keys, unordered)
        return longest(found)


def _found(
    words: Words, keys: Iterable[tuple[str, str]], unordered: Iterable[tuple[str, frozenset[str]]]
) -> Iterator[Occurrence]:
    keyed = ((key, alias, one) for key, alias in keys for one in words.find(key))
    said = [(alias, one) for key, alias, one in keyed if _fits(key, alias, words.text, *words.place(*one))]
    said += [(alias, one) for alias, wanted in unordered for one in _in_any_order(words, wanted)]
    for alias, (first, end) in said:
        # What is "non-small cell" is none of "small cell", but says it.
        other = first and words.stems[first - 1] == "non"
        yield Occurrence(*words.place(first - 1 if other else first, end), alias)


def _in_any_order(words: Words, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where these words stand side by side, links at most between them: the first, and one after the last."""
    numbered, places = words.numbered, words.places
    allowed = wanted | (_FEW if len(wanted) == 2 else _LINKS)
    for at in min((places.get(one, []) for one in wanted), key=len):
        first, end, reach = at, at + 1, 2 * len(wanted) + len(_FEW)
        while first and at - first < reach and numbered[first - 1] in allowed:
            first -= 1
        while end < len(numbered) and end - at <= reach and numbered[end] in allowed:
            end += 1
        windows = ((one, two) for one in range(first, at + 1) for two in range(at + 1, end + 1))
        whole = [(one, two) for one, two in windows if wanted.issubset(numbered[one:two])]
        for least in sorted(whole, key=lambda window: window[1] - window[0])[:1]:
            start, stop = words.place(*least)
            inside = words.text[max(0, start - 1) : start].isalnum()
            if not inside and not _APART.search(words.text, start, stop):
                yield least


def longest(found: Iterable[Occurrence]) -> list[Occurrence]:
    """Of occurrences that overlap the longest, in text order."""
    kept: list[Occurrence] = []
    for one in sorted(set(found), key=lambda each: (each.start - each.end, each.start, each.form)):
        at = bisect_left(kept, one.start, key=lambda each: each.start)
        beside = kept[max(0, at - 1) : at + 1]
        if all(one.end <= other.start or other.end <= one.start for other in beside):
            kept.insert(at, one)
    return kept


def forms_in(report: Sequence[Words], aliases: Sequence[Alias]) -> Forms:
    """The forms of `aliases` in a report, and the abbreviations that it (title and text) defines."""
    listed = list(dict.fromkeys(aliases))
    spelled = [one for one in listed if not one.short or one.source == "person"]
    keys = [key for one in spelled for key in _keys(one.text)]
    unordered = tuple((one.text, wanted) for one in spelled if len(wanted := _unordered(one)) > 1)
    long = frozenset(word for one in spelled for word in _long(one))
    plain_forms = Forms(tuple(listed), (), tuple(keys), unordered, long)
    defined = list(dict.fromkeys(one for text in report for one in defined_in(text, plain_forms)))
    defined += [one for text in report for one in _prefixed(text.text, defined)]
    own = [Alias(text, "report") for text in defined]
    keys += [key for one in defined for key in _keys(one)]
    known = {Words(text).key for text in defined}
    left = [one for one in listed if one not in spelled]
    undefined = tuple(one for one in left if Words(one.text).key not in known)
    names = {one.text for one in spelled}
    searched = [*spelled, *(one for one in own if one.text not in names)]
    return Forms(tuple(searched), undefined, tuple(dict.fromkeys(keys)), unordered, long)


def _long(alias: Alias) -> list[str]:
    """The words of a name that stay it with a slip in them."""
    words = [stem(word) for word in WORD.findall(alias.text)]
    least = _MISSPELT if len(words) > 1 else _MISSPELT_ALONE
    return [one for one in words if len(one) >= least and not one.isdecimal()]


def _unordered(alias: Alias) -> frozenset[str]:
    words = Words(alias.text.replace("&", " and "))
    # An A is no article: "hemophilia A".
    given = zip(words.numbered, words.starts, strict=True)
    return frozenset(one for one, at in given if one not in _LINKS or alias.text[at] == "A")


def defined_in(report: Words, forms: Forms) -> list[str]:
    """Abbreviations that the text gives to names: "long form (SHORT)", "SHORT (long form)", "SHORT: long".

    They may stand for another name of the same than the one beside them.
    """
    found: dict[str, None] = {}
    known = {one for one in map(_usual, forms.aliases) if len(one) > 1}
    for one in forms.find(report):
        before = report.text[max(0, one.start - _REACH) : one.start]
        words, after = report.text[one.start : one.end], report.text[one.end : one.end + _REACH]
        beside = _beside(words, before, after)
        given = [(short, (words, one.form, *_wider(before, more, short))) for short, more in beside]
        given += [(match[1], ()) for match in (_NEXT.match(after), _LAST.search(before)) if match]
        for short, names in given:
            usual = sum(map(str.isupper, short)) > 1 and plain_letters(short) in known
            if usual or _abbreviates(short, *names):
                found.setdefault(_PLURAL.sub(r"\1", short.strip("'’.-")))
    return list(found)


@lru_cache(maxsize=4096)
def _usual(alias: Alias) -> str:
    """What a name is usually abbreviated by, in small letters: it is short itself, or its words begin so."""
    begin = "".join(
        one if one.isdecimal() else one[0] for one in WORD.findall(alias.text) if stem(one) not in _LINKS
    )
    return plain_letters(alias.text if alias.short else begin)


def _prefixed(text: str, defined: Sequence[str]) -> list[str]:
    """Abbreviations with a small letter before them: "sHLH" is secondary HLH."""
    whole = "|".join(re.escape(one) for one in defined if len(one) > 2 and one[0].isupper())
    return sorted(set(re.findall(rf"\b[a-z](?:{whole})(?![^\W_])", text))) if whole else []


def _beside(words: str, before: str, after: str) -> Iterator[tuple[str, str]]:
    """What may abbreviate a name that is `said`, with the name and the words up to its bracket: it says
    a part of these as well ("encephalitis virus (EEV)")."""
    if behind := _BEHIND.match(after):
        whole = words + after[: behind.start(1)]
        for called in filter(None, map(_CALLED.fullmatch, _PARTS.split(behind[1]))):
            yield from ((one, whole) for one in _parts(called[1]))
    for match in (_BESIDE.match(after), _BEFORE.search(before)):
        yield from ((one, words) for one in (_parts(match[1]) if match else ()))


def _parts(short: str) -> Iterable[str]:
    """An abbreviation, and each side of its stroke: "ALS/FTD"."""
    return dict.fromkeys((short, *short.split("/")))


def _wider(before: str, text: str, short: str) -> Iterator[str]:
    """A name with words before it, which its abbreviation may say as well: "familial"; its last letter stands
    for a word of the name."""
    last = plain_letters(short)[-1:]
    if any(plain(word).lower().startswith(last) for word in WORD.findall(text)):
        words = before.split()
        yield from (
            " ".join([*words[-count:], text]) for count in range(1, min(_WORDS_BEFORE, len(words)) + 1)
        )


def _abbreviates(short: str, *names: str) -> bool:
    """Whether the capitals of `short` stand in a name in their order, the first at a word's beginning.

    Of long abbreviations nearly all: "ATTRwt-CM" may say more than the name does.
    """
    letters = plain_letters(short)
    capitals = sum(sign.isupper() or sign.isdigit() for sign in short)
    if capitals < 2 or letters in map(plain_letters, names):
        return False
    return any(_initials(letters, [plain(word).lower() for word in WORD.findall(name)]) for name in names)


def _initials(letters: str, words: Sequence[str]) -> bool:
    if not any(word.startswith(letters[0]) for word in words):
        return False
    rest, hit = iter("".join(words)), 0
    for letter in letters:
        if letter in rest:
            hit += 1
        else:
            rest = iter("".join(words))
    return hit >= max(2, round(0.75 * len(letters)))


def plain_letters(text: str) -> str:
    """Letters and digits alone, small."""
    return "".join(plain(word) for word in WORD.findall(text)).lower()


def _keys(name: str) -> Iterator[tuple[str, str]]:
    """The keys of all spellings of a name, each with it."""
    for words in _spellings(name):
        yield from ((key, name) for key in (joined(words), *_run_together(words)))
    if _is_abbreviation(name):
        letters = plain_letters(name)
        yield from ((key, name) for key in (letters, f"{letters}s"))


def _is_abbreviation(name: str) -> bool:
    return " " not in name and sum(map(str.isupper, name)) > 1


def _spellings(text: str) -> Iterator[Sequence[str]]:
    names = {text, text.translate(_UMLAUTS), _TRANSCRIBED.sub(r"\1", text)}
    head, comma, rest = text.partition(", ")
    if comma:
        middle, _, last = rest.partition(", ")
        names |= {f"{rest} {head}", f"{middle} {head} {last}"}
    for one in sorted(names):
        words = [plain(word) for word in WORD.findall(one.replace("&", " and "))]
        for form in (words, *_shortened(words)) if words else ():
            yield from numbered_otherwise(form)


def _shortened(words: list[str]) -> Iterator[list[str]]:
    """The words with and without those that name the same left away."""
    if "and" in words:
        yield [word for word in words if word != "and"]
    for at in range(1, len(words)):
        if NUMBER.fullmatch(words[at]):
            typed = words[at - 1] == "type"
            yield [*words[: at - typed], *([] if typed else ["type"]), *words[at:]]


def _run_together(words: Sequence[str]) -> Iterator[str]:
    """Keys of the words with neighbours written as one."""
    for at in range(len(words) - 1):
        pair = words[at] + words[at + 1]
        yield joined([*words[:at], pair, *words[at + 2 :]])
        if instead := _GREEK_NAMES.get(words[at].lower()):
            yield joined([*words[:at], instead + words[at + 1], *words[at + 2 :]])
    yield stem("".join(words))


def _fits(key: str, alias: str, text: str, start: int, end: int) -> bool:
    """Whether what was found may be meant: short ones as whole words, abbreviations by their capitals."""
    if len(key) < _SAFE and (text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum()):
        return False
    if len(alias) > _BY_CAPITALS or not _is_abbreviation(alias):
        return True
    words, wanted = signs(text[start:end]), signs(alias)
    return words == wanted or (words[: len(wanted)] == wanted and words[len(wanted) :].lower() in ("s", "es"))

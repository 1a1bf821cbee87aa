"""The names of all terms below phenotypic abnormality, as sets of stems under their rarest one."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from extractors.assets import asset
from extractors.phenotypes.stems import Stems, ending_off, grouped
from extractors.terminology.concept import NAME_KINDS
from extractors.terminology.hierarchy import descendants
from extractors.terminology.index import Terminology, folded_words
from extractors.text.cues import listed
from extractors.text.folding import fold

ROOT = "HP:0000118"
# Which name speaks where two terms share one; kinds that are not here are not looked up.
_TRUST = {"label": 0, "lexicon": 1, "exact": 2, "layperson": 2, "narrow": 3, "related": 4, "broad": 5}
_LONGEST = 9
# Words with these endings are forms of a name with the same root of that many letters at least.
_FORMS = ("ic", "ia", "y", "ical", "osis", "otic", "al", "ism")
# Adjectives whose nouns they are of however short the root is: "anosmic", "syndactylous".
_NOUNS = {"ic": "ia", "ous": "y"}
_ROOT = 6
_VERBAL = ("ed", "ing", "ation", "ive")
_VERBAL_ROOT = 8
_SAME = 5
_SHORT = 2
# In so many names, and in most of them last, a word is one that others say more of.
_HEAD = 3
# "Hemoglobin A" is none of hemoglobin.
_LETTER = re.compile(r"(?<=\s)A\b")
_OF = frozenset({"of", "in", "on", "involving", "affecting"})


@dataclass(frozen=True, slots=True)
class TermName:
    """A name of the concept `row`: its stems in order, the same as a set, how far it is to be trusted, and
    its stems each once."""

    row: int
    stems: tuple[str, ...]
    needed: frozenset[str]
    trust: int
    order: tuple[str, ...] = ()


@dataclass(slots=True)
class TermNames:
    """What is looked up in a text.

    `by_stem` holds names of several words under their two rarest stems, `seconds` which of them there are for
    the rarest, `stock` all their stems, `whole` those of each name, `heads` those that others stand before as
    a rule. `exact` has, by their sorted words, names that share all stems with a name of another term
    ("respiratory failure" and "respiratory insufficiency"), `ambiguous` those stems, `near` other meanings of
    abbreviations and the words that tell of them.
    """

    terminology: Terminology
    stems: Stems
    function: frozenset[str]
    free: frozenset[str]
    version: str
    by_stem: dict[str, dict[str, list[TermName]]] = field(default_factory=dict)
    seconds: dict[str, frozenset[str]] = field(default_factory=dict)
    stock: set[str] = field(default_factory=set)
    whole: set[frozenset[str]] = field(default_factory=set)
    heads: set[str] = field(default_factory=set)
    exact: dict[tuple[str, ...], TermName] = field(default_factory=dict)
    ambiguous: set[frozenset[str]] = field(default_factory=set)
    words: dict[str, TermName] = field(default_factory=dict)
    roots: dict[str, TermName] = field(default_factory=dict)
    groups: dict[str, TermName] = field(default_factory=dict)
    abbreviations: dict[str, TermName] = field(default_factory=dict)
    short: set[str] = field(default_factory=set)
    near: dict[str, tuple[frozenset[str], TermName]] = field(default_factory=dict)

    _singles: dict[str, TermName | None] = field(default_factory=dict)

    def single(self, word: str) -> TermName | None:
        """The name that a folded word is by itself, in another form of the word, too."""
        if word not in self._singles:
            found = self.words.get(word)
            if found is None and word.endswith((*_FORMS, *_VERBAL)):
                root = ending_off(word)
                least = _VERBAL_ROOT if word.endswith(_VERBAL) else _ROOT
                found = self.roots.get(root) if len(root) >= least else None
            for ending, noun in _NOUNS.items():
                if found is None and word.endswith(ending):
                    found = self.words.get(word.removesuffix(ending) + noun)
            if found is None and len(word) >= _SAME and word in self.stems.groups:
                found = self.groups.get(self.stems.of(word))
            self._singles[word] = found
        return self._singles[word]


def read_names(terminology: Terminology) -> TermNames:
    """Fill the look-up from a terminology and our own words; raises AssetError, TerminologyError."""
    source = asset("resources", "terminology", "everyday.toml").read_bytes()
    own = tomllib.loads(source.decode("utf-8"))
    words = own["words"]
    stems = grouped(line.split() for line in words["same"].splitlines() if line)
    function = frozenset(listed(words, "function"))
    spare = {stems.of(word) for word in listed(words, "spare")}
    alone = {frozenset(map(stems.of, folded_words(text))) for text in listed(words, "alone")}
    digest = hashlib.sha256(source + asset("resources", "terminology", "tests.toml").read_bytes()).hexdigest()
    names = TermNames(terminology, stems, function, frozenset(listed(words, "free")), digest[:12])
    found: dict[tuple[str, ...], TermName] = {}
    said_so: dict[tuple[str, ...], TermName] = {}
    said_words: list[list[str]] = []
    told: dict[int, list[TermName]] = {}
    for row, kind, given in _varied(_names(terminology, own), own["variants"]):
        if kind == "abbreviation":
            _keep_abbreviation(names, given, row)
            continue
        folded = folded_words(_LETTER.sub("letter-a", _straight(given)))
        turned = [word for word in _turned(folded) if word not in function]
        parts = [stems.of(word) for word in turned]
        if len(folded) == 1:
            _keep_word(names, folded[0], row, _TRUST[kind], alone)
            told.setdefault(row, []).append(_named(row, (stems.of(folded[0]),), _TRUST[kind]))
            continue
        if turned:
            said_words.append(turned)
        words_of_it = tuple(sorted(word for word in folded if word not in function))
        for shape in {tuple(parts), tuple(part for part in parts if part not in spare)}:
            trust = _TRUST[kind] + (len(shape) < len(parts))
            name = _named(row, shape, trust)
            told.setdefault(row, []).append(name)
            _keep(found, name, alone)
            if name.trust <= _TRUST["related"]:
                if words_of_it not in said_so or trust < said_so[words_of_it].trust:
                    said_so[words_of_it] = name
    _keep_inherited(found, terminology, told, alone)
    for text, near in own["near"].items():
        row = terminology.row(near["code"]) or 0
        names.near[text] = frozenset(near["words"].split()), _labelled(names, row)
    counts = Counter(stem for name in found.values() for stem in name.needed)
    rarity = {stem: (many, stem) for stem, many in counts.items()}
    for name in found.values():
        rarest, second, *_ = sorted(name.needed, key=rarity.__getitem__)
        names.by_stem.setdefault(rarest, {}).setdefault(second, []).append(name)
    names.seconds = {stem: frozenset(pairs) for stem, pairs in names.by_stem.items()}
    names.whole = {name.needed for name in found.values()}
    names.stock = set(counts)
    names.ambiguous = _shared((*found.values(), *said_so.values()))
    names.exact = {words: name for words, name in said_so.items() if name.needed in names.ambiguous}
    last = Counter(name.stems[-1] for name in found.values())
    spoken = Counter(word for words in said_words for word in set(words))
    ending = Counter(words[-1] for words in said_words)
    names.heads = {stem for stem, many in last.items() if many >= _HEAD and 2 * many > counts[stem]}
    names.heads |= {word for word, many in ending.items() if many >= _HEAD and 2 * many > spoken[word]}
    return names


def _keep_inherited(
    found: dict[tuple[str, ...], TermName],
    terminology: Terminology,
    told: Mapping[int, Sequence[TermName]],
    alone: set[frozenset[str]],
) -> None:
    """Labels with another name of a parent in place of its label: "mild difficulty in hearing" for "mild
    hearing impairment"."""
    for row, own in told.items():
        labels = [name for name in own if not name.trust]
        for theirs in (told.get(parent, ()) for parent in terminology.parents(row)):
            others = [name for name in theirs if 0 < name.trust <= _TRUST["exact"]]
            for label, general in product(labels, (name for name in theirs if not name.trust)):
                if others and general.needed < label.needed:
                    rest = tuple(stem for stem in label.stems if stem not in general.needed)
                    for other in others:
                        if other.needed.isdisjoint(rest):
                            _keep(found, _named(row, (*rest, *other.stems), _TRUST["narrow"]), alone)


def _named(row: int, stems: tuple[str, ...], trust: int) -> TermName:
    return TermName(row, stems, frozenset(stems), trust, tuple(dict.fromkeys(stems)))


def _shared(names: Iterable[TermName]) -> set[frozenset[str]]:
    """The stems that several terms have as a name."""
    first: dict[frozenset[str], int] = {}
    return {name.needed for name in names if first.setdefault(name.needed, name.row) != name.row}


@lru_cache(maxsize=1)
def load_names() -> TermNames:
    """The look-up of the ontology that comes along, read once."""
    return read_names(Terminology(asset("resources", "terminology", "hpo.zip")))


def _keep(found: dict[tuple[str, ...], TermName], name: TermName, alone: set[frozenset[str]]) -> None:
    if len(name.needed) < 2 or len(name.stems) > _LONGEST or name.needed in alone:
        return
    known = found.get(name.stems)
    if known is None or name.trust < known.trust:
        found[name.stems] = name


def _keep_abbreviation(names: TermNames, text: str, row: int) -> None:
    if not text.isupper() or " " in text:
        return
    # The first term that has it is the most general one.
    names.abbreviations.setdefault(text, _labelled(names, row))
    names.short.add(fold(text))


def _labelled(names: TermNames, row: int) -> TermName:
    """The term of an abbreviation, which stands for the words of its label."""
    label = names.terminology.concept(names.terminology.codes[row]).label
    parts = [names.stems.of(word) for word in folded_words(label) if word not in names.function]
    return _named(row, tuple(parts), 2)


def _straight(name: str) -> str:
    """A name without its inversion: "Columella, broad" as "broad Columella"."""
    head, comma, rest = name.partition(", ")
    return f"{rest} {head}" if comma and ", " not in rest else name


def _turned(words: list[str]) -> list[str]:
    """A name's words with what it is of before its head: "cyst of kidney" as "kidney cyst"."""
    at = next((place for place, word in enumerate(words) if word in _OF and place), None)
    return words if at is None else [*words[at + 1 :], *words[:at]]


def _varied(
    names: Iterable[tuple[int, str, str]], variants: Mapping[str, str]
) -> Iterator[tuple[int, str, str]]:
    """Names, and the same with other words for some of theirs."""
    for row, kind, text in names:
        yield row, kind, text
        lowered = text.lower()
        for words, instead in variants.items():
            if words in lowered and kind != "abbreviation":
                yield row, "narrow", lowered.replace(words, instead)


def _keep_word(names: TermNames, word: str, row: int, trust: int, alone: set[frozenset[str]]) -> None:
    stem = names.stems.of(word)
    if len(word) < 3 or frozenset((stem,)) in alone:
        return
    name = _named(row, (stem,), trust)
    tables = [(word, names.words), (ending_off(word), names.roots)]
    if word in names.stems.groups:
        tables.append((stem, names.groups))
    for key, table in tables:
        known = table.get(key)
        if known is None or trust < known.trust:
            table[key] = name


def _names(terminology: Terminology, own: dict[str, dict[str, str]]) -> Iterator[tuple[int, str, str]]:
    """All names as row, kind and text, labels first, without the ontology's abbreviations of two letters."""
    top = terminology.row(ROOT)
    below = descendants(terminology, top) if top is not None else {}
    rows = terminology.name_rows.tolist()
    kinds = [NAME_KINDS[kind] for kind in terminology.name_kinds.tolist()]
    for row, kind, text in zip(rows, kinds, terminology.names, strict=True):
        told = kind in _TRUST or (kind == "abbreviation" and len(text) > _SHORT)
        if row in below and row != top and told:
            yield row, kind, text
    for table, kind in (("terms", "lexicon"), ("abbreviations", "abbreviation")):
        for code, phrases in own[table].items():
            if (known := terminology.row(code)) is not None:
                for phrase in phrases.split(","):
                    yield known, kind, phrase.strip()

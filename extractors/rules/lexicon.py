"""Phrases to categories and cues: dictionaries over folded words, filled from the data files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from extractors.assets import asset
from extractors.text.cues import listed, load_cues, load_rules
from extractors.text.folding import fold_phrase, fold_stem

# The rules know what they have words for, and what came before; a scheme may have others.
CATEGORIES = (*load_rules("terms"), "History")
BIT = {category: 1 << index for index, category in enumerate(CATEGORIES)}
ORGANS = tuple(c for c in CATEGORIES if c not in ("Lab_Image", "History", "Pregnancy"))
ORGAN_BITS = sum(BIT[category] for category in ORGANS)
# Beside the categories of a mask: the ontology names a finding, not only an organ or a test.
FINDING = 1 << len(CATEGORIES)
CUES = (
    *("finite", "reporting", "imaging", "person", "general", "generic", "patient", "negated", "uncertain"),
    *("denied", "behind", "turn", "normal", "open", "treatment", "result", "literature", "own", "relative"),
    *("present", "moved", "course", "past", "surgical", "family", "genetics", "social"),
    *("examination", "heading", "label", "histology", "institution", "organ", "place"),
    *("stop", "site", "link", "frame", "occurring", "copula", "sign", "telling", "pseudo", "abnormal"),
)
_POLARITIES = ("denied", "behind", "turn", "normal", "abnormal", "open", "pseudo")
CUE = {cue: 1 << index for index, cue in enumerate(CUES)}
# What is known of most words.
NO_CUE = (0, 0)
# Where a word is known.
STEM, STRONG, WEAK, NEVER = 1, 2, 4, 8
# Whether phrases of several words begin with it.
SEVERAL = 16
T = TypeVar("T")
_WORDS = 100_000
_LACK = ("absence", "lack")
_MIN_STEM = 3
_MAX_STEM = 20


# Where a word is known, and its strong and weak categories where it stands alone.
Word = tuple[int, int, int]
NOTHING = (0, 0, 0)


@dataclass(slots=True)
class PhraseTable:
    """Masks by folded phrase, with the greatest number of words of any phrase that begins with a word.

    `pairs` are the two words with which longer phrases begin: most are ruled out by these.
    """

    masks: dict[str, int] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)
    pairs: set[str] = field(default_factory=set)

    def add(self, phrase: str, mask: int) -> None:
        known = self.masks.get(phrase)
        self.masks[phrase] = mask if known is None else known | mask
        first, _, rest = phrase.partition(" ")
        length = rest.count(" ") + 2 if rest else 1
        if rest:
            self.pairs.add(f"{first} {rest.partition(' ')[0]}")
        if length > self.longest.get(first, 0):
            self.longest[first] = length

    def found(self, words: Sequence[str], index: int) -> tuple[int, int]:
        """Number of words and mask of the longest phrase at `index`; (0, 0) without one."""
        limit = self.longest.get(words[index], 0)
        if not limit:
            return 0, 0
        if limit > 1 and " ".join(words[index : index + 2]) in self.pairs:
            for length in range(min(limit, len(words) - index), 1, -1):
                mask = self.masks.get(" ".join(words[index : index + length]))
                if mask is not None:
                    return length, mask
        mask = self.masks.get(words[index])
        return (0, 0) if mask is None else (1, mask)


class Known(dict[str, T]):
    """What was found out of words, each once; it begins anew before it would fill the memory."""

    def __init__(self, find: Callable[[str], T]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, word: str) -> T:
        if len(self) >= _WORDS:
            self.clear()
        found = self[word] = self._find(word)
        return found


@dataclass(slots=True)
class Lexicon:
    """All the rules' words. `strong` opens a category, `weak` adds to an open one; `cues` are context."""

    strong: PhraseTable = field(default_factory=PhraseTable)
    weak: PhraseTable = field(default_factory=PhraseTable)
    never: PhraseTable = field(default_factory=PhraseTable)
    # What it is a finding to lack: "kidney" of the ontology's "absent kidney".
    lacks: PhraseTable = field(default_factory=PhraseTable)
    cues: PhraseTable = field(default_factory=PhraseTable)
    stems: dict[str, int] = field(default_factory=dict)
    cue_stems: dict[str, int] = field(default_factory=dict)
    cue_endings: dict[str, int] = field(default_factory=dict)
    version: str = ""
    _stem_memo: dict[str, int] = field(default_factory=dict)
    # What is known of a word: where phrases begin with it and what it says alone; its cues and those of its
    # beginning and ending, with the length of the longest cue that begins with it.
    known_words: dict[str, Word] = field(init=False)
    known_cues: dict[str, tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.known_words, self.known_cues = Known(self._knows), Known(self._word_cues)

    def word_mask(self, word: str) -> int:
        """Categories that the word's beginning speaks for."""
        mask = self._stem_memo.get(word)
        if mask is None:
            mask = self._stem_memo[word] = _by_beginning(self.stems, word)
        return mask

    def _knows(self, word: str) -> Word:
        where = STEM if self.word_mask(word) else 0
        for flag, table in ((STRONG, self.strong), (WEAK, self.weak), (NEVER, self.never)):
            where |= flag if word in table.longest else 0
        if max(self.strong.longest.get(word, 0), self.weak.longest.get(word, 0)) > 1:
            where |= SEVERAL
        strong, weak = self.strong.masks.get(word, 0), self.weak.masks.get(word, 0)
        return (where, strong | self.word_mask(word), weak) if where else NOTHING

    def begins(self, words: Sequence[str], index: int) -> bool:
        """Whether a phrase of several words may begin at `index`."""
        pair = " ".join(words[index : index + 2])
        return pair in self.strong.pairs or pair in self.weak.pairs

    def _word_cues(self, word: str) -> tuple[int, int]:
        mask = _by_beginning(self.cue_stems, word) | self.cues.masks.get(word, 0)
        for ending, cue in self.cue_endings.items():
            if word.endswith(ending):
                mask |= cue
        limit = self.cues.longest.get(word, 0)
        return (mask, limit) if mask or limit > 1 else NO_CUE


def _by_beginning(stems: dict[str, int], word: str) -> int:
    mask = 0
    for length in range(_MIN_STEM, min(len(word), _MAX_STEM) + 1):
        mask |= stems.get(word[:length], 0)
    return mask


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Every list, read once, for nobody to change; `version` changes with any of the files' bytes."""
    lexicon = Lexicon()
    source = asset("resources", "lexicons", "hpo.tsv").read_bytes()
    _add_ontology(lexicon, source.decode("utf-8").splitlines())
    _add_terms(lexicon)
    _add_cues(lexicon)
    digest = hashlib.sha256(source)
    for path in (
        asset("resources", "text", "cues.toml"),
        *sorted(asset("resources", "rules").glob("*.toml")),
    ):
        digest.update(path.read_bytes())
    lexicon.version = digest.hexdigest()[:12]
    return lexicon


def _add_ontology(lexicon: Lexicon, lines: Iterable[str]) -> None:
    known, table = dict[str, int](), lexicon.strong
    masks, longest, pairs = table.masks, table.longest, table.pairs
    for line in lines:
        phrase, tab, names = line.partition("\t")
        if not tab:
            continue
        mask = known.get(names)
        if mask is None:
            mask = known[names] = sum(BIT[name] for name in names.split()) | FINDING
        masks[phrase] = mask
        first, _, rest = phrase.partition(" ")
        length = 1
        if rest:
            length = rest.count(" ") + 2
            pairs.add(f"{first} {rest.partition(' ')[0]}")
            if first == "absent" or (first in _LACK and rest.startswith("of ")):
                lexicon.lacks.add(rest.removeprefix("of "), FINDING)
        if length > longest.get(first, 0):
            longest[first] = length


def _add_terms(lexicon: Lexicon) -> None:
    own: set[str] = set()
    for category, table in load_rules("terms").items():
        for stem in listed(table, "stems"):
            folded = fold_stem(stem)
            lexicon.stems[folded] = lexicon.stems.get(folded, 0) | BIT[category]
        for phrase in listed(table, "phrases"):
            lexicon.strong.add(fold_phrase(phrase), BIT[category])
            own.add(fold_phrase(phrase))
        for phrase in listed(table, "weak"):
            lexicon.weak.add(fold_phrase(phrase), BIT[category])
        for phrase in listed(table, "never"):
            lexicon.never.add(fold_phrase(phrase), BIT[category])
    # An ontology phrase is exact and silences its words; our own phrases only add to what their words say.
    masks = {phrase: lexicon.strong.masks[phrase] & ~FINDING for phrase in own}
    for phrase in own:
        for part in _parts(phrase.split(" ")):
            lexicon.strong.add(phrase, masks.get(part, 0) | lexicon.word_mask(part))


def _parts(words: Sequence[str]) -> Iterator[str]:
    """Every run of the words, the whole included."""
    for first in range(len(words)):
        for last in range(first + 1, len(words) + 1):
            yield " ".join(words[first:last])


def _add_cues(lexicon: Lexicon) -> None:
    cues = load_cues()
    persons, grammar, polarity, rules = cues["persons"], cues["grammar"], cues["polarity"], cues["rules"]
    kin = set(listed(persons, "kin")).difference(listed(persons, "generic"))
    lists: dict[str, Iterable[str]] = {
        "finite": (*listed(grammar, "verbs"), *listed(grammar, "finite"), *listed(grammar, "telling")),
        "negated": (*listed(polarity, "negations"), *listed(polarity, "negated")),
        "uncertain": (*listed(polarity, "uncertain"), *listed(polarity, "doubting")),
        "relative": (*kin, *listed(persons, "family")),
        "telling": listed(persons, "reporting"),
        "treatment": listed(cues["treatment"], "cues"),
        "result": listed(cues["treatment"], "result"),
        "literature": listed(cues["literature"], "cues"),
        "own": listed(cues["literature"], "own"),
        "course": listed(cues["history"]["present"], "course"),
    }
    lists |= {cue: listed(polarity, cue) for cue in _POLARITIES}
    lists |= {cue: listed(rules, cue) for cue in rules}
    lists |= {cue: listed(told, "strong") for cue, told in cues["history"].items()}
    for cue, phrases in lists.items():
        _add_cue(lexicon, cue, phrases)


def _add_cue(lexicon: Lexicon, cue: str, phrases: Iterable[str]) -> None:
    for phrase in phrases:
        if phrase.startswith("*"):
            lexicon.cue_endings[fold_stem(phrase[1:])] = CUE[cue]
        elif phrase.endswith("*") and " " not in phrase and "-" not in phrase:
            stem = fold_stem(phrase[:-1])
            lexicon.cue_stems[stem] = lexicon.cue_stems.get(stem, 0) | CUE[cue]
        else:
            lexicon.cues.add(fold_phrase(phrase), CUE[cue])

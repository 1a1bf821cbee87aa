"""A text as the rules read it: tokens with the categories and cues that each of them carries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from importlib import import_module
from itertools import accumulate, compress
from operator import add, or_, sub
from typing import Any

from extractors.rules.lexicon import (
    BIT,
    CUE,
    FINDING,
    NEVER,
    NO_CUE,
    NOTHING,
    ORGAN_BITS,
    SEVERAL,
    STEM,
    STRONG,
    WEAK,
    Known,
    Lexicon,
    PhraseTable,
)
from extractors.text.cues import LOOKALIKES, is_name
from extractors.text.folding import fold, fold_phrase

# Plain words first, which most are; the longer way is for what has numbers, accents or an apostrophe.
_TOKEN = re.compile(
    r"([A-Za-z]++(?!['’\d]|[^\W_])|[^\W_]+(?:['’][^\W_]+|(?<=\d)[.,·]\d+)*|[.,;:!?()\[\]|=<>%\n])"
)
_SIGNS = frozenset(".,;:!?()[]|=<>%\n")
_FOLDED = Known(lambda token: "" if token in _SIGNS else fold(token))
_SIGN = Known(lambda token: token if token in _SIGNS else "")

# A test or substance inside a longer phrase ("bone marrow biopsy") stays a test.
_RESULTS = BIT["Lab_Image"]
_LOOKALIKES = LOOKALIKES | {"negative"}
_INSTITUTION, _PSEUDO = CUE["institution"], CUE["pseudo"]
_DENYING = CUE["negated"] | CUE["denied"] | CUE["behind"]
_AROUND_NAMES = CUE["finite"] | CUE["stop"] | CUE["site"]
_ABNORMAL = CUE["abnormal"]
# What may lack what should be there, of which the ontology knows so many words; whose it may be, and of what.
_LACKING, _NAMED = frozenset("absent absence lack lacked lacking missing no without".split()), 5
_WAS, _OF = frozenset({"is", "are", "was", "were"}), frozenset("of in on to from over at for with".split())
_WHICH = frozenset("a an the his her both all any left right bilateral either".split())
_AROUND = _AROUND_NAMES | CUE["frame"] | CUE["link"]


@dataclass(slots=True)
class Reading:
    """Parallel lists over the tokens of one text.

    `words` holds folded words, "" for punctuation, whose sign is in `signs`; the other lists hold masks.
    """

    text: str
    starts: list[int]
    ends: list[int]
    words: list[str]
    signs: list[str]
    strong: list[int]
    weak: list[int]
    cues: list[int]

    def masks(self, first: int, last: int) -> tuple[int, int]:
        """Strong and weak categories of the tokens `first` to `last` (exclusive)."""
        return reduce(or_, self.strong[first:last], 0), reduce(or_, self.weak[first:last], 0)


def read(text: str, lexicon: Lexicon, local: PhraseTable | None = None) -> Reading:
    """Tokenise `text` and look every phrase up; `local` holds phrases that hold in this report only."""
    reading = cut(text)
    mark_categories(reading, lexicon, local)
    mark_cues(reading, lexicon)
    return reading


def cut(text: str) -> Reading:
    """The tokens of `text`, in which nothing is looked up yet."""
    pieces = _TOKEN.split(text)  # what stands between, a word or sign, and so on
    found = pieces[1::2]
    signs = list(map(_SIGN.__getitem__, found))
    words = list(map(_FOLDED.__getitem__, found))
    lengths = list(map(len, found))
    ends = list(accumulate(map(add, map(len, pieces[::2]), lengths)))
    starts = list(map(sub, ends, lengths))
    size = len(words)
    return Reading(text, starts, ends, words, signs, [0] * size, [0] * size, [0] * size)


def _silence_institutions(reading: Reading, named: Sequence[int]) -> None:
    """The name of a hospital or doctor speaks for no organ: Department of Neurology, a cardiac surgeon."""
    words, cues = reading.words, reading.cues
    for index in named:
        first = last = index
        while first and words[first - 1] and not cues[first - 1] & _AROUND:
            first -= 1
        if words[index + 1 : index + 2] == ["of"]:
            last = index + 2
            while last < len(words) and words[last] and not cues[last] & _AROUND_NAMES:
                last += 1
            last -= 1
        for place in range(first, last + 1):
            reading.strong[place] &= ~ORGAN_BITS & ~FINDING & ~_RESULTS
            reading.weak[place] &= ~ORGAN_BITS & ~_RESULTS


def mark_categories(reading: Reading, lexicon: Lexicon, local: PhraseTable | None = None) -> None:
    """The longest phrase speaks for its words; words' beginnings count only where no phrase has them."""
    words = reading.words
    own = local.longest if local is not None else {}
    covered = 0
    silenced = silenced_to = 0
    for index, of_word in enumerate(map(lexicon.known_words.__getitem__, words)):
        defined = own and words[index] in own
        if of_word is NOTHING and not defined:
            continue
        known, strong, weak = of_word
        if index >= silenced_to:
            silenced = 0
        if known & NEVER:
            length, never = lexicon.never.found(words, index)
            if length and index + length >= silenced_to:
                silenced, silenced_to = silenced | never, index + length
        length = 1
        if defined or (known & SEVERAL and lexicon.begins(words, index)):
            length, strong, weak = _phrase(words, index, lexicon, known, local)
        if index + length <= covered:
            reading.strong[index] |= lexicon.word_mask(words[index]) & _RESULTS & ~weak & ~silenced
            continue
        covered = max(covered, index + length)
        strong &= ~(weak | silenced)
        weak &= ~silenced
        if length == 1:
            reading.strong[index] |= strong
            reading.weak[index] |= weak
            continue
        for position in range(index, index + length):
            reading.strong[position] |= strong
            reading.weak[position] |= weak


def _phrase(
    words: list[str], index: int, lexicon: Lexicon, known: int, local: PhraseTable | None
) -> tuple[int, int, int]:
    """Number of words (at least 1), strong and weak categories of the longest phrase at `index`."""
    length, strong = lexicon.strong.found(words, index) if known & STRONG else (0, 0)
    weak_length, weak = lexicon.weak.found(words, index) if known & WEAK else (0, 0)
    if local is not None and words[index] in local.longest:
        local_length, mask = local.found(words, index)
        if local_length and local_length >= length:
            length, strong = local_length, mask
    if weak_length > length:
        length, strong = weak_length, 0
    elif weak_length < length:
        weak = 0
    if length <= 1 and known & STEM:
        strong |= lexicon.word_mask(words[index])
    return max(length, 1), strong, weak


def mark_cues(reading: Reading, lexicon: Lexicon) -> None:
    """Note every cue; the names of institutions are silenced."""
    institutions, pseudo = [], []
    words, cues = reading.words, reading.cues
    masks, pairs = lexicon.cues.masks, lexicon.cues.pairs
    for index, known in enumerate(map(lexicon.known_cues.__getitem__, words)):
        if known is NO_CUE:
            continue
        word, (mask, limit) = words[index], known
        if word in _LOOKALIKES and is_name(reading.text, reading.starts[index], word):
            continue
        if limit > 1 and " ".join(words[index : index + 2]) in pairs:
            for length in range(2, min(limit, len(words) - index) + 1):
                mask |= masks.get(" ".join(words[index : index + length]), 0)
        if mask:
            cues[index] = mask
            if mask & _INSTITUTION:
                institutions.append(index)
            if mask & _PSEUDO:
                pseudo += [index, index + 1]
    _quieten(reading, lexicon, pseudo)
    _silence_institutions(reading, institutions)


def _quieten(reading: Reading, lexicon: Lexicon, pseudo: Sequence[int]) -> None:
    """Take away what denies nothing; a denial that is a finding itself is a word of what is wrong."""
    for index in pseudo:
        reading.cues[index] &= ~_DENYING
    for index in _lacking(reading, lexicon):
        reading.cues[index] = reading.cues[index] & ~_DENYING | _ABNORMAL


def _lacking(reading: Reading, lexicon: Lexicon) -> Iterator[int]:
    """The denials that are findings to the ontology: "absent speech", "no reflexes", "the left kidney was
    absent"; not in "no kidney disease", "pain of the thumb was absent"."""
    words = reading.words
    for place in compress(range(len(words)), map(_LACKING.__contains__, words)):
        behind = words[place] == "absent" and place > 0 and words[place - 1] in _WAS
        if (behind and _was_due(reading, lexicon, place - 1)) or _is_due(reading, lexicon, place):
            yield place


def _was_due(reading: Reading, lexicon: Lexicon, verb: int) -> bool:
    """Whether what stands before a verb should be there: "the left kidney was"."""
    words = reading.words
    for first in range(max(0, verb - _NAMED), verb):
        if " ".join(words[first:verb]) in lexicon.lacks.masks:
            before = next((at for at in range(first - 1, -1, -1) if words[at] not in _WHICH), -1)
            return before < 0 or words[before] not in _OF
    return False


def _is_due(reading: Reading, lexicon: Lexicon, denial: int) -> bool:
    """Whether what a denial speaks of should be there: "no reflexes", "absence of the corpus callosum"."""
    words, last = reading.words, len(reading.words)
    first = denial + 1 + (words[denial + 1 : denial + 2] == ["of"])
    while first < last and words[first] in _WHICH:
        first += 1
    end = first + (lexicon.lacks.found(words, first)[0] if first < last else 0)
    if end == first:
        return False
    ends = end == last or reading.signs[end] or reading.cues[end] & _AROUND_NAMES
    listed = end < last and (reading.signs[end] == "," or words[end] in ("and", "or"))
    return bool(ends) and not (listed and words[denial] in ("no", "without"))


_WITHOUT = "scispaCy is not installed, so abbreviations that a report defines itself are not resolved."
_LONGEST = 3000
# The detector's own search compares every "(" with every ")" after it; it is given what may define one.
_BEFORE = 150
_DEFINITION = re.compile(r"\(\s*(?=[^()]{0,10}[A-Z])[^\W_][\w/-]{1,9}\s*\)")


class Abbreviations:
    """Finds "long form (SHORT)" and gives the short form the categories of the long one."""

    def __init__(self) -> None:
        self._tools, self.notes = _tools()

    def add(self, sentence: str, lexicon: Lexicon, table: PhraseTable) -> None:
        """Add to `table` what the abbreviations defined in `sentence` stand for."""
        for short, long in self.pairs(sentence):
            strong = 0
            for mask in read(long, lexicon).strong:
                strong |= mask
            phrase = fold_phrase(short)
            if strong and phrase:
                table.add(phrase, strong)

    def pairs(self, sentence: str) -> Iterator[tuple[str, str]]:
        """The short forms that a sentence defines, each with its long form."""
        if self._tools is None or len(sentence) > _LONGEST:
            return
        cut, candidates, matched = self._tools
        for found in _DEFINITION.finditer(sentence):
            words = cut(sentence[_begin(sentence, found) : found.end()])
            opened = max((at for at, word in enumerate(words) if word.text == "("), default=-1)
            if opened < 0:
                continue  # "syndrome(ABC)" is one word to spaCy
            for long, short in candidates([(0, opened + 1, len(words) - 1)], words):
                _, form = matched(long, short)
                if form is not None:
                    yield short.text, form.text


def _begin(sentence: str, found: re.Match[str]) -> int:
    """Where to begin so that all words are there among which the detector looks for the long form."""
    begin, length = max(0, found.start() - _BEFORE), len(found.group()) - 2
    words = min(length + 5, 2 * length)
    before = sentence[begin : found.start()].rsplit(None, words + 1)
    return begin + len(before[0]) if len(before) > words + 1 else begin


def _tools() -> tuple[tuple[Any, Any, Any] | None, tuple[str, ...]]:
    """spaCy's tokeniser and the two steps of the detector: candidates, and which of them fit."""
    try:
        detector = import_module("scispacy.abbreviation")  # without type stubs
    except ImportError:
        return None, (_WITHOUT,)
    return (_tokeniser(), detector.filter_matches, detector.find_abbreviation), ()


@cache
def _tokeniser() -> Any:  # noqa: ANN401 (spaCy says no more of it)
    """Making it takes as long as reading ten reports."""
    import spacy

    return spacy.blank("en").tokenizer

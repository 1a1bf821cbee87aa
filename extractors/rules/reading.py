"""A text as the rules read it: tokens with the categories and cues that each of them carries."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extractors.rules.lexicon import BIT, CUE, FINDING, ORGAN_BITS, Lexicon, PhraseTable
from extractors.text.folding import fold

_TOKEN = re.compile(r"([^\W_]+(?:['’][^\W_]+|(?<=\d)[.,·]\d+)*)|([.,;:!?()\[\]|=<>%]|\n)")

# A test or substance inside a longer phrase ("bone marrow biopsy") stays a test.
_RESULTS = BIT["Lab_Image"]
_INSTITUTION = CUE["institution"]
_AROUND_NAMES = CUE["finite"] | CUE["stop"] | (CUE["site"] & ~0)
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
        strong = weak = 0
        for index in range(first, last):
            strong |= self.strong[index]
            weak |= self.weak[index]
        return strong, weak


def read(text: str, lexicon: Lexicon, local: PhraseTable | None = None) -> Reading:
    """Tokenise `text` and look every phrase up; `local` holds phrases that hold in this report only."""
    starts: list[int] = []
    ends: list[int] = []
    words: list[str] = []
    signs: list[str] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        starts.append(start)
        ends.append(end)
        if match.lastindex == 1:
            words.append(fold(text[start:end]))
            signs.append("")
        else:
            words.append("")
            signs.append(text[start:end])
    size = len(words)
    reading = Reading(text, starts, ends, words, signs, [0] * size, [0] * size, [0] * size)
    _mark_categories(reading, lexicon, local)
    _mark_cues(reading, lexicon)
    _silence_institutions(reading)
    return reading


def _silence_institutions(reading: Reading) -> None:
    """The name of a hospital or doctor speaks for no organ: Department of Neurology, a cardiac surgeon."""
    words, cues = reading.words, reading.cues
    for index, cue in enumerate(cues):
        if not cue & _INSTITUTION:
            continue
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


def _longest(words: list[str], index: int, table: PhraseTable) -> tuple[int, int]:
    """Number of words and mask of the table's longest phrase at `index`; (0, 0) without one."""
    limit = table.longest.get(words[index], 0)
    if not limit:
        return 0, 0
    masks = table.masks
    for length in range(min(limit, len(words) - index), 1, -1):
        mask = masks.get(" ".join(words[index : index + length]))
        if mask is not None:
            return length, mask
    mask = masks.get(words[index])
    return (0, 0) if mask is None else (1, mask)


def _mark_categories(reading: Reading, lexicon: Lexicon, local: PhraseTable | None) -> None:
    """The longest phrase speaks for its words; words' beginnings count only where no phrase has them."""
    words = reading.words
    covered = 0
    silenced = silenced_to = 0
    for index, word in enumerate(words):
        if not ((word and lexicon.knows(word)) or (local is not None and word in local.longest)):
            continue
        if index >= silenced_to:
            silenced = 0
        length, never = _longest(words, index, lexicon.never)
        if length and index + length >= silenced_to:
            silenced, silenced_to = silenced | never, index + length
        length, strong, weak = _phrase(words, index, lexicon, local)
        if index + length <= covered:
            reading.strong[index] |= lexicon.word_mask(word) & _RESULTS & ~weak & ~silenced
            continue
        covered = max(covered, index + length)
        strong &= ~(weak | silenced)
        weak &= ~silenced
        for position in range(index, index + length):
            reading.strong[position] |= strong
            reading.weak[position] |= weak


def _phrase(
    words: list[str], index: int, lexicon: Lexicon, local: PhraseTable | None
) -> tuple[int, int, int]:
    """Number of words (at least 1), strong and weak categories of the longest phrase at `index`."""
    length, strong = _longest(words, index, lexicon.strong)
    weak_length, weak = _longest(words, index, lexicon.weak)
    if local is not None:
        local_length, mask = _longest(words, index, local)
        if local_length and local_length >= length:
            length, strong = local_length, mask
    if weak_length > length:
        length, strong = weak_length, 0
    elif weak_length < length:
        weak = 0
    if length <= 1:
        strong |= lexicon.word_mask(words[index])
    return max(length, 1), strong, weak


def _mark_cues(reading: Reading, lexicon: Lexicon) -> None:
    words, cues, table = reading.words, reading.cues, lexicon.cues
    masks, longest = table.masks, table.longest
    for index, word in enumerate(words):
        if not word:
            continue
        mask = lexicon.word_cues(word)
        limit = longest.get(word, 0)
        if limit:
            mask |= masks.get(word, 0)
            for length in range(2, min(limit, len(words) - index) + 1):
                mask |= masks.get(" ".join(words[index : index + length]), 0)
        cues[index] = mask

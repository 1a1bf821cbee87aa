"""How many tokens a text or picture is to a model: estimated by vocabularies, mended by servers' counts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache

from extractors.llm.types import Vocabulary
from extractors.tasks.base import Prompt

# By the beginning of the family's name. Of those that cut a picture into squares of 28 pixels: the most that
# servers give (0.24), and the least (0.33), so that neither is planned too short.
# LLaVA's next looks at a picture as a whole and at its quarters.
FIXED = {"gemma3": 256, "gemma4": 288, "mllama": 1601, "llava-next": 2880, "llava": 576}
SIDE, LEAST, MOST = 28, 1024, 2675
# Cheaper than with any model: what a picture adds to a prompt at the least, if it was looked at.
LEAST_TOKENS = 32
# These look at the first picture of a call only, or take no second one.
FIRST_ONLY = ("llava", "granite", "mllama")

# What a chat template puts around the two turns: role marks, begin and end, at most a default system text.
TEMPLATE_TOKENS = 100
# A ratio beyond these speaks of a misunderstanding, not of a tokenizer.
LEAST_SCALE, GREATEST_SCALE = 1.0, 4.0

# Words carry the space before them, as tokens do; other white space stands alone.
_WORD = re.compile(r" ?\S+|\s+?(?= ?\S)|\s+")
_PROSE = re.compile(r"[A-Za-z\s]+")
_ASCII = re.compile(r"[\x00-\x7f]+")
_PROSE_LETTERS, _SIGNS, _BYTES = 3.3, 1.1, 2.0


def picture_tokens(family: str, width: int, height: int) -> int:
    """Tokens of one picture of that size in pixels."""
    for name, tokens in FIXED.items():
        if family.startswith(name):
            return tokens
    return min(max(-(-width // SIDE) * -(-height // SIDE), LEAST), MOST)


def sees_first_only(family: str) -> bool:
    """Whether models of the family are known to look at the first of several pictures only."""
    return family.startswith(FIRST_ONLY)


class TokenCounter:
    """Counts tokens as a model would, near enough to plan by.

    With a vocabulary each word is taken apart greedily, the longest known token first, which agrees with
    byte-pair merges to a few percent. Without one, 3.3 plain letters or blanks, 1.1 digits or signs (many
    models take digits one by one), or 2 UTF-8 bytes of anything else are taken for a token: more tokens than
    most models need.
    """

    def __init__(self, vocabulary: Vocabulary | None, family: str = "") -> None:
        self.scale = LEAST_SCALE
        self._family, self._dearer = family, 1.0
        self._speller = _Speller(vocabulary) if vocabulary and vocabulary.tokens else None
        self._words: dict[str, int] = {}
        # One prompt is counted before its call, and several times when the answer has come.
        self._kept = lru_cache(maxsize=64)(self._unscaled)

    def count(self, text: str) -> int:
        """Tokens of `text`, scaled by what was learnt."""
        return math.ceil(self.unscaled(text) * self.scale)

    def unscaled(self, text: str) -> int:
        """Tokens of `text` before anything was learnt."""
        return self._kept(text)

    def _unscaled(self, text: str) -> int:
        if self._speller is None:
            return math.ceil(_by_rule(text))
        known, total = self._words, 0
        for word in _WORD.findall(text):
            number = known.get(word)
            if number is None:
                number = known[word] = self._speller.tokens(word)
            total += number
        return total

    def pictures(self, prompt: Prompt) -> int:
        """Tokens of a prompt's pictures: what is known of the model's family, or more as was learnt."""
        return math.ceil(self._dearer * self._planned(prompt))

    def least(self, prompt: Prompt) -> int:
        """Tokens of a prompt before anything was learnt, its pictures as cheap as with any model."""
        return self.unscaled(prompt.system + prompt.user) + LEAST_TOKENS * len(prompt.pictures)

    def learn_pictures(self, prompt: Prompt, counted: int) -> None:
        """Take in what the server counted for the pictures of a prompt; the dearest seen holds."""
        if planned := self._planned(prompt):
            self._dearer = max(self._dearer, counted / planned)

    def _planned(self, prompt: Prompt) -> int:
        return sum(picture_tokens(self._family, one.width, one.height) for one in prompt.pictures)

    def learn(self, estimated: int, counted: int) -> None:
        """Take in the server's own count of a text that was estimated, unscaled, at `estimated` tokens.

        The greatest ratio seen holds, within LEAST_SCALE and GREATEST_SCALE.
        """
        if estimated > 0:
            self.scale = min(max(self.scale, counted / estimated), GREATEST_SCALE)


class _Speller:
    """Finds a model's tokens in a word, as its tokenizer spells them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._bytes = vocabulary.kind == "gpt2"
        self._known = vocabulary.tokens - vocabulary.control
        self._longest = _longest(self._known)

    def tokens(self, word: str) -> int:
        """Tokens of one word with the space before it."""
        spelled = _as_letters(word) if self._bytes else word.replace(" ", "▁")
        number, place, size = 0, 0, len(spelled)
        while place < size:
            length = min(self._longest.get(spelled[place], 1), size - place)
            while length > 1 and spelled[place : place + length] not in self._known:
                length -= 1
            number += self._single(spelled[place]) if length == 1 else 1
            place += length
        return number

    def _single(self, letter: str) -> int:
        if self._bytes or letter in self._known:
            return 1
        return len(_utf8(letter))


def _longest(tokens: Iterable[str]) -> dict[str, int]:
    """First letter -> length of the longest token that begins with it."""
    longest: dict[str, int] = {}
    for token in tokens:
        if len(token) > longest.get(token[:1], 1):
            longest[token[0]] = len(token)
    return longest


def _letters() -> dict[int, str]:
    """GPT-2's letters for the bytes that do not print: the code points from 256 on, in byte order."""
    printing = {*range(33, 127), *range(161, 173), *range(174, 256)}
    silent = [byte for byte in range(256) if byte not in printing]
    return {byte: chr(256 + place) for place, byte in enumerate(silent)}


_LETTERS = _letters()


def _as_letters(word: str) -> str:
    return _utf8(word).decode("latin-1").translate(_LETTERS)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _by_rule(text: str) -> float:
    rest = _PROSE.sub("", text)
    foreign = _ASCII.sub("", rest)
    prose, signs = len(text) - len(rest), len(rest) - len(foreign)
    return prose / _PROSE_LETTERS + signs / _SIGNS + len(_utf8(foreign)) / _BYTES

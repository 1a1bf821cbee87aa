"""Abbreviations that a report defines itself, by the algorithm of Schwartz and Hearst (PSB 2003)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extractors.rules.lexicon import Lexicon, PhraseTable
from extractors.rules.reading import read
from extractors.text.folding import fold_phrase

_LONGEST = 3000
# How many characters before its short form a long form may begin.
_BEFORE = 150
_DEFINITION = re.compile(r"\(\s*(?=[^()]{0,10}[A-Z])([^\W_][\w/-]{1,8})\s*\)")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\w+(?:['’]\w+)?|[^\w\s]")
# "CK-MB" and "A/B" are several words.
_SEVERAL = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|/(?=[^\W\d_])")


def add_defined(sentence: str, lexicon: Lexicon, table: PhraseTable) -> None:
    """Add to `table` what the abbreviations defined in `sentence` stand for."""
    for short, long in defined(sentence):
        strong = 0
        for mask in read(long, lexicon).strong:
            strong |= mask
        phrase = fold_phrase(short)
        if strong and phrase:
            table.add(phrase, strong)


def defined(sentence: str) -> Iterator[tuple[str, str]]:
    """The short forms that a sentence defines in brackets, each with its long form before them."""
    for found in _DEFINITION.finditer(sentence) if len(sentence) <= _LONGEST else ():
        short, opened = found[1], found.start()
        letters = sum(map(str.isalpha, short))
        clings = sentence[opened - 1 : opened].isalnum()  # "syndrome(ABC)" is one word
        if clings or not short[0].isalpha() or 2 * letters < len(short) or _SEVERAL.search(short):
            continue
        long = _long_form(sentence, opened, short)
        if long:
            yield short, long


def _long_form(sentence: str, opened: int, short: str) -> str:
    """The words before a bracket in which a short form's letters stand in order, the first where a word
    begins; "" where there are none."""
    most = min(len(short) + 5, 2 * len(short))
    words = list(_TOKEN.finditer(sentence, max(0, opened - _BEFORE), opened))[-most:]
    if not words:
        return ""
    begin, end = words[0].start(), words[-1].end()
    text = sentence[begin:end].lower()
    at = len(text)
    for character in reversed(short[1:].lower()):
        if character.isalnum():
            at = text.rfind(character, 0, at)
            if at < 0:
                return ""
    first = text.rfind(short[0].lower(), 0, at)
    while first > 0 and text[first - 1].isalnum():
        first = text.rfind(short[0].lower(), 0, first)
    if first < 0:
        return ""
    start = next(word.start() for word in words if word.end() > begin + first)
    return sentence[start:end]

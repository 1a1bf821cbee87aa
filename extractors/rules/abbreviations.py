"""Abbreviations that a report defines itself, through the two steps of scispaCy's detector."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from extractors.rules.lexicon import Lexicon, PhraseTable
from extractors.rules.reading import read
from extractors.text.folding import fold_phrase

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

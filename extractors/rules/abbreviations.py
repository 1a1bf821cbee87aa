"""Abbreviations that a report defines itself, through scispaCy's detector on a blank spaCy pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from extractors.rules.lexicon import Lexicon, PhraseTable
from extractors.rules.reading import read
from extractors.text.folding import fold_phrase

_WITHOUT = "scispaCy is not installed, so abbreviations that a report defines itself are not resolved."
_LONGEST = 3000
# The detector compares every "(" with every ")" after it: it is given one sentence at a time, and only those
# that can define an abbreviation.
_DEFINITION = re.compile(r"\(\s*(?=[^()]{0,10}[A-Z])[^\W_][\w/-]{1,9}\s*\)")


class Abbreviations:
    """Finds "long form (SHORT)" and gives the short form the categories of the long one."""

    def __init__(self) -> None:
        self._pipeline, self.notes = _pipeline()

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
        if self._pipeline is None or len(sentence) > _LONGEST or not _DEFINITION.search(sentence):
            return
        for span in self._pipeline(sentence)._.abbreviations:
            yield span.text, span._.long_form.text


def _pipeline() -> tuple[Any, tuple[str, ...]]:
    try:
        import_module("scispacy.abbreviation")  # registers the pipe; without type stubs
    except ImportError:
        return None, (_WITHOUT,)
    import spacy

    pipeline = spacy.blank("en")
    detector: Any = pipeline.add_pipe("abbreviation_detector")
    # Without any pattern spaCy's matcher warns on every sentence that defines none; this one never matches.
    detector.global_matcher.add("none", [[{"ORTH": "\x00"}]])
    return pipeline, ()

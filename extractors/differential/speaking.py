"""Where a text speaks of diseases, in sentences of whatever language: by their own names or a family's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from extractors.differential.families import names_above
from extractors.differential.knowledge import shipped_naming
from extractors.differential.wording import Words, alike_key, words_in

_WORD = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*")
_MOST = 14
# So short a name is an abbreviation, and no word of a language.
_SHORT = 4
# A name neither begins nor ends with these, though they may stand within.
_BETWEEN = frozenset("the a of and with due to in de du di von".split())


def places_of_diseases(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each name, the longest that begins at a word."""
    words = [match.span() for match in _WORD.finditer(text)]
    at = 0
    while at < len(words):
        ends = range(min(at + _MOST, len(words)), at, -1)
        end = next((end for end in ends if _named(text, words[at:end])), at)
        # Of "Morbus Fabry, Morbus Gaucher" the second "Morbus" would do no harm to the first name.
        while end > at + 1 and _parted(text, words[end - 2 : end]) and _named(text, words[at : end - 1]):
            end -= 1
        if end > at:
            yield words[at][0], words[end - 1][1]
        at = max(end, at + 1)


def _parted(text: str, words: Sequence[tuple[int, int]]) -> bool:
    (_, before), (after, _) = words
    return not text[before:after].isspace()


def _named(text: str, words: Sequence[tuple[int, int]]) -> bool:
    stretch = text[words[0][0] : words[-1][1]]
    edges = {text[start:end].casefold() for start, end in (words[0], words[-1])}
    if not _BETWEEN.isdisjoint(edges) or (len(stretch) <= _SHORT and not stretch.isupper()):
        return False
    return alike_key(words_in(stretch)) in _called()


@lru_cache(maxsize=1)
def _called() -> frozenset[Words]:
    """What tells every disease that has a name, and every family."""
    naming = shipped_naming()
    names = [name for number in range(len(naming.diseases)) for name in naming.names(number)]
    keys = {alike_key(words_in(one)) for name in names for one in (name, *names_above(name))}
    return frozenset(key for key in keys if any(len(word) > 2 and word.isalpha() for word in key))

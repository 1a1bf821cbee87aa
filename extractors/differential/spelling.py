"""What may have been meant by misspelt words of a disease's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice, product

from extractors.differential.wording import Words, key_of, may_be_misspelt, words_in

# Words of so many letters may have one slip, of so many two (and then begin alike); what is a word of some
# disease's name has none.
_ONE_SLIP, _TWO_SLIPS = 5, 10
_CORRECTIONS = 64
_USUAL = 100
_ALIKE, _SAME = 85.0, 100.0


class Spelling:
    """Corrects words by those of all names."""

    def __init__(self, names: Iterable[Words]) -> None:
        words = Counter(word for name in names for word in name if may_be_misspelt(word))
        self._often = Counter(dict(sorted(words.items())))
        self._usual = [word for word, often in self._often.items() if often >= _USUAL]
        # The forms of a text have most words in common, and a slip makes no word much longer or shorter.
        self._meant = lru_cache(maxsize=4096)(self._words_meant)
        self._long_as = lru_cache(maxsize=256)(self._words_long_as)

    def corrected(self, words: Words) -> list[tuple[int, Words]]:
        """What may have been meant by words of which some are in no name, the fewest slips first."""
        choices = [self._meant(word) for word in words]
        if not any(slips for each in choices for slips, _ in each) or not all(choices):
            return []
        made = (
            (sum(slips for slips, _ in each), tuple(word for _, word in each)) for each in product(*choices)
        )
        return list(islice(made, _CORRECTIONS))

    def _words_long_as(self, length: int, most: int) -> list[str]:
        return [word for word in self._often if abs(len(word) - length) <= most]

    def _words_meant(self, word: str) -> list[tuple[int, str]]:
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        often = self._often[word]
        if not may_be_misspelt(word) or often > 1 or len(word) < _ONE_SLIP - (not often):
            return [(0, word)]
        # Names have slips, too: one has "sydrome", thousands "syndrome".
        most = 2 if len(word) >= _TWO_SLIPS and not often else 1
        words = self._usual if often else self._long_as(len(word), most)
        near = extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=4)
        meant = [
            (int(slips), one)
            for one, slips, _ in near
            if len(one) >= _ONE_SLIP and (slips < 2 or one[0] == word[0])
        ]
        return [(0, word), *meant] if often or not meant else meant


def alike(text: str, names: Iterable[str], others: Iterable[str] = ()) -> str:
    """By what a text is one of some names that no index has, "name" or "spelling"; "" where it is none, or
    is nearer to one of the others."""
    from rapidfuzz.fuzz import ratio

    key = " ".join(key_of(words_in(text)))

    def nearest(listed: Iterable[str]) -> float:
        return max((ratio(key, " ".join(key_of(words_in(one)))) for one in listed), default=0.0)

    wanted = set(names)
    near = nearest(wanted)
    if not key or near < _ALIKE or near <= nearest(set(others) - wanted):
        return ""
    return "name" if near == _SAME else "spelling"

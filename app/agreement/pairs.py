"""Similarities of quotes, computed for all pairs of a table at once on every core."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

Texts = Sequence[Sequence[str]]

_LATIN_1 = {code: None for code in range(128, 256)}
_NOT_WORD = re.compile(r"\W")


def prepared(texts: Texts) -> list[list[str]]:
    """Quotes as fuzzywuzzy's `full_process(force_ascii=True)` sees them, lower-cased first as the paper does.

    Characters 128-255 vanish, whatever else is no letter, digit or underscore becomes a space.
    """
    from rapidfuzz.utils import default_process

    def prepare(text: str) -> str:
        lowered = text.lower()
        if not lowered.isascii():
            lowered = lowered.translate(_LATIN_1)
        if lowered.isascii() and "_" not in lowered:
            return default_process(lowered)  # the same, and faster
        return _NOT_WORD.sub(" ", lowered).lower().strip()

    return [[prepare(text) for text in cell] for cell in texts]


def words(text: str) -> list[str]:
    """The words of a text, lower case, without punctuation; accents stay (unlike in `prepared`)."""
    lowered = text.lower()
    return _NOT_WORD.sub(" ", lowered if lowered.isascii() else unicodedata.normalize("NFC", lowered)).split()


def token_set_ratios(left: Texts, right: Texts) -> list[Matrix]:
    """fuzzywuzzy's `token_set_ratio`, whole numbers 0-100: one matrix (left x right quotes) per cell."""
    return _matrices(_token_set_scores(left, right), left, right)


def best_token_set_ratios(left: Texts, right: Texts) -> list[list[float]]:
    """The greatest value of each row of `token_set_ratios`, cell by cell; no side may be empty."""
    import numpy as np

    starts, _ = _rows(left, right)
    return _by_cell(np.maximum.reduceat(_token_set_scores(left, right), starts), left) if len(starts) else []


def _token_set_scores(left: Texts, right: Texts) -> Matrix:
    import numpy as np
    from rapidfuzz import fuzz

    queries, choices = _pairs(prepared(left), prepared(right))
    scores = _score(queries, choices, fuzz.token_set_ratio)
    # Halves are where a last-bit difference between two correct formulas would round to another whole number.
    for place in np.flatnonzero(np.abs(scores % 1.0 - 0.5) < 1e-6).tolist():
        scores[place] = _token_set_ratio(queries[place], choices[place])
    return np.rint(scores)


def levenshtein_similarities(left: Texts, right: Texts) -> list[Matrix]:
    """1 - edit distance / longer length, case-sensitive, unrounded: one matrix per cell."""
    from rapidfuzz.distance import Levenshtein

    return _matrices(_score(*_pairs(left, right), Levenshtein.normalized_similarity), left, right)


def best_levenshtein(left: Texts, right: Texts) -> list[list[float]]:
    """The greatest value of each row of `levenshtein_similarities`, cell by cell; no side may be empty.

    An edit distance is never below longer length - longest common subsequence, which costs a fifth of the
    time; so only the pairs that this bound leaves in the running are measured.
    """
    import numpy as np
    from rapidfuzz.distance import LCSseq, Levenshtein

    queries, choices = _pairs(left, right)
    starts, row = _rows(left, right)
    if not len(starts):
        return []
    bounds = _score(queries, choices, LCSseq.normalized_similarity)
    best = np.zeros(len(starts))
    candidates = np.flatnonzero(bounds == np.maximum.reduceat(bounds, starts)[row])
    while candidates.size:
        some = candidates.tolist()
        scores = _score(
            [queries[n] for n in some], [choices[n] for n in some], Levenshtein.normalized_similarity
        )
        np.maximum.at(best, row[candidates], scores)
        bounds[candidates] = -1.0
        candidates = np.flatnonzero(bounds > best[row])
    return _by_cell(best, left)


def indel_similarities(left: Texts, right: Texts) -> list[Matrix]:
    """Normalised Indel similarity 0-1 of the quotes' words joined by spaces: one matrix per cell."""
    from rapidfuzz.distance import Indel

    ours, theirs = ([[_normalised(text) for text in cell] for cell in side] for side in (left, right))
    return _matrices(_score(*_pairs(ours, theirs), Indel.normalized_similarity), left, right)


def _normalised(text: str) -> str:
    """The words of a text, or the text itself where it has none, so that "+++" is not taken for "---"."""
    return " ".join(words(text)) or text


def _token_set_ratio(left: str, right: str) -> float:
    """fuzzywuzzy's formula for one pair of prepared strings, the unrounded greatest of its three ratios."""
    from rapidfuzz.distance import Indel

    ours, theirs = set(left.split()), set(right.split())
    shared = " ".join(sorted(ours & theirs))
    both = [f"{shared} {' '.join(sorted(rest))}".strip() for rest in (ours - theirs, theirs - ours)]
    pairs = ((shared, both[0]), (shared, both[1]), (both[0], both[1]))
    return max(100 * Indel.normalized_similarity(a, b) if a and b else 0.0 for a, b in pairs)


def _pairs(left: Texts, right: Texts) -> tuple[list[str], list[str]]:
    """Every left quote against every right quote of its cell, row by row."""
    queries: list[str] = []
    choices: list[str] = []
    for ours, theirs in zip(left, right, strict=True):
        queries += chain.from_iterable(repeat(quote, len(theirs)) for quote in ours)
        choices += theirs * len(ours) if isinstance(theirs, list) else list(theirs) * len(ours)
    return queries, choices


def _rows(left: Texts, right: Texts) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each left quote's pairs start among all pairs, and for each pair the number of its left quote."""
    import numpy as np

    widths = [len(theirs) for ours, theirs in zip(left, right, strict=True) for _ in ours]
    return np.cumsum([0, *widths])[:-1], np.repeat(np.arange(len(widths)), widths)


def _by_cell(values: Matrix, left: Texts) -> list[list[float]]:
    """One value per left quote, cut into cells."""
    each = iter(values.tolist())
    return [[next(each) for _ in ours] for ours in left]


def _score(queries: list[str], choices: list[str], scorer: Callable[..., Any]) -> Matrix:
    import numpy as np
    from rapidfuzz import process

    scores: Matrix = process.cpdist(queries, choices, scorer=scorer, dtype=np.float64, workers=-1)
    return scores


def _matrices(scores: Matrix, left: Texts, right: Texts) -> list[Matrix]:
    """The flat scores of `_pairs` cut into one matrix per cell."""
    matrices: list[Matrix] = []
    start = 0
    for ours, theirs in zip(left, right, strict=True):
        end = start + len(ours) * len(theirs)
        matrices.append(scores[start:end].reshape(len(ours), len(theirs)))
        start = end
    return matrices

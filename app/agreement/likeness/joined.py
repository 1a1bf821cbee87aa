"""BLEU and ROUGE-L over the joined quotes of a report in a category, for many cells at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

from app.agreement.likeness.pairs import Texts, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_ORDERS = 4  # sacrebleu's own default


@dataclass(frozen=True, slots=True)
class JoinedScores:
    """BLEU-1, BLEU-4 and ROUGE-L, each 0-1."""

    bleu_1: float
    bleu_4: float
    rouge_l: float


ALIKE, UNJOINED = JoinedScores(1.0, 1.0, 1.0), JoinedScores(0.0, 0.0, 0.0)


def joined_scores(left: Texts, right: Texts) -> list[JoinedScores]:
    """Of each cell, left as the candidate, right as the only reference, over the words of the quotes joined.

    BLEU (Papineni 2002) comes from sacrebleu: exponential smoothing of orders without a match, orders that
    a short text cannot have left out ("effective order"), so that equal texts score 1 however short.
    ROUGE-L (Lin 2004) is its F with beta 1: twice the longest common subsequence over the words of both
    sides. Texts without any word score 1 if the quotes are equal and 0 otherwise.
    """
    scores = [
        ALIKE if list(ours) == list(theirs) else UNJOINED for ours, theirs in zip(left, right, strict=True)
    ]
    candidates, references, places = list[list[str]](), list[list[str]](), list[int]()
    for place, score in enumerate(scores):
        if score is UNJOINED:
            ours, theirs = words(" ".join(left[place])), words(" ".join(right[place]))
            if ours and ours == theirs:
                scores[place] = ALIKE
            elif ours and theirs:
                candidates.append(ours)
                references.append(theirs)
                places.append(place)
    for place, score in zip(places, _scored(candidates, references), strict=True):
        scores[place] = score
    return scores


def _scored(left: Sequence[list[str]], right: Sequence[list[str]]) -> list[JoinedScores]:
    """The scores of texts that have words."""
    from rapidfuzz.distance import LCSseq
    from sacrebleu.metrics.bleu import BLEU

    found = []
    for ours, theirs, matches in zip(left, right, shared_runs(left, right, _ORDERS), strict=True):
        totals = [max(len(ours) - order, 0) for order in range(_ORDERS)]
        lengths = len(ours), len(theirs)
        # sacrebleu's score; the runs are counted here because sacrebleu takes many times as long.
        bleu = BLEU.compute_bleu(matches, totals, *lengths, smooth_method="exp", effective_order=True)
        common = LCSseq.similarity(ours, theirs)
        bleu_1, bleu_4 = bleu.bp * bleu.precisions[0] / 100, min(bleu.score / 100, 1.0)
        found.append(JoinedScores(bleu_1, bleu_4, 2 * common / sum(lengths)))
    return found


def shared_runs(
    left: Sequence[Sequence[str]], right: Sequence[Sequence[str]], orders: int
) -> list[list[int]]:
    """How many runs of 1, 2, ... words two texts share, as often as both have them: a row for each pair."""
    import numpy as np

    if not left:
        return []
    number: defaultdict[str, int] = defaultdict(count().__next__)
    words = np.fromiter(map(number.__getitem__, chain.from_iterable((*left, *right))), np.int64)
    lengths = np.array([[len(text) for text in side] for side in (left, right)], np.int64)
    ends = np.repeat(np.cumsum(lengths), lengths.ravel())
    places, pairs = np.arange(len(words)), np.arange(len(left))
    # A run is a number: its pair and its words, one after the other as digits.
    runs, bound = np.repeat(np.tile(pairs, 2), lengths.ravel()), len(left)
    shared = np.zeros((len(left), orders), np.int64)
    for order in range(orders):
        if bound * len(number) >= 1 << 62:
            distinct, runs = np.unique(runs, return_inverse=True)
            bound = len(distinct)
        there = places + order < ends[places]
        places = places[there]
        runs, bound = runs[there] * len(number) + words[places + order], bound * len(number)
        shared[:, order] = _matches(
            runs, places >= lengths[0].sum(), np.maximum(lengths - order, 0).sum(axis=0)
        )
    result: list[list[int]] = shared.tolist()
    return result


def _matches(runs: Numbers, right: NDArray[np.bool_], sizes: Numbers) -> Numbers:
    """Runs that the left and the right of each pair have both, of `sizes` runs in order of the pairs."""
    import numpy as np

    ordered = np.sort(2 * runs + right)
    starts = np.flatnonzero(np.append(True, ordered[1:] >> 1 != ordered[:-1] >> 1)[: len(ordered)])
    theirs = np.add.reduceat(ordered & 1, starts) if len(starts) else starts
    both = np.minimum(theirs, np.diff(np.append(starts, len(ordered))) - theirs)
    pair = np.repeat(np.arange(len(sizes)), sizes)[starts]
    result: Numbers = np.bincount(pair, both, len(sizes)).astype(np.int64)
    return result

"""BLEU and ROUGE-L over the joined quotes of a report in a category, for many cells at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
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

    texts = [*left, *right]
    lengths = np.array([len(text) for text in texts], np.int64)
    known = {word: number for number, word in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
    single = np.array([known[word] for text in texts for word in text], np.int64)
    pair = np.repeat(np.tile(np.arange(len(left)), 2), lengths)
    ends = np.repeat(np.cumsum(lengths), lengths)
    shared = np.zeros((len(left), orders), np.int64)
    begin, split = np.arange(len(single)), int(lengths[: len(left)].sum())
    # A run is known by the number of the run that is a word shorter, and its last word.
    runs = pair
    for order in range(orders):
        there = begin + order < ends[begin]
        begin, runs = begin[there], runs[there]
        _, first, runs = np.unique(
            runs * len(known) + single[begin + order], return_index=True, return_inverse=True
        )
        ours, theirs = (
            np.bincount(runs[some], minlength=len(first)) for some in (begin < split, begin >= split)
        )
        shared[:, order] = np.bincount(pair[begin[first]], np.minimum(ours, theirs), len(left))
    result: list[list[int]] = shared.tolist()
    return result

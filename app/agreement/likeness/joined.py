"""BLEU and ROUGE-L over the joined quotes of a report in a category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from app.agreement.likeness.pairs import words

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEUScore

_ORDERS = 4  # sacrebleu's own default


@dataclass(frozen=True, slots=True)
class JoinedScores:
    """BLEU-1, BLEU-4 and ROUGE-L, each 0-1."""

    bleu_1: float
    bleu_4: float
    rouge_l: float


def joined_scores(left: Sequence[str], right: Sequence[str]) -> JoinedScores:
    """Left as the candidate, right as the only reference, over the words of the quotes joined in order.

    BLEU (Papineni 2002) comes from sacrebleu: exponential smoothing of orders without a match, orders that
    a short text cannot have left out ("effective order"), so that equal texts score 1 however short.
    ROUGE-L (Lin 2004) is its F with beta 1: twice the longest common subsequence over the words of both
    sides. Texts without any word score 1 if the quotes are equal and 0 otherwise.
    """
    from rapidfuzz.distance import LCSseq

    if list(left) == list(right):
        return JoinedScores(1.0, 1.0, 1.0)
    ours, theirs = words(" ".join(left)), words(" ".join(right))
    if not ours or not theirs:
        return JoinedScores(0.0, 0.0, 0.0)
    if ours == theirs:
        return JoinedScores(1.0, 1.0, 1.0)
    result = _bleu(ours, theirs)
    common = LCSseq.similarity(ours, theirs)
    return JoinedScores(
        bleu_1=result.bp * result.precisions[0] / 100,
        bleu_4=min(result.score / 100, 1.0),
        rouge_l=2 * common / (len(ours) + len(theirs)),
    )


def _bleu(ours: Sequence[str], theirs: Sequence[str]) -> BLEUScore:
    """sacrebleu's score; the n-grams are counted here because sacrebleu takes several times as long."""
    from sacrebleu.metrics.bleu import BLEU

    correct, total = [], []
    for found, known in zip(*_ngrams(ours, theirs), strict=True):
        correct.append(sum(min(found[gram], known[gram]) for gram in found.keys() & known.keys()))
        total.append(found.total())
    lengths = len(ours), len(theirs)
    return BLEU.compute_bleu(correct, total, *lengths, smooth_method="exp", effective_order=True)


def _ngrams(*texts: Sequence[str]) -> list[list[Counter[int]]]:
    """How often each run of 1, 2, ... words is in each text; numbers count faster than tuples of words."""
    number = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
    base, result = len(number), []
    for text in texts:
        single = [number[word] for word in text]
        runs, counts = single, [Counter(single)]
        for order in range(1, _ORDERS):
            runs = [run * base + word for run, word in zip(runs, single[order:], strict=False)]
            counts.append(Counter(runs))
        result.append(counts)
    return result

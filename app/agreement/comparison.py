"""One report in one category as the measures see it: both sides' quotes, and how alike they are."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from app.agreement.likeness.joined import UNJOINED, JoinedScores
from app.agreement.likeness.pairs import (
    Matrix,
    Texts,
    best_matches,
    indel_similarities,
    levenshtein_similarities,
    token_set_ratios,
)
from app.agreement.types import Item, Profile, ReportPair

_SPACE, _WORD, _SIGN = range(3)
Tokens: TypeAlias = tuple[Sequence[int], Sequence[int]]


def _kind(letter: str) -> int:
    """What a regular expression takes it for."""
    return _WORD if letter.isalnum() or letter == "_" else _SPACE if letter.isspace() else _SIGN


_KINDS = bytes(map(_kind, map(chr, range(0x250))))


class TokenCounts(NamedTuple):
    """How many tokens both sides, the left alone, the right alone, and neither put into a category."""

    both: int
    left: int
    right: int
    neither: int


def tokens_of(text: str) -> Tokens:
    """Where tokens begin and end: runs of letters and digits, and every other sign by itself."""
    import numpy as np

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = np.frombuffer(_KINDS, np.uint8)[np.minimum(points, len(_KINDS) - 1)]
    others, place = np.unique(points[points >= len(_KINDS)], return_inverse=True)
    kinds[points >= len(_KINDS)] = np.array([_kind(chr(one)) for one in others.tolist()], np.uint8)[place]
    word, sign = np.pad(kinds == _WORD, 1), kinds == _SIGN
    starts = np.flatnonzero(sign | (word[1:-1] & ~word[:-2]))
    ends = np.flatnonzero(sign | (word[1:-1] & ~word[2:])) + 1
    return starts.tolist(), ends.tolist()


def count_tokens(tokens: Tokens | None, left: Sequence[Item], right: Sequence[Item]) -> TokenCounts:
    """A token is in a category as soon as a span of it covers one of its characters; no tokens, no counts."""
    if not tokens or not tokens[0]:
        return TokenCounts(0, 0, 0, 0)
    # A bit for each token: sets of thousands of them, compared at once.
    ours, theirs = _marked(tokens, left), _marked(tokens, right)
    both = (ours & theirs).bit_count()
    alone, other = ours.bit_count() - both, theirs.bit_count() - both
    return TokenCounts(both, alone, other, len(tokens[0]) - both - alone - other)


def _marked(tokens: Tokens, items: Sequence[Item]) -> int:
    starts, ends = tokens
    marked = 0
    for item in items:
        if item.span:
            first, last = bisect_right(ends, item.span[0]), bisect_left(starts, item.span[1])
            marked |= (1 << max(last, first)) - (1 << first)
    return marked


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike the quotes of two sides are, by shared words (0-100), by letters (0-1) and in full (0-1).

    `items` is the greatest sum of Indel similarities over one-to-one pairs, in the strict profile.
    """

    words: float
    letters: float
    equal: float
    items: float = 0.0


UNLIKE = Likeness(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Comparison:
    """What `left` and `right` have of `report`, the `number`-th compared, in one category.

    `tokens` are those of the report's text, None where no measure asked for them; `joined` has BLEU and ROUGE
    of two sides that found something, where a measure asked.
    """

    number: int
    report: ReportPair
    category: str
    left: tuple[Item, ...]
    right: tuple[Item, ...]
    profile: Profile
    overlap: float
    tokens: Tokens | None = None
    likeness: Likeness = UNLIKE
    joined: JoinedScores = UNJOINED

    @property
    def full(self) -> bool:
        """Both sides found something."""
        return bool(self.left and self.right)

    @property
    def silent(self) -> bool:
        """Neither side found anything."""
        return not self.left and not self.right

    @cached_property
    def counts(self) -> TokenCounts:
        """The tokens of the report by whether they are in the category on either side."""
        return count_tokens(self.tokens, self.left, self.right)


def likenesses(left: Texts, right: Texts, profile: Profile) -> list[Likeness]:
    """How alike the quotes of each cell are; all at once, in a fraction of the time. No side may be empty."""
    return _paper(left, right) if profile == "paper" else _strict(left, right)


def _paper(left: Texts, right: Texts) -> list[Likeness]:
    """The published formulas: the left's mean of its best match, and whether the lists are equal."""
    rows = zip(left, right, *best_matches(left, right), strict=True)
    return [Likeness(_mean(words), _mean(near), float(ours == theirs)) for ours, theirs, words, near in rows]


def _mean(values: Sequence[float]) -> float:
    """Added up in order, as a plain loop would; other orders differ in the last digit."""
    return sum(values) / len(values)


def _strict(left: Texts, right: Texts) -> list[Likeness]:
    """One-to-one formulas: twice the best total over pairs / quotes of both sides, each measure by itself."""
    matrices = zip(
        left,
        right,
        token_set_ratios(left, right),
        levenshtein_similarities(left, right),
        indel_similarities(left, right),
        strict=True,
    )
    result = []
    for ours, theirs, words, letters, indel in matrices:
        number = len(ours) + len(theirs)
        result.append(
            Likeness(
                words=2 * best_total(_whole_where_equal(words, ours, theirs)) / number,
                letters=2 * best_total(letters) / number,
                equal=2 * (Counter(ours) & Counter(theirs)).total() / number,
                items=best_total(indel),
            )
        )
    return result


def _whole_where_equal(matrix: Matrix, ours: Sequence[str], theirs: Sequence[str]) -> Matrix:
    """Token set ratios, 100 for equal quotes even without words, to which the published formula gives 0."""
    whole = matrix.copy()
    for row, quote in enumerate(ours):
        for column, other in enumerate(theirs):
            if quote == other:
                whole[row, column] = 100.0
    return whole


def best_total(matrix: Matrix) -> float:
    """The greatest sum over one-to-one pairs."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return float(matrix[rows, columns].sum())

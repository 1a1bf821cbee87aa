"""The tokens of a report, and which of them two sides put into a category."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from app.agreement.types import Item

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

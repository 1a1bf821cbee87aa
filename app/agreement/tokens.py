"""The tokens of a report, and which of them two sides put into a category."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from app.agreement.types import Item

_TOKEN = re.compile(r"\w+|[^\w\s]")
Tokens: TypeAlias = tuple[Sequence[int], Sequence[int]]


class TokenCounts(NamedTuple):
    """How many tokens both sides, the left alone, the right alone, and neither put into a category."""

    both: int
    left: int
    right: int
    neither: int


def tokens_of(text: str) -> Tokens:
    """Where tokens begin and end: runs of letters and digits, and every other sign by itself."""
    found = [match.span() for match in _TOKEN.finditer(text)]
    return [start for start, _ in found], [end for _, end in found]


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

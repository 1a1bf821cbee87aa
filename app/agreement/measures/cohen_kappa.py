"""Cohen's kappa on tokens: agreement on each word of a report, in the category or not, beyond chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import TOKENS, Measure, Vector, no_tokens, quotient

if TYPE_CHECKING:
    from app.agreement.measures.measure import Array


def _contribution(cell: Comparison) -> Vector:
    return tuple(map(float, cell.counts))


def _value(both: Array, left: Array, right: Array, neither: Array) -> Array:
    """`chance.cohen_kappa` of pairs of ratings, from how often each of the four pairs was given."""
    every = both + left + right + neither
    expected = (both + left) * (both + right) + (neither + left) * (neither + right)
    return quotient(every * (both + neither) - expected, every * every - expected)


MEASURE = Measure(
    key="cohen_kappa",
    name="Cohen's kappa, tokens",
    heading=("Token", "kappa"),
    paper="Every token (word, number or sign) of a report that both sides annotated is in the category or "
    "not, for either side: how far the two agree on that beyond what chance would give with each side's "
    "own share, over the tokens of all reports together. 1 is full agreement, 0 is chance.",
    contribution=_contribution,
    value=_value,
    reason=no_tokens,
    places=True,
    tokens=True,
    shown_in=TOKENS,
)

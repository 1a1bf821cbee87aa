"""Measures on tokens: agreement on each word of a report, in the category or not, beyond chance."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import TOKENS, Array, Measure, Vector, no_tokens, quotient


def _kappa(both: Array, left: Array, right: Array, neither: Array) -> Array:
    """`chance.cohen_kappa` of pairs of ratings, from how often each of the four pairs was given."""
    every = both + left + right + neither
    expected = (both + left) * (both + right) + (neither + left) * (neither + right)
    return quotient(every * (both + neither) - expected, every * every - expected)


def _ratings(cell: Comparison) -> Vector:
    both, left, right, neither = cell.counts
    return float(2 * both + left + right), float(2 * neither + left + right), float(left + right)


def _alpha(inside: Array, outside: Array, apart: Array) -> Array:
    """`chance.krippendorff_alpha`, nominal, of units rated twice, from the ratings of each kind."""
    return 1 - quotient((inside + outside - 1) * apart, inside * outside)


COHEN_KAPPA: Measure = Measure(
    key="cohen_kappa",
    name="Cohen's kappa, tokens",
    heading=("Token", "kappa"),
    paper="Every token (word, number or sign) of a report that both sides annotated is in the category or "
    "not, for either side: how far the two agree on that beyond what chance would give with each side's "
    "own share, over the tokens of all reports together. 1 is full agreement, 0 is chance.",
    contribution=lambda cell: tuple(map(float, cell.counts)),
    value=_kappa,
    reason=no_tokens,
    places=True,
    tokens=True,
    shown_in=TOKENS,
)
KRIPPENDORFF_ALPHA: Measure = Measure(
    key="krippendorff_alpha",
    name="Krippendorff's alpha, tokens",
    heading=("Token", "alpha"),
    paper="The same ratings of the same tokens: 1 minus the disagreement over that which chance would give "
    "with the share of both sides together (nominal data). 1 is full agreement, 0 is chance.",
    contribution=_ratings,
    value=_alpha,
    reason=no_tokens,
    places=True,
    tokens=True,
    shown_in=TOKENS,
)

"""Krippendorff's alpha on tokens: one minus the disagreement on each word over that which chance gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import TOKENS, Measure, Vector, no_tokens, quotient

if TYPE_CHECKING:
    from app.agreement.measures.measure import Array


def _contribution(cell: Comparison) -> Vector:
    both, left, right, neither = cell.counts
    return float(2 * both + left + right), float(2 * neither + left + right), float(left + right)


def _value(inside: Array, outside: Array, apart: Array) -> Array:
    """`chance.krippendorff_alpha`, nominal, of units rated twice, from the ratings of each kind."""
    return 1 - quotient((inside + outside - 1) * apart, inside * outside)


MEASURE = Measure(
    key="krippendorff_alpha",
    name="Krippendorff's alpha, tokens",
    heading=("Token", "alpha"),
    paper="The same ratings of the same tokens: 1 minus the disagreement over that which chance would give "
    "with the share of both sides together (nominal data). 1 is full agreement, 0 is chance.",
    contribution=_contribution,
    value=_value,
    reason=no_tokens,
    places=True,
    tokens=True,
    shown_in=TOKENS,
)

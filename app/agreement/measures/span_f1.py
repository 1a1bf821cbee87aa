"""Span F1: how many quotes stand in the very same place."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, TABLES, Measure, Vector
from app.agreement.spans import exact_matches


def _contribution(cell: Comparison) -> Vector:
    return 2.0 * exact_matches(cell.left, cell.right), float(len(cell.left) + len(cell.right))


MEASURE = Measure(
    key="span_f1",
    name="Span F1, exact",
    heading=("Exact", "span"),
    paper="Quotes of both sides with the same first and last character, one to one: twice their number "
    "over the quotes of both sides, all reports together. A quote without a place in the text "
    "matches nothing.",
    contribution=_contribution,
    places=True,
    shown_in={**TABLES, "page": PAPER, "interval": BOTH, "pairs": BOTH, "contrast": PAPER},
)

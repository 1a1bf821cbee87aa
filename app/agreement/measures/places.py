"""Measures of places: how many quotes stand in the very same one, or in about the same."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, STRICT, TABLES, Measure, Vector
from app.agreement.spans import exact_matches, overlap_matches


def _of_both(cell: Comparison, matches: int) -> Vector:
    return 2.0 * matches, float(len(cell.left) + len(cell.right))


SPAN_F1 = Measure(
    key="span_f1",
    name="Span F1, exact",
    heading=("Exact", "span"),
    paper="Quotes of both sides with the same first and last character, one to one: twice their number "
    "over the quotes of both sides, all reports together. A quote without a place in the text "
    "matches nothing.",
    contribution=lambda cell: _of_both(cell, exact_matches(cell.left, cell.right)),
    places=True,
    shown_in={**TABLES, "page": PAPER, "interval": BOTH, "pairs": BOTH, "contrast": PAPER},
)
SPAN_F1_OVERLAP = Measure(
    key="span_f1_overlap",
    name="Span F1, overlap",
    heading=("Overlap", "span"),
    paper="As exact span F1, but two quotes match where the characters they share are at least the "
    "stated part of all the characters they cover.",
    contribution=lambda cell: _of_both(cell, overlap_matches(cell.left, cell.right, cell.overlap)),
    places=True,
    caption="Spans that share at least {overlap:.0f} % of what they cover.",
    note="Overlapping spans have an overlap of {overlap:.0f}% or more of the text that they cover.",
    shown_in={**TABLES, "page": PAPER, "figure": STRICT, "pairs": BOTH, "chart": BOTH},
)

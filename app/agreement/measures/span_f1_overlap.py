"""Span F1 with overlap: how many quotes stand in about the same place."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, STRICT, TABLES, Measure, Vector
from app.agreement.spans import overlap_matches


def _contribution(cell: Comparison) -> Vector:
    matches = overlap_matches(cell.left, cell.right, cell.overlap)
    return 2.0 * matches, float(len(cell.left) + len(cell.right))


MEASURE = Measure(
    key="span_f1_overlap",
    name="Span F1, overlap",
    heading=("Overlap", "span"),
    paper="As exact span F1, but two quotes match where the characters they share are at least the "
    "stated part of all the characters they cover.",
    contribution=_contribution,
    places=True,
    caption="Spans that share at least {overlap:.0f} % of what they cover.",
    note="Overlapping spans have an overlap of {overlap:.0f}% or more of the text that they cover.",
    shown_in={**TABLES, "page": PAPER, "figure": STRICT, "pairs": BOTH, "chart": BOTH},
)

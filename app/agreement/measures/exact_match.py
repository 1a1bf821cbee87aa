"""Exact match: whether both sides give the same quotes, letter by letter."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, TABLES, Measure, Vector
from app.agreement.measures.texts import ONE_TO_ONE, per_report


def _contribution(cell: Comparison) -> Vector:
    return per_report(cell, cell.likeness.equal)


MEASURE = Measure(
    key="exact_match",
    name="Exact match",
    heading=("Exact", "match"),
    paper="1 where both lists of quotes are equal, order and all, otherwise 0. Both sides empty counts 1.",
    strict=f"By equality, letter by letter: {ONE_TO_ONE}",
    contribution=_contribution,
    shown_in={**TABLES, "page": BOTH, "interval": BOTH, "pairs": PAPER, "grid": PAPER},
)

"""Levenshtein similarity: how many letters must be changed to make one quote of the other."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, TABLES, Measure, Vector
from app.agreement.measures.texts import ONE_TO_ONE, per_report


def _contribution(cell: Comparison) -> Vector:
    return per_report(cell, cell.likeness.letters)


MEASURE = Measure(
    key="levenshtein",
    name="Levenshtein similarity",
    heading=("Leven-", "shtein"),
    paper="For every quote on the left, its closest quote on the right by 1 minus edit distance over the "
    "longer length, capitals told apart, averaged over the left's quotes. Both sides empty counts 1, one "
    "side empty 0.",
    strict=f"By 1 minus edit distance over the longer length: {ONE_TO_ONE}",
    contribution=_contribution,
    shown_in={**TABLES, "page": BOTH, "interval": BOTH, "pairs": BOTH, "grid": PAPER},
)

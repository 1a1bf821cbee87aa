"""Token set ratio: how many words two quotes share."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, TABLES, Measure, Vector
from app.agreement.measures.texts import ONE_TO_ONE, per_report


def _contribution(cell: Comparison) -> Vector:
    return per_report(cell, cell.likeness.words, 100.0)


MEASURE = Measure(
    key="tsr",
    name="Token set ratio",
    heading=("Token set", "ratio"),
    top=100,
    decimals=2,
    paper="For every quote on the left, its closest quote on the right by shared words, 0 to 100, "
    "averaged over the left's quotes. Both sides empty counts 100, one side empty 0. What only "
    "the right found costs nothing as long as the left found something.",
    strict=f"By shared words, 0 to 100: {ONE_TO_ONE}",
    contribution=_contribution,
    leads="paper",
    caption="Generous: a long quote that holds the right words scores 100, and agreed silence counts as full "
    "marks.",
    shown_in={
        **TABLES,
        "page": BOTH,
        "interval": BOTH,
        "figure": PAPER,
        "pairs": BOTH,
        "grid": PAPER,
        "contrast": PAPER,
    },
)

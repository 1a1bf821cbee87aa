"""F1 over quotes: every quote counts, found or missed."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import STRICT, TABLES, Measure, Vector


def _contribution(cell: Comparison) -> Vector:
    return 2 * cell.likeness.items, float(len(cell.left) + len(cell.right))


MEASURE = Measure(
    key="f1",
    name="F1",
    heading=("F1",),
    paper="",
    strict="Quotes are paired one to one so that the sum of their similarities (Indel, lower case, no "
    "punctuation) is greatest: twice that sum over the quotes of both sides, all reports together.",
    contribution=_contribution,
    leads="strict",
    caption="Every quote counts, found or missed; agreed silence is left out.",
    shown_in={
        **TABLES,
        "page": STRICT,
        "interval": STRICT,
        "figure": STRICT,
        "pairs": STRICT,
        "grid": STRICT,
        "contrast": STRICT,
    },
)

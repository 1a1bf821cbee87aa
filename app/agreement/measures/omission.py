"""Omission: how often the left is silent where the right found something."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import PAPER, STRICT, TABLES, Measure, Vector
from app.agreement.types import Cell


def _contribution(cell: Comparison) -> Vector:
    return 100.0 * bool(cell.right and not cell.left), float(bool(cell.right))


def _reason(cells: Sequence[Cell], left: str, right: str) -> str:
    return f"{right} found nothing in any report, so there was nothing to omit."


MEASURE = Measure(
    key="omission",
    name="Omission",
    heading=("Omission",),
    top=100,
    decimals=1,
    error=True,
    paper="Of the reports in which the right found something, the percentage in which the left found "
    "nothing.",
    contribution=_contribution,
    reason=_reason,
    caption="Of the reports with something to find in a category, the part where the left found nothing.",
    shown_in={**TABLES, "page": PAPER, "figure": STRICT, "pairs": PAPER, "grid": PAPER},
)

"""What measures of the quotes' words add up: a score for each report, or a sum over its quotes."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import Vector

ONE_TO_ONE = (
    "quotes are paired one to one in the best possible way, and twice the sum over the pairs is "
    "divided by the number of quotes on both sides. Pairs of report and category that are empty "
    "on both sides are left out."
)
EMPTY_LEFT_OUT = (
    "As in the paper profile, but pairs of report and category that are empty on both sides are left out."
)


def per_report(cell: Comparison, score: float, top: float = 1.0) -> Vector:
    """A report's score: 0 for a miss; for agreed silence full marks, or nothing at all."""
    if cell.silent:
        return (top, 1.0) if cell.profile == "paper" else (0.0, 0.0)
    return (score, 1.0) if cell.full else (0.0, 1.0)

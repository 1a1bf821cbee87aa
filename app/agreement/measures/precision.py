"""Precision: how much of what the left has the right has too."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import STRICT, TABLES, Measure, Vector, found_nothing
from app.agreement.types import Cell


def _contribution(cell: Comparison) -> Vector:
    return cell.likeness.items, float(len(cell.left))


def _reason(cells: Sequence[Cell], left: str, right: str) -> str:
    if any(cell.right for cell in cells):
        return f"{left} found nothing in any report."
    return found_nothing(cells, left, right)


MEASURE = Measure(
    key="precision",
    name="Precision",
    heading=("Preci-", "sion"),
    paper="",
    strict="Quotes are paired one to one so that the sum of their similarities (Indel, lower case, no "
    "punctuation) is greatest: that sum over the left's quotes, all reports together.",
    contribution=_contribution,
    reason=_reason,
    shown_in={**TABLES, "page": STRICT, "pairs": STRICT},
)

"""Recall: how much of what the right has the left has too."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import STRICT, TABLES, Measure, Vector, found_nothing
from app.agreement.types import Cell


def _contribution(cell: Comparison) -> Vector:
    return cell.likeness.items, float(len(cell.right))


def _reason(cells: Sequence[Cell], left: str, right: str) -> str:
    if any(cell.left for cell in cells):
        return f"{right} found nothing in any report."
    return found_nothing(cells, left, right)


MEASURE = Measure(
    key="recall",
    name="Recall",
    heading=("Recall",),
    paper="",
    strict="The same sum over the right's quotes, all reports together.",
    contribution=_contribution,
    reason=_reason,
    shown_in={**TABLES, "page": STRICT, "pairs": STRICT},
)

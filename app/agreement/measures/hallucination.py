"""Hallucination: how often the left found something where the right is silent."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import PAPER, TABLES, Measure, Vector
from app.agreement.types import Cell


def _contribution(cell: Comparison) -> Vector:
    return 100.0 * bool(cell.left and not cell.right), float(not cell.right)


def _reason(cells: Sequence[Cell], left: str, right: str) -> str:
    return f"{right} found something in every report, so there was none in which to find too much."


MEASURE = Measure(
    key="hallucination",
    name="Hallucination",
    heading=("Hallu-", "cination"),
    top=100,
    decimals=1,
    error=True,
    paper="Of the reports in which the right found nothing, the percentage in which the left found "
    "something.",
    contribution=_contribution,
    reason=_reason,
    shown_in={**TABLES, "page": PAPER, "pairs": PAPER, "grid": PAPER},
)

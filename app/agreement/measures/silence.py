"""Measures of reports in which one side is silent where the other found something."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.measures.measure import PAPER, STRICT, TABLES, Measure
from app.agreement.types import Cell


def _nothing_to_omit(cells: Sequence[Cell], left: str, right: str) -> str:
    return f"{right} found nothing in any report, so there was nothing to omit."


def _found_everywhere(cells: Sequence[Cell], left: str, right: str) -> str:
    return f"{right} found something in every report, so there was none in which to find too much."


OMISSION = Measure(
    key="omission",
    name="Omission",
    heading=("Omission",),
    top=100,
    decimals=1,
    error=True,
    paper="Of the reports in which the right found something, the percentage in which the left found "
    "nothing.",
    contribution=lambda cell: (100.0 * bool(cell.right and not cell.left), float(bool(cell.right))),
    reason=_nothing_to_omit,
    caption="Of the reports with something to find in a category, the part where the left found nothing.",
    shown_in={**TABLES, "page": PAPER, "figure": STRICT, "pairs": PAPER, "grid": PAPER},
)
HALLUCINATION = Measure(
    key="hallucination",
    name="Hallucination",
    heading=("Hallu-", "cination"),
    top=100,
    decimals=1,
    error=True,
    paper="Of the reports in which the right found nothing, the percentage in which the left found "
    "something.",
    contribution=lambda cell: (100.0 * bool(cell.left and not cell.right), float(not cell.right)),
    reason=_found_everywhere,
    shown_in={**TABLES, "page": PAPER, "pairs": PAPER, "grid": PAPER},
)

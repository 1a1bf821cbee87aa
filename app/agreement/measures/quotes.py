"""Measures over quotes, found or missed: of those of the left, of those of the right, and of both."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.measures.measure import STRICT, TABLES, Measure, found_nothing
from app.agreement.types import Cell


def _no_left(cells: Sequence[Cell], left: str, right: str) -> str:
    if any(cell.right for cell in cells):
        return f"{left} found nothing in any report."
    return found_nothing(cells, left, right)


def _no_right(cells: Sequence[Cell], left: str, right: str) -> str:
    if any(cell.left for cell in cells):
        return f"{right} found nothing in any report."
    return found_nothing(cells, left, right)


PRECISION = Measure(
    key="precision",
    name="Precision",
    heading=("Preci-", "sion"),
    paper="",
    strict="Quotes are paired one to one so that the sum of their similarities (Indel, lower case, no "
    "punctuation) is greatest: that sum over the left's quotes, all reports together.",
    contribution=lambda cell: (cell.likeness.items, float(len(cell.left))),
    reason=_no_left,
    shown_in={**TABLES, "page": STRICT, "pairs": STRICT},
)
RECALL = Measure(
    key="recall",
    name="Recall",
    heading=("Recall",),
    paper="",
    strict="The same sum over the right's quotes, all reports together.",
    contribution=lambda cell: (cell.likeness.items, float(len(cell.right))),
    reason=_no_right,
    shown_in={**TABLES, "page": STRICT, "pairs": STRICT},
)
F1 = Measure(
    key="f1",
    name="F1",
    heading=("F1",),
    paper="",
    strict="Quotes are paired one to one so that the sum of their similarities (Indel, lower case, no "
    "punctuation) is greatest: twice that sum over the quotes of both sides, all reports together.",
    contribution=lambda cell: (2 * cell.likeness.items, float(len(cell.left) + len(cell.right))),
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

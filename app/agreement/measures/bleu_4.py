"""BLEU-4: the share of runs of up to four words that the other side has too."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, TABLES, Measure, Vector
from app.agreement.measures.texts import EMPTY_LEFT_OUT, per_report


def _contribution(cell: Comparison) -> Vector:
    return per_report(cell, cell.joined.bleu_4 if cell.full else 0.0)


MEASURE = Measure(
    key="bleu_4",
    name="BLEU-4",
    heading=("BLEU-4",),
    paper="As BLEU-1, over runs of one to four words. A run length without any match is smoothed "
    "exponentially; run lengths that a short text cannot have are not counted.",
    strict=EMPTY_LEFT_OUT,
    contribution=_contribution,
    slow=True,
    shown_in={**TABLES, "page": BOTH, "grid": PAPER},
)

"""BLEU-1: the share of single words that the other side has too."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, TABLES, Measure, Vector
from app.agreement.measures.texts import EMPTY_LEFT_OUT, per_report


def _contribution(cell: Comparison) -> Vector:
    return per_report(cell, cell.joined.bleu_1 if cell.full else 0.0)


MEASURE = Measure(
    key="bleu_1",
    name="BLEU-1",
    heading=("BLEU-1",),
    paper="Share of the left's words that the right has too, less a penalty where the left is shorter. "
    "The quotes of a side are joined; lower case, no punctuation. Both sides empty counts 1, one "
    "side empty 0.",
    strict=EMPTY_LEFT_OUT,
    contribution=_contribution,
    slow=True,
    shown_in={**TABLES, "page": BOTH, "grid": PAPER},
)

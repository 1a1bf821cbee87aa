"""ROUGE-L: the longest sequence of words that both sides have in the same order."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, TABLES, Measure, Vector
from app.agreement.measures.texts import EMPTY_LEFT_OUT, per_report


def _contribution(cell: Comparison) -> Vector:
    return per_report(cell, cell.joined.rouge_l if cell.full else 0.0)


MEASURE = Measure(
    key="rouge_l",
    name="ROUGE-L",
    heading=("ROUGE-L",),
    paper="The longest sequence of words that both sides have in the same order, gaps allowed: twice "
    "its length over the words of both sides. The quotes of a side are joined; lower case, no "
    "punctuation. Both sides empty counts 1, one side empty 0.",
    strict=EMPTY_LEFT_OUT,
    contribution=_contribution,
    slow=True,
    shown_in={**TABLES, "page": BOTH, "grid": PAPER},
)

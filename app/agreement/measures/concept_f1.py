"""Concepts: how many both sides gave to what they quote, of all that they gave."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.concepts import concepts_of, no_concepts
from app.agreement.measures.measure import CONCEPTS, Measure, Vector


def _contribution(cell: Comparison) -> Vector:
    left, right = concepts_of(cell.left), concepts_of(cell.right)
    return 2.0 * len(left & right), float(len(left) + len(right))


MEASURE = Measure(
    key="concept_f1",
    name="Same concepts",
    heading=("Same", "concepts"),
    paper="Twice the concepts that both sides gave to their quotes of a report and category, over all "
    "that they gave; each counts once, and a concept that is denied is another than one that is "
    "present. 1 is full agreement.",
    contribution=_contribution,
    reason=no_concepts,
    shown_in=CONCEPTS,
)

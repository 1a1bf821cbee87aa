"""Concepts by their distance: how near those of both sides stand in the hierarchy."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.concepts import concepts_of, nearest_total, no_concepts
from app.agreement.measures.measure import CONCEPTS, Measure, Vector


def _contribution(cell: Comparison) -> Vector:
    left, right = concepts_of(cell.left), concepts_of(cell.right)
    return 2.0 * nearest_total(left, right), float(len(left) + len(right))


MEASURE = Measure(
    key="concept_nearness",
    name="Near concepts",
    heading=("Near", "concepts"),
    paper="As the same concepts, but pairs of different ones count by their nearness in the "
    "terminology's hierarchy: 1 / (1 + steps), by the way up to the nearest common ancestor and "
    "down again; pairs are one to one and the best there are. 1 is full agreement.",
    contribution=_contribution,
    reason=no_concepts,
    shown_in=CONCEPTS,
)

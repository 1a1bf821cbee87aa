"""Measures of concepts: how many both sides gave to what they quote, and how near those of both stand."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.concepts import concepts_of, nearest_total, no_concepts
from app.agreement.measures.measure import CONCEPTS, Measure, Vector


def _same(cell: Comparison) -> Vector:
    left, right = concepts_of(cell.left), concepts_of(cell.right)
    return 2.0 * len(left & right), float(len(left) + len(right))


def _near(cell: Comparison) -> Vector:
    left, right = concepts_of(cell.left), concepts_of(cell.right)
    return 2.0 * nearest_total(left, right), float(len(left) + len(right))


CONCEPT_F1 = Measure(
    key="concept_f1",
    name="Same concepts",
    heading=("Same", "concepts"),
    paper="Twice the concepts that both sides gave to their quotes of a report and category, over all "
    "that they gave; each counts once, and a concept that is denied is another than one that is "
    "present. 1 is full agreement.",
    contribution=_same,
    reason=no_concepts,
    shown_in=CONCEPTS,
)
CONCEPT_NEARNESS = Measure(
    key="concept_nearness",
    name="Near concepts",
    heading=("Near", "concepts"),
    paper="As the same concepts, but pairs of different ones count by their nearness in the "
    "terminology's hierarchy: 1 / (1 + steps), by the way up to the nearest common ancestor and "
    "down again; pairs are one to one and the best there are. 1 is full agreement.",
    contribution=_near,
    reason=no_concepts,
    shown_in=CONCEPTS,
)

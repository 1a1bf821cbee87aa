"""Measures of concepts: how many both sides gave to what they quote, and how near those of both stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from app.agreement.comparison import Comparison, best_total
from app.agreement.measures.measure import CONCEPTS, Measure, Vector
from app.agreement.types import Cell, Item
from extractors.model.finding import Polarity


class CodedConcept(NamedTuple):
    """A concept as it is said of a patient: one that is denied is another than one that is present."""

    terminology: str
    code: str
    polarity: Polarity


def concepts_of(items: Iterable[Item]) -> frozenset[CodedConcept]:
    """All that quotes stand for, each once."""
    return frozenset(
        CodedConcept(coding.terminology, coding.code, item.polarity)
        for item in items
        for coding in item.concepts
    )


def nearness(one: CodedConcept, other: CodedConcept) -> float:
    """1 for the same concept, else 1 / (1 + steps), by the least number of steps up to a common ancestor and
    down again; 0 for another polarity or terminology, without an ancestor, and for codes unknown here."""
    if one == other:
        return 1.0
    if (one.terminology, one.polarity) != (other.terminology, other.polarity):
        return 0.0
    steps = _steps(one.terminology, *sorted((one.code, other.code)))
    return 0.0 if steps is None else 1 / (1 + steps)


def nearest_total(left: frozenset[CodedConcept], right: frozenset[CodedConcept]) -> float:
    """The greatest sum of `nearness` over one-to-one pairs."""
    shared = left & right
    ours, theirs = sorted(left - shared), sorted(right - shared)
    if not ours or not theirs:
        return float(len(shared))
    import numpy as np

    # Pairs of equal concepts are worth most, and whatever else they would be paired with is farther off.
    matrix = np.array([[nearness(one, other) for other in theirs] for one in ours])
    return len(shared) + best_total(matrix)


def no_concepts(cells: Sequence[Cell], left: str, right: str) -> str:
    """Why a measure on concepts is undefined."""
    return f"Neither {left} nor {right} has a concept here."


@lru_cache(maxsize=65536)
def _steps(terminology: str, one: str, other: str) -> int | None:
    from extractors.model.errors import UnknownNameError
    from extractors.terminology.clusters import stems
    from extractors.terminology.hierarchy import distance
    from extractors.terminology.library import open_terminology

    try:
        known = open_terminology(terminology)
    except UnknownNameError:
        return None
    # A cluster stands where its first stem does.
    rows = known.row(stems(one)[0]), known.row(stems(other)[0])
    return None if rows[0] is None or rows[1] is None else distance(known, rows[0], rows[1])


def _same(cell: Comparison) -> Vector:
    left, right = concepts_of(cell.left), concepts_of(cell.right)
    return 2.0 * len(left & right), float(len(left) + len(right))


def _near(cell: Comparison) -> Vector:
    left, right = concepts_of(cell.left), concepts_of(cell.right)
    return 2.0 * nearest_total(left, right), float(len(left) + len(right))


CONCEPT_F1: Measure = Measure(
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
CONCEPT_NEARNESS: Measure = Measure(
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

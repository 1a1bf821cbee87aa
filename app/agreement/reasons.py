"""Why a score is undefined, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.measures import Measure
from app.agreement.types import Cell


def reason(measure: Measure, cells: Sequence[Cell], left: str, right: str) -> str:
    """Why `measure` says nothing over `cells`; `left` and `right` are the names of the two sides."""
    if not cells:
        return f"No report was annotated here by both {left} and {right}."
    if measure.places and (side := unplaced_side(cells, left, right)):
        return f"No quote of {side} has a place in the text."
    return measure.reason(cells, left, right)


def unplaced_side(cells: Sequence[Cell], left: str, right: str) -> str:
    """The side (or "left and right") that has quotes but no place for any of them, "" if there is none.

    Span scores would then say 0 of sides that may well agree, so they are undefined instead.
    """
    sides = ((left, [cell.left for cell in cells]), (right, [cell.right for cell in cells]))
    names = [
        name for name, items in sides if any(items) and not any(item.span for side in items for item in side)
    ]
    return " and ".join(names)

"""Why a score is undefined, in a sentence, and the numbers of such sentences below a table."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.types import Cell

_SPANS = frozenset({"span_f1", "span_f1_overlap"})


def reason(measure: str, cells: Sequence[Cell], left: str, right: str) -> str:
    """Why `measure` says nothing over `cells`; `left` and `right` are the names of the two sides."""
    if not cells:
        return f"No report was annotated here by both {left} and {right}."
    if measure == "omission":
        return f"{right} found nothing in any report, so there was nothing to omit."
    if measure == "hallucination":
        return f"{right} found something in every report, so there was none in which to find too "
        "much."
    if measure == "precision" and any(cell.right for cell in cells):
        return f"{left} found nothing in any report."
    if measure == "recall" and any(cell.left for cell in cells):
        return f"{right} found nothing in any report."
    if measure in _SPANS and (side := unplaced_side(cells, left, right)):
        return f"No quote of {side} has a place in the text."
    return f"Neither {left} nor {right} found anything in any report."


def unplaced_side(cells: Sequence[Cell], left: str, right: str) -> str:
    """The side (or "left and right") that has quotes but no place for any of them, "" if there is none.

    Span scores would then say 0 of sides that may well agree, so they are undefined instead.
    """
    sides = ((left, [cell.left for cell in cells]), (right, [cell.right for cell in cells]))
    names = [
        name for name, items in sides if any(items) and not any(item.span for side in items for item in side)
    ]
    return " and ".join(names)


def footnote(reason: str, notes: list[str]) -> str:
    """The number of a reason among `notes`, which it joins if it is new; "" for no reason."""
    if not reason:
        return ""
    if reason not in notes:
        notes.append(reason)
    return str(notes.index(reason) + 1)

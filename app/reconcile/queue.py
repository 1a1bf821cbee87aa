"""The work list of reconciliation: pairs of report and category in which two sides differ most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

BELOW = 30.0


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One report in one category with both sides' quotes; `tsr` is its paper token set ratio, 0-100."""

    key: str
    title: str
    category: str
    tsr: float
    left: tuple[str, ...]
    right: tuple[str, ...]


def build_queue(cells: Iterable[QueueItem], below: float = BELOW) -> list[QueueItem]:
    """Those of `cells` whose TSR is under `below`, the worst first.

    Among equals, those with more quotes to decide on come first, then the order given.
    """
    queue = [cell for cell in cells if cell.tsr < below]
    return sorted(queue, key=lambda cell: (cell.tsr, -len(cell.left) - len(cell.right)))

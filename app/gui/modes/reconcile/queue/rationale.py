"""What goes with a decision beside the choice itself, and what was set and waits for a decision."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from app.operations.reconcile.decisions import EditedSpan, Resolution
from app.operations.reconcile.preview import AlikeItem, choices_for

if TYPE_CHECKING:
    from app.operations.reconcile.queue import Queue
    from app.reconcile.types import Difference
    from app.store.reconcile.decisions import Decision


@dataclass(frozen=True, slots=True)
class Offer:
    """What was decided on a difference (id), and those like it on which the same can be decided."""

    difference: str
    resolution: Resolution
    items: tuple[AlikeItem, ...]


@dataclass(frozen=True, slots=True)
class Rationale:
    """What goes with a decision beside the choice itself."""

    reason: str = ""
    note: str = ""
    clause: str = ""
    confidence: float | None = None

    def added_to(self, resolution: Resolution) -> Resolution:
        return replace(resolution, **asdict(self))


class Drafts:
    """What was set for differences (ids) that are undecided, until they are decided."""

    def __init__(self) -> None:
        self._rationales: dict[str, Rationale] = {}

    def keep(self, difference: str, rationale: Rationale) -> None:
        self.drop(difference)
        if rationale != Rationale():
            self._rationales[difference] = rationale

    def drop(self, difference: str) -> None:
        """It went with a decision."""
        self._rationales.pop(difference, None)

    def rationale(self, difference: str) -> Rationale:
        return self._rationales.get(difference, Rationale())

    def waiting(self, queue: Queue) -> int:
        return sum(name in queue.differences and name not in queue.decisions for name in self._rationales)


def rationale_of(decision: Decision) -> Rationale:
    return Rationale(decision.reason_code, decision.note, decision.clause, decision.confidence)


def taken_again(decision: Decision, difference: Difference, rationale: Rationale) -> Resolution | None:
    """The same choice with other reasons; None where its span is with another difference."""
    spans = tuple(
        EditedSpan(one.start, one.end, one.category, one.polarity, one.field)
        for one in decision.findings
        if decision.choice == "edited" and one.start is not None and one.end is not None
    )
    choice = next((one for one in choices_for(difference) if one == decision.choice), None)
    if choice is None or (choice == "edited" and not spans):
        return None
    return rationale.added_to(Resolution(choice, spans=spans, seconds=decision.seconds))

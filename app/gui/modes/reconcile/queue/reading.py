"""Around a queue: what is read before one is in it, and what goes with a decision beside the choice."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from app.gui.modes.reconcile.queue.position import Places, QueueCursor, QueuePlace, listing_places
from app.operations.annotate.exposure import unseen_reports
from app.operations.reconcile.decisions import EditedSpan, Resolution
from app.operations.reconcile.preview import (
    BELOW,
    ORDERS,
    AlikeItem,
    SidesOffer,
    choices_for,
    draft_decision,
    previewing_alike,
)
from app.operations.reconcile.queue import Queue, reading_queue

if TYPE_CHECKING:
    from app.operations.annotate.report import OpenReport
    from app.reconcile.queue import Order
    from app.reconcile.types import Difference
    from app.store.project import Project
    from app.store.reconcile.decisions import Decision
    from extractors.model.progress import Progress


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
    """What `who` set for differences (ids) that are undecided, until they are decided."""

    def __init__(self, who: Callable[[], str] = str) -> None:
        self._who = who
        self._rationales: dict[tuple[str, str], Rationale] = {}

    def keep(self, difference: str, rationale: Rationale) -> None:
        self.drop(difference)
        if rationale != Rationale():
            self._rationales[self._who(), difference] = rationale

    def drop(self, difference: str) -> None:
        """It went with a decision."""
        self._rationales.pop((self._who(), difference), None)

    def rationale(self, difference: str) -> Rationale:
        return self._rationales.get((self._who(), difference), Rationale())

    def waiting(self, queue: Queue) -> int:
        return sum(name in queue.differences and name not in queue.decisions for _, name in self._rationales)


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


@dataclass(frozen=True, slots=True)
class Place:
    """Whose sets are set against each other and how, and the place (name) at which one is, if at one."""

    left: str = ""
    right: str = ""
    below: float = BELOW
    order: Order = ORDERS[0]
    queue_place: tuple[str, str] | None = None

    def as_words(self) -> list[str]:
        return [self.left, self.right, str(self.below), self.order, *(self.queue_place or ())]


def place_of(words: list[str]) -> Place:
    """The place that was written down; the first start's where it cannot be read."""
    if len(words) not in (4, 6):
        return Place()
    left, right, below, details, *queue_place = words
    order = next((one for one in ORDERS if one == details), ORDERS[0])
    number = float(below) if below.replace(".", "", 1).isdecimal() else BELOW
    return Place(
        left, right, min(number, 100), order, (queue_place[0], queue_place[1]) if queue_place else None
    )


def differing(queue: Queue) -> list[str]:
    return [report.key for report in queue.compared if report.differences]


def reading_unseen(
    project: Project, by: str, sides: tuple[str, str], below: float, order: Order
) -> Generator[Progress, None, tuple[Queue, Places, tuple[str, ...]]]:
    """The queue, its places, and its reports (keys) in which a side is hidden from `by` (name) yet."""
    queue = yield from reading_queue(project, *sides, below=below, order=order)
    places = yield from listing_places(queue)
    return queue, places, unseen_reports(project, by, differing(queue), sides)


def first_sides(offer: SidesOffer) -> tuple[str, str]:
    """Those decided between last; else the two people, or others but the gold set, who looked at most."""
    if offer.last is not None:
        return offer.last
    wanted = [one for one in offer.holders if one.kind != "gold"]
    most = sorted(wanted, key=lambda one: (one.kind != "person", -one.reports))[:2]
    names = [one.name for one in offer.holders if one in most]
    return (names[0], names[1]) if len(names) == 2 else ("", "")


def turned_place(cursor: QueueCursor, before: Queue, after: Queue) -> QueuePlace | None:
    """The first difference on which another decision holds than before."""
    either = {**before.decisions, **after.decisions}
    changed = (one for one in either if before.decisions.get(one) != after.decisions.get(one))
    lines = {line for one in changed for line in cursor.lines_about(one)}
    # The row of a whole pair leads to its first difference, whichever of them was decided.
    singly = (place for place, whole in map(cursor.at_line, sorted(lines)) if not whole)
    return next(singly, None)


def reading_alike(
    project: Project, queue: Queue, difference: str, resolution: Resolution
) -> Generator[Progress, None, Offer]:
    """Those like a difference (id) on which the same can be decided."""
    items = yield from previewing_alike(project, queue, difference, resolution.choice)
    return Offer(difference, resolution, items)


def drafts_of(
    queue: Queue, names: Sequence[str], by: str, resolution: Resolution, report: OpenReport | None
) -> dict[str, Decision]:
    """Decisions on differences (ids) as they will be on disk; what holds, for those of the open report."""
    drafts = {}
    for name in names:
        one = queue.differences[name]
        known = report is not None and report.stored.uuid == one.document
        text = report.text if report is not None and known else None
        drafts[name] = draft_decision(queue, one, by, resolution, text)
    return drafts

"""What there is to read of a queue before one is in it: whose sets, and in which reports."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.gui.modes.reconcile.queue.position import Places, QueueCursor, QueuePlace, listing_places
from app.gui.modes.reconcile.queue.rationale import Offer
from app.operations.annotate.exposure import unseen_reports
from app.operations.reconcile.preview import BELOW, ORDERS, SidesOffer, draft_decision, previewing_alike
from app.operations.reconcile.queue import Queue, reading_queue

if TYPE_CHECKING:
    from app.operations.annotate.report import OpenReport
    from app.operations.reconcile.decisions import Resolution
    from app.reconcile.queue import Order
    from app.store.project import Project
    from app.store.reconcile.decisions import Decision
    from extractors.model.progress import Progress


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

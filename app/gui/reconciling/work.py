"""The queue being worked off: where one is in it, what one decides, shown at once and then put on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.desk import Desk
from app.gui.reconciling.spots import Filters, Spot, Walk, walk_through
from app.operations.adjudicating import (
    BELOW,
    CHOICES,
    choices_for,
    draft_decision,
    offer_sides,
    preview_alike,
)
from app.operations.deciding import EditedSpan, Resolution, decide
from app.operations.disclosing import disclose_all, unseen_reports
from app.operations.reconciling import read_queue

if TYPE_CHECKING:
    from app.operations.adjudicating import AlikeItem, SidesOffer
    from app.operations.reconciling import Queue
    from app.reconcile.choices import Choice
    from app.reconcile.queue import Order
    from app.reconcile.types import Difference
    from app.store.decisions import Decision
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Offer:
    """What was decided on a difference (id), and those like it on which the same can be decided."""

    difference: str
    resolution: Resolution
    items: tuple[AlikeItem, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """What goes with a decision beside the choice itself."""

    reason: str = ""
    note: str = ""
    clause: str = ""
    confidence: float | None = None


class Work(QObject):
    """Reads, keeps and decides the queue of two sides (names).

    `unseen` are the reports (keys) in which a side is hidden from the annotator yet; until `look` there is
    no queue. `queue_changed`: rows may be others. `states_changed`: these differences (ids) are decided
    otherwise.
    `current_changed`: one is elsewhere, or decides on a `whole` pair instead of one difference, or back.
    """

    sides_listed = Signal()
    queue_changed = Signal()
    states_changed = Signal(object)
    current_changed = Signal()
    why_changed = Signal()
    offered = Signal(object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.offer_of_sides: SidesOffer | None = None
        self.left = self.right = ""
        self.below = BELOW
        self.order: Order = "worst"
        self.filters = Filters()
        self.queue: Queue | None = None
        self.decided = 0
        self.refusal = ""
        self.walk = Walk()
        self.current: Spot | None = None
        self.whole = False
        self.why = Why()
        self.unseen: tuple[str, ...] = ()
        self._on_their_way: Counter[str] = Counter()

    # Reading

    def open(self) -> None:
        """Ask whose sets there are, then for the queue of those chosen last."""
        self._desk.worker.ask(offer_sides, self._choose_sides, latest="sides")

    def set_sides(self, left: str, right: str) -> None:
        """Set these two against each other."""
        if (left, right) != (self.left, self.right):
            self.left, self.right = left, right
            self.queue, self.current = None, None
            self.read()

    def set_order(self, below: float, order: Order) -> None:
        """Read the queue in another order, or with another threshold of the token set ratio."""
        if (below, order) != (self.below, self.order):
            self.below, self.order = below, order
            self.read()

    def set_filters(self, filters: Filters) -> None:
        """Show only what these filters keep; the current difference stays until one goes on."""
        self.filters = filters
        if self.queue is not None:
            self.walk = walk_through(self.queue, filters)
            self.queue_changed.emit()
            if self.current is None:
                self._go(self._next_open(None))

    def read(self, turned: bool = False) -> None:
        """Read the queue anew; where undo or redo `turned` a decision, go there."""
        left, right, below, order = self.left, self.right, self.below, self.order
        by = self._desk.annotator
        if not left or not right:
            self._take(None, "Choose at the left whose sets are to be reconciled.")
            return

        def call(project: Project) -> tuple[Queue, tuple[str, ...]]:
            queue = read_queue(project, left, right, below=below, order=order)
            return queue, unseen_reports(project, by, _differing(queue), (left, right))

        self._desk.worker.ask(
            call,
            lambda read: self._see(*read, turned=turned),
            lambda sentence: self._take(None, sentence),
            latest="queue",
        )

    def look(self) -> None:
        """Show the queue, and put on record that both sides are shown in its reports."""
        keys, names, by = self.unseen, (self.left, self.right), self._desk.annotator
        if keys:
            self._desk.worker.note(lambda p: disclose_all(p, by, keys, names), lambda _: self.read())

    def _see(self, queue: Queue, unseen: tuple[str, ...], *, turned: bool) -> None:
        """Show the queue, unless others' quotes would be seen that are hidden from the annotator yet."""
        self.unseen = unseen
        self._take(None if unseen else queue, "", turned=turned)
        if not unseen:
            # Where one has gone on annotating meanwhile, it was with both sides seen.
            keys, names, by = _differing(queue), (queue.left.name, queue.right.name), self._desk.annotator
            self._desk.worker.note(lambda p: disclose_all(p, by, keys, names), lambda _: None)

    def _choose_sides(self, offer: SidesOffer) -> None:
        self.offer_of_sides = offer
        names = [one.name for one in offer.holders]
        if self.left not in names or self.right not in names:
            self.left, self.right = _first_sides(offer)
        self.sides_listed.emit()
        self.read()

    def _take(self, queue: Queue | None, refusal: str, *, turned: bool = False) -> None:
        before = self.queue
        if queue is not None and (queue.left.name, queue.right.name) != (self.left, self.right):
            return
        if queue is not None and before is not None:
            pending = {one: before.decisions[one] for one in self._on_their_way if one in before.decisions}
            queue = replace(queue, decisions={**queue.decisions, **pending})
        self.queue, self.refusal = queue, refusal
        self.decided = queue.decided if queue is not None else 0
        self.walk = walk_through(queue, self.filters) if queue is not None else Walk()
        self.queue_changed.emit()
        there = self._turned(before, queue) if turned and before is not None and queue is not None else None
        kept = self.walk.find(self.current.name) if self.current is not None else None
        self._go(
            there or kept or self._next_open(None), whole=self.whole and there is None and kept is not None
        )
        if turned:
            self.why = self._why_there()
            self.why_changed.emit()

    def _turned(self, before: Queue, after: Queue) -> Spot | None:
        """The first difference on which another decision holds than before."""
        for spot in self.walk.spots:
            one = spot.difference.id
            if before.decisions.get(one) != after.decisions.get(one):
                return spot
        return None

    # Walking

    def go_to(self, spot: Spot, *, whole: bool = False) -> None:
        """Make a difference the current one, or all of its pair."""
        if spot != self.current or whole != self.whole:
            self._go(spot, whole=whole and spot.item.kind == "pair")

    def step(self, by: int) -> None:
        """Go on or back; from a whole pair to the next one."""
        if self.current is not None:
            there = self.walk.step(self.current, by, by_item=self.whole)
        else:
            there = next(iter(self.walk.spots[:1] if by > 0 else self.walk.spots[-1:]), None)
        if there is not None:
            self._go(there)
        elif self.walk.spots:
            self._desk.said.emit("This is the last one." if by > 0 else "This is the first one.")

    def go_to_open(self) -> None:
        """Go to the next difference that is undecided."""
        there = self._next_open(self.current)
        if there is None:
            self._desk.said.emit("Nothing that is shown is undecided.")
        else:
            self._go(there)

    def toggle_whole(self) -> None:
        """Decide on all of the pair, or on its differences one by one again."""
        if self.current is not None and self.current.item.kind == "pair":
            self._go(self.current, whole=not self.whole)

    def _next_open(self, spot: Spot | None) -> Spot | None:
        queue = self.queue
        if queue is None:
            return None
        following = self.walk.after(spot)
        return next((one for one in following if queue.state(one.difference.id) == "open"), None)

    def _go(self, spot: Spot | None, *, whole: bool = False) -> None:
        moved = spot is None or self.current is None or spot.name != self.current.name
        decided = self.decision() is not None
        self.current, self.whole = spot, whole
        # What was set for a decision to come stays.
        if moved or decided:
            self.why = self._why_there()
        self.current_changed.emit()

    def decision(self) -> Decision | None:
        """What is decided on the current difference; None where all of its pair is about to be decided."""
        if self.queue is None or self.current is None or self.whole:
            return None
        return self.queue.decisions.get(self.current.difference.id)

    def _why_there(self) -> Why:
        there = self.decision()
        if there is None:
            return Why()
        return Why(there.reason_code, there.note, there.clause, there.confidence)

    # Deciding

    def targets(self) -> tuple[Difference, ...]:
        """What would be decided on now: the difference, or all undecided ones (else all) of a whole pair."""
        if self.current is None or self.queue is None:
            return ()
        if not self.whole:
            return (self.current.difference,)
        every = self.current.item.differences
        return tuple(one for one in every if self.queue.state(one.id) != "decided") or every

    def choices(self) -> tuple[Choice, ...]:
        """What can be decided on all the targets."""
        offered = [choices_for(one) for one in self.targets()]
        return tuple(choice for choice in CHOICES if offered and all(choice in one for one in offered))

    def decide(self, choice: Choice, seconds: float, spans: Sequence[EditedSpan] = ()) -> None:
        """Decide on the targets, and go on to the next undecided difference."""
        targets = self.targets()
        if choice not in self.choices():
            return
        why = self.why
        resolution = Resolution(
            choice, why.reason, why.note, why.clause, why.confidence, tuple(spans), round(seconds, 1)
        )
        first = targets[0].id
        after = None if choice in ("edited", "ask") else lambda: self._look_for_alike(first, resolution)
        self._decide([one.id for one in targets], resolution, after)
        self._go(self._next_open(self.current))

    def decide_alike(self, names: Sequence[str], resolution: Resolution) -> None:
        """Decide the same on others (ids), in one act; they took no time of their own."""
        self._decide(names, replace(resolution, seconds=None))
        if self.current is not None and self.current.difference.id in names:
            self._go(self._next_open(self.current) or self.current)

    def set_why(self, why: Why) -> None:
        """Give the coming decision a reason and so on; where one is taken, it is taken again with them."""
        if why == self.why:
            return
        self.why = why
        self.why_changed.emit()
        there = self.decision()
        if there is None or self.current is None:
            return
        spans = tuple(
            EditedSpan(one.start, one.end, one.category, one.polarity, one.field)
            for one in there.findings
            if there.choice == "edited" and one.start is not None and one.end is not None
        )
        choice = next((one for one in choices_for(self.current.difference) if one == there.choice), None)
        if choice is None or (choice == "edited" and not spans):
            self._desk.said.emit("The span of this decision is with another difference; change it there.")
            return
        again = Resolution(choice, why.reason, why.note, why.clause, why.confidence, spans, there.seconds)
        self._decide([self.current.difference.id], again)

    def _decide(
        self, names: Sequence[str], resolution: Resolution, after: Callable[[], None] | None = None
    ) -> None:
        queue, by = self.queue, self._desk.annotator
        if queue is None:
            return
        here = self._desk.sheet.report
        text = here.text if here is not None else ""
        drafts = {}
        for name in names:
            one = queue.differences[name]
            known = here is not None and here.stored.uuid == one.document
            drafts[name] = draft_decision(queue, one, by, resolution, text if known else None)
        self._on_their_way.update(names)
        self._patch(drafts)

        def done(taken: tuple[Decision, ...]) -> None:
            self._settle(names)
            self._patch({one.difference: one for one in taken if not self._on_their_way[one.difference]})
            if after is not None:
                after()

        def refused(sentence: str) -> None:
            self._settle(names)
            self._desk.failed.emit(sentence)
            self.read()

        self._desk.worker.act(lambda p: decide(p, by, queue, names, resolution), done, refused)

    def _settle(self, names: Iterable[str]) -> None:
        self._on_their_way.subtract(names)
        self._on_their_way = +self._on_their_way

    def _patch(self, taken: dict[str, Decision]) -> None:
        """Show decisions, as far as the queue still has what they are about."""
        if self.queue is None:
            return
        there = {name: one for name, one in taken.items() if name in self.queue.differences}
        before = sum(self.queue.state(name) == "decided" for name in there)
        self.queue = replace(self.queue, decisions={**self.queue.decisions, **there})
        # Counted again as a whole, thousands would hold up the key.
        self.decided += sum(self.queue.state(name) == "decided" for name in there) - before
        self.states_changed.emit(frozenset(there))

    def _look_for_alike(self, difference: str, resolution: Resolution) -> None:
        queue = self.queue
        if queue is None or difference not in queue.differences:
            return

        def look(project: Project) -> tuple[AlikeItem, ...]:
            return preview_alike(project, queue, difference, resolution.choice)

        def found(items: tuple[AlikeItem, ...]) -> None:
            if self.queue is not None and (self.queue.left, self.queue.right) == (queue.left, queue.right):
                self.offered.emit(Offer(difference, resolution, items))

        self._desk.worker.ask(look, found, latest="alike")


def _differing(queue: Queue) -> list[str]:
    """The reports (keys) of the queue."""
    return [report.key for report in queue.compared if report.differences]


def _first_sides(offer: SidesOffer) -> tuple[str, str]:
    """Those decided between last; else the two people, or others but the gold set, who looked at most."""
    if offer.last is not None:
        return offer.last
    wanted = [one for one in offer.holders if one.kind != "gold"]
    most = sorted(wanted, key=lambda one: (one.kind != "person", -one.reports))[:2]
    names = [one.name for one in offer.holders if one in most]
    return (names[0], names[1]) if len(names) == 2 else ("", "")

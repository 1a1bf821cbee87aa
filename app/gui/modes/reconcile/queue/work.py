"""The queue being worked off: where one is in it, what one decides, shown at once and then put on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.modes.reconcile.queue import position, reading
from app.gui.modes.reconcile.queue.position import Filters, Places, QueueCursor, QueuePlace
from app.gui.modes.reconcile.queue.reading import Drafts, Offer, Place, Rationale, rationale_of, taken_again
from app.gui.session.project_session import ProjectSession
from app.operations.annotate.exposure import disclose_all
from app.operations.reconcile.decisions import EditedSpan, Resolution, decide
from app.operations.reconcile.preview import BELOW, CHOICES, SidesOffer, choices_for, offer_sides

if TYPE_CHECKING:
    from app.operations.reconcile.queue import Queue, State
    from app.reconcile.gold import Choice
    from app.reconcile.queue import Order
    from app.reconcile.types import Difference
    from app.store.reconcile.decisions import Decision


class Work(QObject):
    """Reads, keeps and decides the queue of two sides (names).

    `unseen` are the reports (keys) in which a side is hidden from the annotator yet; without `show_queue`
    there is no queue. `queue_changed`: rows may be others. `states_changed`: these differences (ids) are
    decided otherwise. `leaving`: what is being written for the current difference is to be saved now.
    `current_changed`: one is elsewhere, or decides on a `whole` pair instead of one difference, or back.
    While it is `busy`, one stays at the current difference, and is told so.
    """

    sides_listed = Signal()
    queue_changed = Signal()
    states_changed = Signal(object)
    leaving = Signal()
    current_changed = Signal()
    rationale_changed = Signal()
    offered = Signal(object)

    def __init__(self, session: ProjectSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.offer_of_sides: SidesOffer | None = None
        self.left = self.right = ""
        self.below = BELOW
        self.order: Order = "worst"
        self.filters, self.cursor = Filters(), QueueCursor()
        self.queue: Queue | None = None
        self.counts: Counter[State] = Counter()
        self.refusal = self.busy = self._latest = ""
        self.current: QueuePlace | None = None
        self.whole = self._from_first = False
        self.rationale, self.drafts = Rationale(), Drafts(lambda: session.annotator)
        self.unseen: tuple[str, ...] = ()
        self._held: tuple[Queue, Places] | None = None
        self._on_their_way: Counter[str] = Counter()
        self._begin_at: tuple[str, str] | None = None
        session.annotator_changed.connect(lambda _: self._show_rationale(self._rationale_there()))

    # Reading

    def resume(self, place: list[str]) -> None:
        """Begin where one was, as `place` told then."""
        before = reading.place_of(place)
        self.left, self.right, self.below, self.order = before.left, before.right, before.below, before.order
        self._begin_at = before.queue_place

    @property
    def place(self) -> list[str] | None:
        """Where one is, to come back to; None before there is a queue."""
        if self.queue is None:
            return None
        queue_place = self.current.name if self.current is not None else None
        return Place(self.left, self.right, self.below, self.order, queue_place).as_words()

    def open(self) -> None:
        """Ask whose sets there are, then for the queue of those chosen last."""
        self._session.worker.ask(offer_sides, self._choose_sides, latest="sides")

    def set_sides(self, left: str, right: str) -> None:
        if (left, right) != (self.left, self.right) and not self._stays():
            self.leaving.emit()
            self.left, self.right = left, right
            self.queue, self.current = None, None
            self.read()

    def set_order(self, below: float, order: Order) -> None:
        """Read the queue in another order, from its first, or with another threshold of the TSR."""
        if (below, order) != (self.below, self.order):
            self._from_first = order != self.order
            self.below, self.order = below, order
            self.read()

    def set_filters(self, filters: Filters) -> None:
        """Show only what these filters keep, and go to its first; without any, stay where one is."""
        self.filters = filters
        if self.queue is None:
            return
        self.cursor = position.cursor_over(self.queue, filters, self.cursor.places)
        self.queue_changed.emit()
        if self.busy:
            return
        kept = (self.cursor.again(self.current) or self._next_open(None)) if filters == Filters() else None
        there = kept or self.cursor.first
        if there is None or there != self.current:
            self._go(there)

    def read(self, turned: bool = False) -> None:
        """Read the queue anew; where undo or redo `turned` a decision, go there."""
        left, right, below, order = self.left, self.right, self.below, self.order
        by = self._session.annotator
        if not left or not right:
            self._take(None, "Choose at the left the two sets to reconcile.")
            return
        self._session.worker.query(
            "Finding the differences",
            lambda p: reading.reading_unseen(p, by, (left, right), below, order),
            lambda read: self._see(*read, turned=turned),
            lambda sentence: self._take(None, sentence),
            latest="queue",
        ).stopped.connect(lambda: self._take(self.queue, "Stopped; choose the sides again to go on."))

    def show_queue(self) -> None:
        """Show the queue, and put on record that both sides are shown in its reports."""
        keys, names, by = self.unseen, (self.left, self.right), self._session.annotator
        if keys:
            self._session.worker.note(lambda p: disclose_all(p, by, keys, names), lambda _: self._show_held())

    def _show_held(self) -> None:
        """Show what was read before it might be seen: to read it again takes as long as the first time."""
        held, self._held = self._held, None
        if held is None or (held[0].left.name, held[0].right.name) != (self.left, self.right):
            self.read()
            return
        self.unseen = ()
        self._take(held[0], "", held[1])

    def _see(self, queue: Queue, places: Places, unseen: tuple[str, ...], *, turned: bool) -> None:
        """Show the queue, unless others' quotes would be seen that are hidden from the annotator yet."""
        self.unseen = unseen
        self._held = (queue, places) if unseen else None
        self._take(None if unseen else queue, "", places, turned=turned)
        if not unseen:
            # Where one has gone on annotating meanwhile, it was with both sides seen.
            keys, names, by = (
                reading.differing(queue),
                (queue.left.name, queue.right.name),
                self._session.annotator,
            )
            self._session.worker.note(lambda p: disclose_all(p, by, keys, names), lambda _: None)

    def _choose_sides(self, offer: SidesOffer) -> None:
        self.offer_of_sides = offer
        names = [one.name for one in offer.holders]
        if self.left not in names or self.right not in names:
            self.left, self.right = reading.first_sides(offer)
        self.sides_listed.emit()
        self.read()

    def _take(
        self, queue: Queue | None, refusal: str, places: Places | None = None, *, turned: bool = False
    ) -> None:
        before, was = self.queue, self.decision()
        if queue is not None and (queue.left.name, queue.right.name) != (self.left, self.right):
            return
        if queue is not None and before is not None:
            coming = self._on_their_way.keys() & before.decisions.keys() & queue.differences.keys()
            pending = {one: before.decisions[one] for one in coming}
            queue = replace(queue, decisions={**queue.decisions, **pending})
        self.queue, self.refusal = queue, refusal
        self.counts = queue.counts() if queue is not None else Counter()
        places = places or self.cursor.places
        self.cursor = QueueCursor() if queue is None else position.cursor_over(queue, self.filters, places)
        self.queue_changed.emit()
        there = reading.turned_place(self.cursor, before, queue) if turned and before and queue else None
        kept = self.cursor.again(self.current)
        if self._from_first and queue is not None and not self.busy:
            kept, self._from_first = self.cursor.first, False
        if kept is None and queue is not None and self._begin_at is not None:
            kept, self._begin_at = self.cursor.find(self._begin_at), None
        self._go(
            there or kept or self._next_open(None), whole=self.whole and there is None and kept is not None
        )
        self._latest = "" if turned else self._latest
        if turned or (was is not None and self.decision() is None):  # undone, maybe in another mode
            self._show_rationale(self._rationale_there())

    # Walking

    def go_to(self, queue_place: QueuePlace, *, whole: bool = False) -> None:
        """Make a difference the current one, or all of its pair."""
        if (queue_place != self.current or whole != self.whole) and not self._stays():
            self._go(queue_place, whole=whole and queue_place.item.kind == "pair")

    def step(self, by: int) -> None:
        """Go on or back; from a whole pair to the next one."""
        if self._stays():
            return
        if self.current is not None:
            there = self.cursor.step(self.current, by, by_item=self.whole)
        else:
            ends = self.cursor.queue_places[:1] if by > 0 else self.cursor.queue_places[-1:]
            there = next(iter(ends), None)
        if there is not None:
            self._go(there)
        elif self.cursor.queue_places:
            self._session.message.emit("This is the last one." if by > 0 else "This is the first one.")

    def go_to_open(self) -> None:
        if self._stays():
            return
        there = self._next_open(self.current)
        if there is None:
            self._session.message.emit("Nothing that is shown is undecided.")
        else:
            self._go_on(there)

    def toggle_whole(self) -> None:
        """Decide on all of the pair, or on its differences one by one again."""
        if self.current is not None and self.current.item.kind == "pair" and not self._stays():
            self._go(self.current, whole=not self.whole)

    def _stays(self) -> bool:
        if self.busy:
            self._session.message.emit(self.busy)
        return bool(self.busy)

    def _next_open(self, queue_place: QueuePlace | None) -> QueuePlace | None:
        """The next undecided one, else the next one to be asked again."""
        return None if self.queue is None else position.next_undecided(self.queue, self.cursor, queue_place)

    def _go_on(self, there: QueuePlace | None) -> None:
        """Go to what comes next by itself; where it was a question already, say so."""
        self._go(there)
        if there is not None and self.queue is not None and self.queue.state(there.difference.id) == "asked":
            self._session.message.emit("Nothing that is shown is undecided; this is to be asked again.")

    def _go(self, queue_place: QueuePlace | None, *, whole: bool = False) -> None:
        self.leaving.emit()
        moved = queue_place is None or self.current is None or queue_place.name != self.current.name
        decided = self.decision() is not None
        self.current, self.whole = queue_place, whole
        # What was set for a decision to come stays.
        if moved or decided:
            self.rationale = self._rationale_there()
        self.current_changed.emit()

    def decision(self) -> Decision | None:
        """What is decided on the current difference; None where all of its pair is about to be decided."""
        if self.queue is None or self.current is None or self.whole:
            return None
        return self.queue.decisions.get(self.current.difference.id)

    def _rationale_there(self) -> Rationale:
        there = self.decision()
        if there is not None:
            return rationale_of(there)
        return self.drafts.rationale(self.current.difference.id) if self.current is not None else Rationale()

    # Deciding

    def targets(self) -> tuple[Difference, ...]:
        """What would be decided on now: the difference, or all undecided ones (else all) of a whole pair."""
        if self.current is None or self.queue is None:
            return ()
        if not self.whole:
            return (self.current.difference,)
        every = self.current.item.differences
        return tuple(one for one in every if self.queue.state(one.id) != "decided") or every

    @property
    def hidden(self) -> bool:
        """Whether the filters do not show the current difference."""
        return self.current is not None and self.cursor.again(self.current) is None

    def choices(self) -> tuple[Choice, ...]:
        offered = [choices_for(one) for one in self.targets()]
        return tuple(choice for choice in CHOICES if offered and all(choice in one for one in offered))

    def decide(self, choice: Choice, seconds: float, spans: Sequence[EditedSpan] = ()) -> None:
        """Decide on the targets, and go on to the next undecided difference."""
        targets, current = self.targets(), self.current
        if choice not in self.choices() or current is None:
            return
        choosing = Resolution(choice, spans=tuple(spans), seconds=round(seconds, 1))
        resolution = self.rationale.added_to(choosing)
        self._latest = first = targets[0].id

        def taken() -> None:
            self.drafts.drop(current.difference.id)
            if choice in ("edited", "ask"):
                self.offered.emit(Offer(first, resolution, ()))
            else:
                self._look_for_alike(first, resolution)

        self._decide([one.id for one in targets], resolution, taken)

    def decide_alike(self, offer: Offer, names: Sequence[str]) -> None:
        """Decide the same on others (ids), in one act, with what the decision was given meanwhile; they took
        no time of their own."""
        queue = self.queue
        there = queue.decisions.get(offer.difference) if queue is not None else None
        if queue is None or there is None:
            return
        again = rationale_of(there).added_to(replace(offer.resolution, seconds=None))
        names = [name for name in names if name in queue.differences]
        self._latest = offer.difference
        self._decide(names, again)
        if self.current is not None and self.current.difference.id in names and not self.busy:
            self._go(self._next_open(self.current) or self.current)

    def set_rationale(self, rationale: Rationale) -> None:
        """Give the coming decision a reason and so on; where one is taken, it is taken again with them."""
        current = self.current
        if rationale == self.rationale or current is None:
            return
        there = self.decision()
        if there is None:
            self.drafts.keep(current.difference.id, rationale)
            self._show_rationale(rationale)
            return
        again = taken_again(there, current.difference, rationale)
        if again is None:
            self._session.message.emit("This was decided with the first of the pair; change it there.")
            # The panel shows what was just pressed.
            self._show_rationale(self.rationale)
            return
        self._latest = current.difference.id
        self._show_rationale(rationale)
        self._decide([current.difference.id], again)

    def _show_rationale(self, rationale: Rationale) -> None:
        self.rationale = rationale
        self.rationale_changed.emit()

    def _decide(
        self, names: Sequence[str], resolution: Resolution, taken: Callable[[], None] | None = None
    ) -> None:
        """Decide on these; with `taken`, called once it is on disk, go on to the next one meanwhile."""
        queue, by = self.queue, self._session.annotator
        if queue is None:
            return
        self._on_their_way.update(names)
        self._patch(reading.drafts_of(queue, names, by, resolution, self._session.report_model.report))

        def done(there: tuple[Decision, ...]) -> None:
            self._settle(names)
            self._patch({one.difference: one for one in there if not self._on_their_way[one.difference]})
            if taken is not None:
                taken()

        def refused(sentence: str) -> None:
            self._settle(names)
            self._session.failed.emit(sentence)
            self.read()

        if taken is not None:
            # The next report is asked for first: it is not to wait for the disk.
            self._go_on(self._next_open(self.current))
        self._session.worker.act(lambda p: decide(p, by, queue, names, resolution), done, refused)

    def _settle(self, names: Iterable[str]) -> None:
        self._on_their_way.subtract(names)
        self._on_their_way = +self._on_their_way

    def _patch(self, taken: dict[str, Decision]) -> None:
        """Show decisions, as far as the queue still has what they are about."""
        if self.queue is None:
            return
        there = {name: one for name, one in taken.items() if name in self.queue.differences}
        # Counted again as a whole, thousands would hold up the key.
        self.counts.subtract(map(self.queue.state, there))
        self.queue = replace(self.queue, decisions={**self.queue.decisions, **there})
        self.counts.update(map(self.queue.state, there))
        self.states_changed.emit(frozenset(there))

    def _look_for_alike(self, difference: str, resolution: Resolution) -> None:
        queue = self.queue
        if queue is None or difference not in queue.differences:
            return

        def found(offer: Offer) -> None:
            now = self.queue
            if now is None or (now.left, now.right) != (queue.left, queue.right):
                return
            # Of what was decided last, and as it was decided last, alone.
            there = now.decisions.get(difference)
            if self._latest == difference and there is not None and there.choice == resolution.choice:
                self.offered.emit(offer)

        steps = partial(reading.reading_alike, queue=queue, difference=difference, resolution=resolution)
        self._session.worker.query("Finding others alike", steps, found, latest="alike")

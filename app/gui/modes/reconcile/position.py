"""The queue as one walks through it: which items are shown, and the differences one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.operations.reconcile.queue import Queue, State
    from app.reconcile.queue import ItemKind, QueueItem
    from app.reconcile.types import Difference


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """One difference within an item of the queue; `number` counts from 0 within a pair."""

    item: QueueItem
    number: int

    @property
    def difference(self) -> Difference:
        """What is to be decided here."""
        return self.item.differences[self.number]

    @property
    def name(self) -> tuple[str, str]:
        """Tells it from every other place, also of a queue that was read anew."""
        return self.item.id, self.difference.id


@dataclass(frozen=True, slots=True)
class Filters:
    """Which differences to show; all where nothing is given. `words` must all stand in quotes or title."""

    kind: ItemKind | None = None
    category: str = ""
    state: State | None = None
    words: str = ""

    def keeps(self, queue: Queue, item: QueueItem, one: Difference) -> bool:
        """Whether a difference of an item is shown."""
        if self.kind is not None and self.kind not in (item.kind, one.kind):
            return False
        if self.category and self.category not in one.group.categories:
            return False
        if self.state is not None and queue.state(one.id) != self.state:
            return False
        return not self.words or self._holds(item, one)

    def _holds(self, item: QueueItem, one: Difference) -> bool:
        said = " ".join([item.report, item.title, *(mark.finding.quote for mark in one.group.marks)])
        folded = said.casefold()
        return all(word in folded for word in self.words.casefold().split())


@dataclass(frozen=True, slots=True)
class Row:
    """An item that is shown, with those of its places that are."""

    item: QueueItem
    queue_places: tuple[QueuePlace, ...]


@dataclass(frozen=True, slots=True)
class QueueCursor:
    """What a filter shows of a queue, in its order, and where each place stands in it."""

    rows: tuple[Row, ...] = ()
    queue_places: tuple[QueuePlace, ...] = ()
    places: dict[tuple[str, str], int] = field(default_factory=dict)
    row_of: dict[str, int] = field(default_factory=dict)

    def find(self, name: tuple[str, str]) -> QueuePlace | None:
        """The place of that name, where it is shown."""
        place = self.places.get(name)
        return None if place is None else self.queue_places[place]

    def step(self, queue_place: QueuePlace, by: int, *, by_item: bool = False) -> QueuePlace | None:
        """The place `by` places on, or the first one of the item `by` items on; None beyond the ends."""
        if by_item:
            row = self.row_of.get(queue_place.item.id, 0) + by
            return self.rows[row].queue_places[0] if 0 <= row < len(self.rows) else None
        place = self.places.get(queue_place.name, -1) + by
        return self.queue_places[place] if 0 <= place < len(self.queue_places) else None

    def after(self, queue_place: QueuePlace | None) -> Iterator[QueuePlace]:
        """Every place once, from the one after this on, round the end."""
        start = self.places.get(queue_place.name, -1) + 1 if queue_place is not None else 0
        yield from self.queue_places[start:]
        yield from self.queue_places[:start]


def next_undecided(queue: Queue, cursor: QueueCursor, queue_place: QueuePlace | None) -> QueuePlace | None:
    """The undecided place after this one, round the end; where there is none, one to be asked again."""
    for state in ("open", "asked"):
        for one in cursor.after(queue_place):
            if queue.state(one.difference.id) == state:
                return one
    return None


def walk_through(queue: Queue, filters: Filters) -> QueueCursor:
    """What the filters show of a queue."""
    rows = []
    for item in queue.items:
        queue_places = tuple(
            QueuePlace(item, number)
            for number, one in enumerate(item.differences)
            if filters.keeps(queue, item, one)
        )
        if queue_places:
            rows.append(Row(item, queue_places))
    queue_places = tuple(queue_place for row in rows for queue_place in row.queue_places)
    return QueueCursor(
        tuple(rows),
        queue_places,
        {queue_place.name: place for place, queue_place in enumerate(queue_places)},
        {row.item.id: place for place, row in enumerate(rows)},
    )

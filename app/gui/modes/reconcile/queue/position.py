"""The queue as one walks through it: which items are shown, and the differences one after the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.reconcile.queue import Queue, State
    from app.reconcile.queue import ItemKind, QueueItem
    from app.reconcile.types import Difference

# So many items of a queue at a time, some milliseconds.
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """One difference within an item of the queue; `number` counts from 0 within a pair."""

    item: QueueItem
    number: int

    @property
    def difference(self) -> Difference:
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

    def kept(self, queue: Queue, places: Places) -> Sequence[int]:
        """The numbers of the places that are shown, in order."""
        shown: Sequence[int] = range(len(places.all))
        if self.kind is not None:
            shown = [one for one in shown if self.kind in places.kinds[one]]
        if self.category:
            shown = [one for one in shown if self.category in places.categories[one]]
        if self.state is not None:
            shown = [one for one in shown if queue.state(places.all[one].difference.id) == self.state]
        for word in self.words.casefold().split():
            shown = [one for one in shown if word in places.words[one]]
        return shown


@dataclass(frozen=True, slots=True)
class Places:
    """Every place of a queue in its order, with what filters ask of each: made once, in steps.

    `numbers` by name; `about` by difference (id), which may stand in several pairs.
    """

    all: tuple[QueuePlace, ...] = ()
    kinds: tuple[tuple[ItemKind, ItemKind], ...] = ()
    categories: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] = ()
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    about: dict[str, tuple[int, ...]] = field(default_factory=dict)


def listing_places(queue: Queue) -> Generator[Progress, None, Places]:
    """The places of a queue, some items at a time."""
    found: list[QueuePlace] = []
    kinds: list[tuple[ItemKind, ItemKind]] = []
    categories: list[tuple[str, ...]] = []
    words: list[str] = []
    numbers: dict[tuple[str, str], int] = {}
    about: dict[str, tuple[int, ...]] = {}
    for done, item in enumerate(queue.items):
        if done % _AT_ONCE == 0:
            yield Progress(done, len(queue.items))
        for number, one in enumerate(item.differences):
            place = QueuePlace(item, number)
            numbers[place.name] = len(found)
            about[one.id] = (*about.get(one.id, ()), len(found))
            found.append(place)
            kinds.append((item.kind, one.kind))
            categories.append(one.group.categories)
            text = " ".join([item.report, item.title, *(quote.finding.quote for quote in one.group.quotes)])
            words.append(text.casefold())
    return Places(tuple(found), tuple(kinds), tuple(categories), tuple(words), numbers, about)


@dataclass(frozen=True, slots=True)
class QueueCursor:
    """What a filter shows of a queue, in its order, and where each place stands in it.

    `shown` are the numbers of `queue_places` among all `places`. `lines` are the rows of a list of them, in
    order: twice the number of a place and one; before the first one of a pair, twice its number.
    """

    places: Places = field(default_factory=Places)
    shown: Sequence[int] = ()
    queue_places: tuple[QueuePlace, ...] = ()
    lines: Sequence[int] = ()

    @property
    def first(self) -> QueuePlace | None:
        return next(iter(self.queue_places), None)

    def again(self, queue_place: QueuePlace | None) -> QueuePlace | None:
        return self.find(queue_place.name) if queue_place is not None else None

    def find(self, name: tuple[str, str]) -> QueuePlace | None:
        place = self._place(name)
        return None if place is None else self.queue_places[place]

    def step(self, queue_place: QueuePlace, by: int, *, by_item: bool = False) -> QueuePlace | None:
        """The place `by` places on, or the first one of the item before or after; None beyond the ends."""
        if by_item:
            return self._step_item(queue_place, by)
        there = self._place(queue_place.name)
        place = (-1 if there is None else there) + by
        return self.queue_places[place] if 0 <= place < len(self.queue_places) else None

    def after(self, queue_place: QueuePlace | None) -> Iterator[QueuePlace]:
        """Every place once, from the one after this on, round the end."""
        there = self._place(queue_place.name) if queue_place is not None else None
        start = 0 if there is None else there + 1
        yield from self.queue_places[start:]
        yield from self.queue_places[:start]

    def line(self, queue_place: QueuePlace, *, whole: bool) -> int | None:
        """The row of a place in a list, or of the pair it is in; None where it is not shown."""
        if not whole:
            number = self.places.numbers.get(queue_place.name)
            return None if number is None else _found(self.lines, 2 * number + 1)
        first = self._first_of(queue_place)
        return None if first is None else _found(self.lines, 2 * self.shown[first])

    def lines_about(self, difference: str) -> set[int]:
        """The rows that say something of a difference (id)."""
        there = [self.places.all[number] for number in self.places.about.get(difference, ())]
        lines = (self.line(place, whole=whole) for place in there for whole in (False, True))
        return {line for line in lines if line is not None}

    def at_line(self, line: int) -> tuple[QueuePlace, bool]:
        """Where a row leads to, and whether it stands for a whole pair."""
        number, single = divmod(self.lines[line], 2)
        return self.places.all[number], not single

    def _place(self, name: tuple[str, str]) -> int | None:
        number = self.places.numbers.get(name)
        return None if number is None else _found(self.shown, number)

    def _first_of(self, queue_place: QueuePlace) -> int | None:
        """The first place that is shown of an item."""
        item = queue_place.item
        number = self.places.numbers.get((item.id, item.differences[0].id))
        if number is None:
            return None
        first = bisect_left(self.shown, number)
        there = first < len(self.shown) and self.queue_places[first].item.id == item.id
        return first if there else None

    def _step_item(self, queue_place: QueuePlace, by: int) -> QueuePlace | None:
        place = self._first_of(queue_place) or 0
        if by < 0:
            return self._first_shown(place - 1)
        item = queue_place.item.id
        return next((one for one in self.queue_places[place:] if one.item.id != item), None)

    def _first_shown(self, place: int) -> QueuePlace | None:
        first = self._first_of(self.queue_places[place]) if place >= 0 else None
        return None if first is None else self.queue_places[first]


def _found(numbers: Sequence[int], number: int) -> int | None:
    """Where a number stands among sorted ones."""
    place = bisect_left(numbers, number)
    return place if place < len(numbers) and numbers[place] == number else None


def next_undecided(queue: Queue, cursor: QueueCursor, queue_place: QueuePlace | None) -> QueuePlace | None:
    """The undecided place after this one, round the end; where there is none, one to be asked again."""
    for state in ("open", "asked"):
        for one in cursor.after(queue_place):
            if queue.state(one.difference.id) == state:
                return one
    return None


def cursor_over(queue: Queue, filters: Filters, places: Places) -> QueueCursor:
    """What the filters show of a queue with these places."""
    shown = filters.kept(queue, places)
    queue_places = tuple(places.all[one] for one in shown) if len(shown) < len(places.all) else places.all
    lines = []
    pair = ""
    for number, place in zip(shown, queue_places, strict=True):
        item = place.item
        if item.kind == "pair" and item.id != pair:
            pair = item.id
            lines.append(2 * number)
        lines.append(2 * number + 1)
    return QueueCursor(places, shown, queue_places, lines)

"""The walk through a queue, and rows that say things only when they are painted."""

from __future__ import annotations

from dataclasses import replace

from app.gui.modes.reconcile.model import SHOWN, Shown
from app.gui.modes.reconcile.position import Filters, walk_through
from app.gui.modes.reconcile.rows import shared_room
from tests.gui.modes.reconcile.conftest import Reconciling


def test_the_next_undecided_is_looked_for_round_the_end(rec: Reconciling) -> None:
    assert rec.work.queue is not None
    cursor = walk_through(rec.work.queue, Filters())
    last = cursor.queue_places[-1]
    assert next(cursor.after(last)) == cursor.queue_places[0]
    assert len(list(cursor.after(cursor.queue_places[2]))) == len(cursor.queue_places)
    assert cursor.step(last, 1) is None


def test_rows_tell_kind_state_and_both_sides(rec: Reconciling) -> None:
    model = rec.mode.queue.model
    rows = [model.index(row, 0).data(SHOWN) for row in range(model.rowCount())]
    assert all(isinstance(row, Shown) for row in rows)
    told = {(row.kind, row.left, row.right) for row in rows}
    assert ("polarity", "negated “rash”", "present “rash”") in told
    assert ("label", "CV “heart was large”", "LI “heart was large”") in told
    assert ("missing", "“fever”", "nothing") in told
    accessible = model.index(0, 0).data()
    assert accessible.startswith("Little in common, undecided. 1 in PMC1 · token set ratio 0 ")


def test_a_decision_is_told_of_its_own_rows_alone(rec: Reconciling) -> None:
    model = rec.mode.queue.model
    changed: list[int] = []
    model.dataChanged.connect(lambda first, last, _: changed.extend(range(first.row(), last.row() + 1)))
    rec.go_to("PMC1", "boundary")
    queue_place = rec.work.current
    assert queue_place is not None
    rec.press("L")
    place = model.place(queue_place, whole=False)
    assert set(changed) == {place}


def test_the_walk_keeps_names_that_a_queue_read_anew_finds_again(rec: Reconciling) -> None:
    queue = rec.work.queue
    assert queue is not None
    before = walk_through(queue, Filters())
    after = walk_through(replace(queue, items=tuple(reversed(queue.items))), Filters())
    assert {queue_place.name for queue_place in before.queue_places} == {
        queue_place.name for queue_place in after.queue_places
    }
    assert all(after.find(queue_place.name) == queue_place for queue_place in before.queue_places)


def test_a_row_gives_a_quote_the_room_that_the_other_side_does_not_need() -> None:
    assert shared_room(100, 80, 80) == (50, 50)
    assert shared_room(100, 80, 20) == (80, 20)
    assert shared_room(100, 20, 80) == (20, 80)
    assert shared_room(100, 20, 20) == (20, 80)

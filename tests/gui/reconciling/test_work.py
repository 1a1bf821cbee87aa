"""The walk through a queue, and rows that say things only when they are painted."""

from __future__ import annotations

from dataclasses import replace

from app.gui.modes.reconcile.model import SHOWN, Shown
from app.gui.modes.reconcile.position import Filters, walk_through
from app.gui.modes.reconcile.rows import shared_room
from tests.gui.reconciling.conftest import Reconciling


def test_the_next_undecided_is_looked_for_round_the_end(rec: Reconciling) -> None:
    assert rec.work.queue is not None
    walk = walk_through(rec.work.queue, Filters())
    last = walk.spots[-1]
    assert next(walk.after(last)) == walk.spots[0]
    assert len(list(walk.after(walk.spots[2]))) == len(walk.spots)
    assert walk.step(last, 1) is None


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
    spot = rec.work.current
    assert spot is not None
    rec.press("L")
    place = model.place(spot, whole=False)
    assert set(changed) == {place}


def test_the_walk_keeps_names_that_a_queue_read_anew_finds_again(rec: Reconciling) -> None:
    queue = rec.work.queue
    assert queue is not None
    before = walk_through(queue, Filters())
    after = walk_through(replace(queue, items=tuple(reversed(queue.items))), Filters())
    assert {spot.name for spot in before.spots} == {spot.name for spot in after.spots}
    assert all(after.find(spot.name) == spot for spot in before.spots)


def test_a_row_gives_a_quote_the_room_that_the_other_side_does_not_need() -> None:
    assert shared_room(100, 80, 80) == (50, 50)
    assert shared_room(100, 80, 20) == (80, 20)
    assert shared_room(100, 20, 80) == (20, 80)
    assert shared_room(100, 20, 20) == (20, 80)

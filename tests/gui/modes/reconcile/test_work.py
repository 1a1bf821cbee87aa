"""The walk through a queue, and rows that say things only when they are painted."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication

from app.gui.modes.reconcile.queue.model import SHOWN, Shown, _in_short, row_words, side_lines, telling
from app.gui.modes.reconcile.queue.position import Filters, QueueCursor, cursor_over, listing_places
from app.gui.modes.reconcile.queue.reading import drafts_of, turned_place
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import NOTHING
from app.operations.reconcile.decisions import Resolution
from app.operations.reconcile.queue import Queue
from app.store.reconcile.decisions import Decision
from extractors.model.progress import finished
from tests.gui.modes.reconcile.conftest import Reconciling


def _walk(queue: Queue) -> QueueCursor:
    return cursor_over(queue, Filters(), finished(listing_places(queue)))


def test_the_next_undecided_is_looked_for_round_the_end(rec: Reconciling) -> None:
    assert rec.work.queue is not None
    cursor = _walk(rec.work.queue)
    last = cursor.queue_places[-1]
    assert next(cursor.after(last)) == cursor.queue_places[0]
    assert len(list(cursor.after(cursor.queue_places[2]))) == len(cursor.queue_places)
    assert cursor.step(last, 1) is None


def test_rows_tell_kind_state_and_both_sides(rec: Reconciling) -> None:
    model = rec.mode.queue.model
    rows = [model.index(row, 0).data(SHOWN) for row in range(model.rowCount())]
    assert all(isinstance(row, Shown) for row in rows)
    pair, large = "Little in common · 1 in PMC1 · score 0", ("CV “heart was large”", "LI “heart was large”")
    assert [(row.heading, row.category, row.left, row.right, row.below, row.current) for row in rows] == [
        (pair, "Vitals_Hema", "“fever”", "nothing", False, False),
        ("Only ana", "Vitals_Hema", "“fever”", "nothing", True, True),
        (pair, "CVS", "“heart was large”", "nothing", False, False),
        ("Category", "CVS", *large, True, False),
        (pair, "Lab_Image", "nothing", "“heart was large”", False, False),
        ("Category", "CVS", *large, True, False),
        ("Edges · PMC1 · Report PMC1", "RESP", "“the cough”", "“cough”", False, False),
        ("Polarity · PMC1 · Report PMC1", "DERM", "negated “rash”", "present “rash”", False, False),
        ("Edges · PMC2 · Report PMC2", "RESP", "“the cough”", "“cough”", False, False),
        ("Edges · PMC3 · Report PMC3", "RESP", "“the wheeze”", "“wheeze”", False, False),
    ]
    accessible = model.index(0, 0).data()
    assert accessible.startswith("Little in common, undecided. 1 in PMC1 · score 0 ")
    rec.press("W")
    # All of it is decided on: the pair is where one is, and none of its differences.
    here = [row for row in range(model.rowCount()) if model.index(row, 0).data(SHOWN).current]
    assert here == [0]
    rec.press("W")


def test_choices_are_called_by_the_sides_and_by_what_they_decide_on(rec: Reconciling) -> None:
    buttons = rec.mode.card.choices.buttons
    assert [button.text() for button in buttons.values()] == [
        "ana (L)", "ben (R)", "Both (B)", "Merge (M)", "Edit (E)", "Neither (N)", "Ask again (A)"
    ]  # fmt: skip
    assert [choice for choice, button in buttons.items() if not button.isEnabled()] == ["merged"]
    assert buttons["left"].accessibleDescription() == "For the left side (L)"
    rec.press("W")
    assert buttons["left"].accessibleDescription() == "For the left side (L) on 1 difference"
    assert rec.mode.card.kind.full_text() == "All of Vital signs and haematology in this report: 1 difference"
    rec.press("W")
    buttons["neither"].click()
    rec.work.go_to(rec.work.cursor.queue_places[0])
    for _ in range(2):
        assert [choice for choice, button in buttons.items() if button.isChecked()] == ["neither"]
        # An edit that is begun decides nothing yet.
        buttons["edited"].click()
    rec.settle()


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


def test_the_next_report_is_read_before_the_decision_is_written(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    came: list[str] = []
    rec.session.report_model.opened.connect(lambda: came.append("report"))
    rec.session.worker.saved.connect(lambda: came.append("saved"))
    rec.work.decide("left", 1.0)
    rec.settle()
    assert came == ["report", "saved"]


def test_another_threshold_leaves_one_where_one_is_and_another_order_begins_anew(rec: Reconciling) -> None:
    rec.go_to("PMC3", "boundary")
    rec.work.set_order(5, rec.work.order)
    rec.settle()
    assert rec.kind == ("PMC3", "boundary")
    rec.work.set_order(5, "frequent")
    rec.settle()
    assert rec.work.current == rec.work.cursor.first
    rec.work.set_order(5, "worst")
    rec.settle()
    assert rec.kind == ("PMC1", "missing")


def test_a_decision_on_its_way_stands_in_a_queue_read_before_it(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    assert rec.work.current is not None
    one = rec.work.current.difference.id
    seen: list[str] = []
    rec.work.queue_changed.connect(lambda: seen.append(rec.work.queue.state(one) if rec.work.queue else ""))
    rec.work.read()
    rec.work.decide("left", 1.0)
    rec.settle()
    assert set(seen) == {"decided"}


def test_of_another_report_it_is_not_said_what_holds_until_it_is_on_disk(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    queue, report = rec.work.queue, rec.session.report_model.report
    assert queue is not None
    edges = [name for name, one in queue.differences.items() if one.kind == "boundary"]
    drafts = drafts_of(queue, edges, "ana", Resolution("left"), report)
    told = {queue.differences[name].report: bool(one.findings) for name, one in drafts.items()}
    assert told == {"PMC1": True, "PMC2": False, "PMC3": False}


def test_the_walk_keeps_names_that_a_queue_read_anew_finds_again(rec: Reconciling) -> None:
    queue = rec.work.queue
    assert queue is not None
    before = _walk(queue)
    after = _walk(replace(queue, items=tuple(reversed(queue.items))))
    assert {queue_place.name for queue_place in before.queue_places} == {
        queue_place.name for queue_place in after.queue_places
    }
    assert all(after.find(queue_place.name) == queue_place for queue_place in before.queue_places)


def test_a_row_gives_a_quote_the_room_that_the_other_side_does_not_need(qapp: QApplication) -> None:
    font = QFont()
    width = QFontMetrics(font).horizontalAdvance("a swelling of the left knee and")
    quote = "a swelling of the left knee and of both ankles"
    for sides in ((quote, NOTHING), (NOTHING, quote)):
        assert " ".join(side_lines(*sides, font, width)) == quote
    assert len(side_lines(quote, "of both ankles", font, width)) == 2


def test_a_pair_without_room_for_its_heading_says_where_it_is_in_the_next_line(qapp: QApplication) -> None:
    font, where = QFont(), "12 in PMC99000006 · score 30"
    pair = Shown("pair", "MSK", "open", where, "“ataxia”", "“gait”", current=False, below=False)
    room = QFontMetrics(font).horizontalAdvance(pair.heading)
    assert row_words(pair, (font, room), (font, room)) == (pair.heading, "“ataxia”", "“gait”")
    words = row_words(pair, (font, room - 1), (font, room))
    assert words == ("Little in common", where, "“ataxia” | “gait”")


def test_a_row_leaves_out_what_both_sides_have_and_never_in_what_they_differ() -> None:
    left = "negated “no swelling of the left knee and of both ankles on the first day”"
    right = "negated “no swelling of the left knee and of both wrists on the first day”"
    ours, theirs = (telling(*sides, lambda line: len(line) < 40) for sides in ((left, right), (right, left)))
    assert "ankles" in ours
    assert "wrists" in theirs
    assert all(len(line) < 40 and "…" in line for line in (ours, theirs))
    assert telling(left, right, lambda _: True) == left
    # What would become no shorter stays as it is; words in the middle have some on either side.
    assert _in_short("one two three", 2, False, False) == "one two three"
    assert _in_short(" one two three four five ", 2, False, False) == " one two … four five "
    assert _in_short(" one two three four five", 2, True, False) == "… four five"
    assert _in_short("one two three four five ", 2, False, True) == "one two … "


def test_a_row_names_who_alone_has_a_span(rec: Reconciling) -> None:
    model = rec.mode.queue.model
    rows = [model.index(row, 0).data(SHOWN) for row in range(model.rowCount())]
    assert rec.work.queue is not None
    names = {rec.work.queue.left.name, rec.work.queue.right.name}
    assert {row.only for row in rows if row.kind == "missing"} <= names
    assert all(row.heading.startswith(f"Only {row.only}") for row in rows if row.kind == "missing")


def test_every_row_leads_to_a_place_and_every_place_to_its_row(rec: Reconciling) -> None:
    assert rec.work.queue is not None
    places = finished(listing_places(rec.work.queue))
    for filters in (Filters(), Filters(kind="pair"), Filters(words="heart"), Filters(state="decided")):
        cursor = cursor_over(rec.work.queue, filters, places)
        rows = [cursor.at_line(line) for line in range(len(cursor.lines))]
        assert [cursor.line(place, whole=whole) for place, whole in rows] == list(range(len(rows)))
        assert [place for place, whole in rows if not whole] == list(cursor.queue_places)
        pairs = dict.fromkeys(one.item.id for one in cursor.queue_places if one.item.kind == "pair")
        assert [place.item.id for place, whole in rows if whole] == list(pairs)
        told = {line for place, _ in rows for line in cursor.lines_about(place.difference.id)}
        assert told == set(range(len(rows)))


def test_items_are_gone_through_one_by_one_to_both_ends(rec: Reconciling) -> None:
    assert rec.work.queue is not None
    first, second, *others = rec.work.queue.items
    several = replace(first, differences=(*first.differences, *second.differences))
    cursor = _walk(replace(rec.work.queue, items=(several, *others)))
    items = list(dict.fromkeys(place.item.id for place in cursor.queue_places))
    there, gone = cursor.first, []
    while there is not None:
        gone.append(there.item.id)
        last, there = there, cursor.step(there, 1, by_item=True)
    assert gone == items
    back, there = [], last
    while there is not None:
        back.append(there.item.id)
        assert there.number == 0
        there = cursor.step(there, -1, by_item=True)
    assert back == items[::-1]


def test_undo_within_a_pair_goes_to_what_was_decided_and_not_to_the_first_of_the_pair(
    rec: Reconciling,
) -> None:
    assert rec.work.queue is not None
    first, second, *others = rec.work.queue.items
    pair = replace(first, differences=(*first.differences, *second.differences))
    queue = replace(rec.work.queue, items=(pair, *others))
    there = next(place for place in _walk(queue).queue_places if place.difference == second.differences[0])
    decision = Decision("", "", "", "", "neither", difference=there.difference.id)
    decided = replace(queue, decisions={there.difference.id: decision})
    assert turned_place(_walk(queue), decided, queue) == there


def test_of_a_whole_pair_what_is_decided_already_stays_unless_all_of_it_is() -> None:
    parts, states = [SimpleNamespace(id=one) for one in "abc"], {"a": "decided"}
    queue = SimpleNamespace(state=lambda name: states.get(name, "undecided"))
    current = SimpleNamespace(item=SimpleNamespace(differences=tuple(parts)), difference=parts[0])
    work: Any = SimpleNamespace(current=current, queue=queue, whole=True)
    assert [one.id for one in Work.targets(work)] == ["b", "c"]
    states |= {"b": "decided", "c": "decided"}
    assert [one.id for one in Work.targets(work)] == ["a", "b", "c"]
    work.whole = False
    assert [one.id for one in Work.targets(work)] == ["a"]

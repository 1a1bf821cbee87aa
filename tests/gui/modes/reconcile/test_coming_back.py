"""What is to be asked again is come to again, and a project opened again goes on where one was."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea

from app.gui.modes.reconcile.queue.position import Filters
from app.gui.modes.reconcile.queue.reading import Place, place_of
from app.gui.shell.look.preferences import Preferences
from tests.gui.modes.reconcile.conftest import ANA, BEN, CTRL, Reconciling, entered


def test_where_nothing_is_undecided_the_questions_come_next(rec: Reconciling) -> None:
    rec.press("L")
    for _ in range(5):
        rec.press("A")
        rec.settle()
    assert rec.work.current is not None
    assert rec.mode.queue.progress.full_text() == "1 of 6 decided, 5 to ask again"
    assert rec.mode.gold.words.text() == "3 spans agreed, 1 decided, 5 to be asked again, 0 undecided."
    first = rec.work.current
    rec.press("U")
    rec.settle()
    assert rec.work.current not in (first, None)
    assert rec.told[-1] == "Nothing that is shown is undecided; this is to be asked again."


def test_no_gold_is_offered_as_if_all_were_done_while_questions_are_left(
    rec: Reconciling,
) -> None:
    rec.press("L")
    for _ in range(5):
        rec.press("A")
        rec.settle()
    rec.work.set_filters(Filters(state="decided"))
    rec.work.set_sides(BEN, ANA)
    rec.settle_session()
    assert rec.work.current is None
    words = "1 decided, 5 to be asked again; choose other filters at the left to come to them."
    assert rec.mode.card.message.text() == words
    assert not rec.mode.card.build.isVisible()


def test_a_project_opened_again_goes_on_where_one_was(rec: Reconciling) -> None:
    rec.mode.queue.below.setValue(5)
    rec.mode.queue.order.setCurrentIndex(1)
    rec.mode.queue.order.activated.emit(1)
    rec.settle()
    rec.go_to("PMC2", "boundary")
    rec.window.close_project()
    again = entered(rec.window, rec.path, rec.qtbot)
    assert again.kind == ("PMC2", "boundary")
    assert (again.work.below, again.work.order) == (5, "frequent")
    assert (again.mode.queue.below.value(), again.mode.queue.order.currentData()) == (5, "frequent")


def test_a_place_is_read_as_it_was_written_and_what_cannot_be_read_is_none(tmp_path: Path) -> None:
    preferences = Preferences()
    place = Place(ANA, BEN, 12.0, "frequent", ("pair", "difference"))
    preferences.set_place(tmp_path / "a.casespan", place.as_words())
    assert place_of(Preferences().place(tmp_path / "a.casespan")) == place
    assert place_of(Preferences().place(tmp_path / "b.casespan")) == Place()
    assert place_of([ANA, BEN, "many", "none"]) == Place(ANA, BEN)
    preferences.forget_recent()
    assert Preferences().place(tmp_path / "a.casespan") == []


def test_how_many_are_shown_is_told_again_after_undo(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("R")
    rec.settle()
    rec.work.set_filters(Filters())
    rec.mode.queue.fill_filters()
    open_only = next(a for a in rec.mode.queue.filter_menu.actions() if a.text() == "Undecided")
    open_only.trigger()
    assert rec.mode.queue.filtered.full_text() == "undecided: 6 shown"
    rec.reader.setFocus()
    rec.press("Z", CTRL)
    rec.qtbot.waitUntil(lambda: rec.mode.queue.filtered.full_text() == "undecided: 7 shown")


def test_the_keys_of_an_edit_are_in_sight_in_a_low_card(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    card = rec.mode.card
    card.setMaximumHeight(card.minimumSizeHint().height())
    rec.press("E")
    record = card.edit.record

    def in_sight() -> bool:
        area = card.viewport()
        return area.rect().contains(record.rect().translated(record.mapTo(area, record.rect().topLeft())))

    rec.qtbot.waitUntil(in_sight)
    rec.press(Qt.Key.Key_Escape)
    rec.qtbot.waitUntil(lambda: card.verticalScrollBar().value() == 0)


def test_tab_leads_from_the_queue_to_the_card(rec: Reconciling) -> None:
    rec.mode.queue.list.setFocus()
    for _ in range(3):
        rec.press(Qt.Key.Key_Tab)
        focused = rec.window.focusWidget()
        if focused is not None and rec.mode.card.isAncestorOf(focused):
            return
    raise AssertionError(focused)


def test_a_low_right_side_scrolls_and_squeezes_nothing(rec: Reconciling) -> None:
    side = rec.mode.right
    assert isinstance(side, QScrollArea)
    side.setMaximumHeight(200)
    rec.qtbot.waitUntil(lambda: side.height() == 200)
    for part in (rec.mode.rationale, rec.mode.clauses, rec.mode.gold):
        assert part.height() >= part.minimumSizeHint().height()
    assert side.verticalScrollBar().maximum() > 0
    inside = side.widget()
    assert inside is not None
    assert inside.width() <= side.viewport().width()

"""What is noted of a difference goes with its decision, and nothing of it is lost on the way there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.gui.modes.reconcile.dialogs import AlikeDialog
from app.gui.modes.reconcile.difference.span_edit import SpanEdit
from app.gui.modes.reconcile.queue.position import Filters
from extractors.model.scheme import default_scheme
from tests.gui.conftest import ME
from tests.gui.modes.reconcile.conftest import ANA, CTRL, Reconciling, Said, write_study


def choose_clause(rec: Reconciling) -> str:
    """By its key, the second of the list."""
    rec.press("C")
    list_ = rec.mode.rationale.clause.view()
    rec.qtbot.waitUntil(list_.isVisible)
    QTest.keyClick(list_, Qt.Key.Key_Home)
    QTest.keyClick(list_, Qt.Key.Key_Down)
    QTest.keyClick(list_, Qt.Key.Key_Return)
    return rec.mode.rationale.clause.itemText(1)


def back_in_the_text(rec: Reconciling) -> None:
    # A screen without a window manager activates nothing by itself.
    rec.window.activateWindow()
    rec.qtbot.waitUntil(rec.reader.hasFocus)


def test_a_clause_chosen_by_keys_is_taken_and_the_next_key_decides(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    clause = choose_clause(rec)
    assert clause
    back_in_the_text(rec)
    rec.press("L")
    (there,) = rec.on_disk()
    assert (there.choice, there.clause) == ("left", clause)


def test_clauses_are_listed_as_the_guideline_shows_them_with_names_of_categories(rec: Reconciling) -> None:
    box, scheme = rec.mode.rationale.clause, default_scheme()
    rec.mode.rationale.set_category("MSK", scheme)
    listed = [box.itemText(row) for row in range(box.count())]
    assert any(scheme.category("Neuro").name in words for words in listed)
    assert not any("`" in words for words in listed)


def test_of_a_difference_in_category_either_guideline_can_be_read(rec: Reconciling) -> None:
    rec.go_to("PMC1", "label")
    clauses = rec.mode.clauses
    both = [clauses.categories.itemData(at) for at in range(clauses.categories.count())]
    assert (set(both), clauses.category) == ({"CVS", "Lab_Image"}, both[0])
    clauses.categories.setCurrentIndex(1)
    with rec.qtbot.waitSignal(clauses.category_changed) as changed:
        clauses.categories.activated.emit(1)
    assert [clauses.category] == changed.args == [both[1]]


def test_a_clause_may_be_typed_and_escape_restores_it(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    box = rec.mode.rationale.clause
    box.setFocus()
    QTest.keyClicks(box, "My own words")
    rec.press(Qt.Key.Key_Return)
    assert rec.reader.hasFocus()
    assert rec.work.rationale.clause == "My own words"
    box.setFocus()
    box.line.selectAll()
    QTest.keyClicks(box, "Others")
    rec.press(Qt.Key.Key_Escape)
    assert rec.reader.hasFocus()
    assert (box.currentText(), rec.work.rationale.clause) == ("My own words", "My own words")
    assert box.line.accessibleName() == "Clause of the guideline"


def test_the_keys_of_a_list_choose_no_clause_in_passing(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    box = rec.mode.rationale.clause
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    rec.qtbot.waitUntil(box.view().isVisible)
    assert rec.work.rationale.clause == ""
    box.hidePopup()


def test_what_is_noted_of_an_undecided_difference_waits_there(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    noted = rec.work.current
    assert noted is not None
    rec.press("T")
    assert rec.mode.unsaved == ""
    QTest.keyClicks(rec.mode.rationale.note, "Ask the cardiologist")
    assert rec.mode.unsaved.startswith("What was noted on 1 undecided difference"), "who closes it is asked"
    rec.press(Qt.Key.Key_Return)
    rec.press("2")
    assert "Saved once you decide" in rec.mode.card.outcome.full_text()
    rec.press(".")
    assert rec.work.current != noted
    assert (rec.mode.rationale.note.text(), rec.work.rationale.reason) == ("", "")
    rec.press(",")
    assert rec.mode.rationale.note.text() == "Ask the cardiologist"
    rec.press("1", CTRL)
    assert rec.told[-1].startswith("What was noted on 1 undecided difference is kept for the decision")
    rec.press("4", CTRL)
    rec.settle()
    rec.press("R")
    (there,) = rec.on_disk()
    assert (there.note, there.reason_code) == ("Ask the cardiologist", "slip")
    assert rec.work.queue is not None
    assert rec.work.drafts.waiting(rec.work.queue) == 0
    assert rec.mode.unsaved == ""


def test_what_somebody_noted_goes_with_nobody_elses_decision(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("T")
    QTest.keyClicks(rec.mode.rationale.note, "Ask the cardiologist")
    rec.press(Qt.Key.Key_Return)
    shown = []
    for name in ("Dr Cai Lin", ME):
        rec.session.set_annotator(name)
        rec.settle()
        rec.work.show_queue()
        rec.settle()
        rec.go_to("PMC1", "boundary")
        shown.append((rec.mode.rationale.note.text(), rec.work.rationale.reason, bool(rec.mode.unsaved)))
    rec.press("L")
    assert shown == [("", "", True), ("Ask the cardiologist", "", True)]
    assert [one.note for one in rec.on_disk()] == ["Ask the cardiologist"]


def test_a_note_half_typed_is_kept_where_another_row_is_clicked(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    noted = rec.work.current
    assert noted is not None
    rec.press("T")
    QTest.keyClicks(rec.mode.rationale.note, "Half a")
    rec.go_to("PMC1", "polarity")
    assert rec.mode.rationale.note.text() == ""
    rec.work.go_to(noted)
    assert rec.mode.rationale.note.text() == "Half a"


def test_what_is_being_typed_stays_when_the_queue_is_read_again(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("T")
    note = rec.mode.rationale.note
    QTest.keyClicks(note, "Half a")
    note.setCursorPosition(2)
    rec.session.reload()
    QTest.keyClicks(note, "!")
    rec.settle()
    QTest.keyClicks(note, "?")
    assert note.text() == "Ha!?lf a"
    assert note.hasFocus()


def test_a_reason_given_afterwards_goes_to_those_alike_too(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    decided = rec.work.current
    assert decided is not None
    rec.press("R")
    rec.qtbot.waitUntil(lambda: rec.mode.card.offer.offer is not None)
    rec.work.go_to(decided)
    rec.press("2")
    rec.settle()
    rec.press("Y")
    rec.dialog(AlikeDialog).decide.click()
    rec.qtbot.waitUntil(lambda: len(rec.on_disk()) == 4)
    assert {one.reason_code for one in rec.on_disk()[1:]} == {"slip"}


def test_others_alike_are_offered_of_the_last_decision_alone(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("R")
    # The answer is on its way when the next decision is taken.
    rec.press("E")
    rec.press(Qt.Key.Key_Return)
    rec.settle()
    assert len(rec.on_disk()) == 2
    assert rec.mode.card.offer.offer is None


def test_the_highlighted_row_is_what_a_key_decides_on(rec: Reconciling) -> None:
    list_ = rec.mode.queue.list
    list_.setFocus()
    rec.press(Qt.Key.Key_Down)
    rec.press(Qt.Key.Key_Down)
    queue_place, whole = rec.mode.queue.model.line(list_.currentIndex().row())
    assert (rec.work.current, rec.work.whole) == (queue_place, whole)
    rec.press("L")
    (there,) = rec.on_disk()
    assert there.difference == queue_place.difference.id
    # From the text, too, one goes through the list.
    rec.reader.setFocus()
    rec.press("N")
    assert rec.mode.queue.model.line(list_.currentIndex().row()) == (rec.work.current, rec.work.whole)


def test_nothing_is_decided_that_the_filters_hide(rec: Reconciling) -> None:
    rec.mode.queue.search.setText("nowhere to be found")
    rec.reader.setFocus()
    rec.press("L")
    assert rec.told[-1] == "No difference matches the filters at the left; nothing was decided."
    for key in ("1", "S", "T", "C", "W", "G", ".", ","):
        rec.told.clear()
        rec.press(key)
        assert rec.told == ["No difference matches the filters at the left."], key
    assert rec.on_disk() == []


def test_a_difference_that_is_being_edited_stays_and_is_not_decided_once_filters_hide_it(
    rec: Reconciling,
) -> None:
    here = rec.work.current
    rec.press("E")
    rec.work.set_filters(Filters(words="nowhere to be found"))
    assert rec.work.current == here
    rec.press(Qt.Key.Key_Escape)
    rec.press("L")
    assert rec.told[-1] == "The filters at the left hide this difference; nothing was decided."
    assert rec.on_disk() == []


def test_while_a_span_is_edited_one_stays_there(rec: Reconciling) -> None:
    rec.go_to("PMC1", "label")
    here = rec.work.current
    rec.press("E")
    for key in (".", ",", "U", "W"):
        rec.told.clear()
        rec.press(key)
        assert rec.told == ["A span is being edited: Return records it, Escape cancels."]
    queue = rec.mode.queue
    queue.list.setCurrentIndex(queue.model.index(0, 0))
    queue.list.clicked.emit(queue.model.index(0, 0))
    assert (rec.work.current, rec.mode.card.edit.active) == (here, True)
    # The row of what is being edited is chosen again.
    assert here is not None
    assert queue.list.currentIndex().row() == queue.model.place(here, whole=False) != 0


def test_the_first_edit_has_the_fields_of_the_first_category(rec: Reconciling) -> None:
    edit = SpanEdit(rec.reader, rec.session.scheme, rec.workbench.actions_)
    rec.go_to("PMC1", "missing")
    assert rec.work.current is not None
    edit.begin(rec.work.current.difference)
    assert (edit.category.currentIndex(), edit.field.itemText(1)) == (0, "temperature")
    edit.end()
    edit.deleteLater()


def test_undo_and_another_annotator_end_an_edit_and_say_so(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("R")
    rec.settle()
    rec.press("E")
    rec.press("Z", CTRL)
    rec.qtbot.waitUntil(lambda: rec.on_disk() == [])
    rec.settle()
    assert not rec.mode.card.edit.active
    assert any("Undone: " in said and "under way was cancelled." in said for said in rec.told)
    rec.told.clear()
    rec.press("E")
    with rec.qtbot.waitSignal(rec.session.annotator_changed):
        rec.session.set_annotator(ANA)
    assert not rec.mode.card.edit.active
    assert "The edit that was under way was cancelled." in rec.told


def test_the_second_of_an_edited_pair_says_where_its_span_is(
    open_study: Callable[[Path], Reconciling], tmp_path: Path
) -> None:
    alone: list[Said] = [("CVS", "fever", "present"), ("CVS", "heart was large", "present")]
    rec = open_study(write_study(tmp_path / "pair.casespan", {"PMC1": (alone, [])}))
    rec.press("W")
    assert len(rec.work.targets()) == 2
    rec.press("E")
    rec.press(Qt.Key.Key_Return)
    rec.settle()
    (second,) = (one.difference for one in rec.on_disk() if not one.findings)
    rec.work.go_to(next(one for one in rec.work.cursor.queue_places if one.difference.id == second))
    assert "Now: decided with the first of the pair." in rec.mode.card.outcome.full_text()
    rec.press("2")
    assert rec.told[-1] == "This was decided with the first of the pair; change it there."
    assert not rec.mode.rationale.reasons["slip"].isChecked()
    assert rec.work.rationale.reason == ""
    rec.press("T")
    QTest.keyClicks(rec.mode.rationale.note, "Not here")
    rec.press(Qt.Key.Key_Return)
    assert rec.mode.rationale.note.text() == ""


def test_a_note_that_was_begun_and_taken_back_gives_way_to_the_next_ones(rec: Reconciling) -> None:
    note = rec.mode.rationale.note
    for kind, typed, key in (
        ("polarity", "Why?", Qt.Key.Key_Return),
        ("boundary", "a", Qt.Key.Key_Backspace),
    ):
        rec.go_to("PMC1", kind)
        rec.press("T")
        QTest.keyClicks(note, typed)
        QTest.keyClick(note, key)
    assert note.hasFocus()
    rec.go_to("PMC1", "polarity")
    assert note.text() == "Why?"


def test_a_reason_that_is_clicked_leaves_what_is_being_typed(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("T")
    QTest.keyClicks(rec.mode.rationale.note, "Half a")
    # On some systems a button takes no focus where it is clicked.
    rec.mode.rationale.reasons["slip"].click()
    assert rec.mode.rationale.note.hasFocus()
    assert (rec.work.rationale.reason, rec.mode.rationale.note.text()) == ("slip", "Half a")

"""Disagreements are worked off by keys; each decision is shown at once, on disk, and one step of undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.dialogs.exchange.export import ExportDialog
from app.gui.dialogs.guidelines.amendment import AmendmentDialog
from app.gui.modes.reconcile.dialogs import AlikeDialog, CorrectionsDialog, OutdatedDialog
from app.gui.modes.reconcile.queue.position import Filters, listing_places
from app.gui.shell.main_window import MainWindow
from app.gui.widgets.guideline_text import as_read
from app.operations.annotate.spans import move_span
from app.store.annotate.annotations import read_annotations
from app.store.annotate.annotators import annotator
from app.store.annotate.disclosures import Disclosure, disclosures
from app.store.project import Project
from extractors.model.progress import finished
from tests.gui.conftest import ME, open_in
from tests.gui.modes.reconcile.conftest import (
    ANA,
    BEN,
    CTRL,
    NONE,
    SAID,
    SHIFT,
    TEXTS,
    Reconciling,
    Said,
    entered,
    write_study,
)


def test_entering_goes_to_the_first_undecided_difference_and_its_place(rec: Reconciling) -> None:
    assert rec.work.current is not None
    assert rec.work.current.item.kind == "pair"
    place = rec.work.current.difference.place
    assert place is not None
    assert rec.reader.caret() == place[0]
    assert rec.reader.hasFocus()
    assert rec.mode.queue.progress.full_text() == "0 of 6 differences decided"
    sides = rec.mode.queue.left, rec.mode.queue.right
    assert tuple(side.currentText() for side in sides) == (ANA, BEN)
    # They stand beside each other as long as every name is whole.
    sides[0].addItem("m" * 20)
    assert sides[0].sizeHint().width() > sides[0].fontMetrics().horizontalAdvance("m" * 20)
    sides[0].removeItem(sides[0].count() - 1)


def test_where_there_is_little_room_the_state_is_a_mark_before_the_kind_is_cut(rec: Reconciling) -> None:
    card = rec.mode.card
    card.setFixedHeight(600)
    QApplication.processEvents()
    wanted = card.kind.sizeHint().width() + card.swatch.sizeHint().width()
    for more, words in ((60, "○"), (400, "○ Undecided")):
        card.setFixedWidth(wanted + more)
        QApplication.processEvents()
        assert (card.kind.text(), card.state.text()) == (card.kind.full_text(), words)
        assert card.state.accessibleName() == "○ Undecided"


def test_both_sides_are_painted_and_what_is_not_in_question_steps_back(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    painted = {(TEXTS["PMC1"][s.start : s.end], s.mine): s.dimmed for s in rec.reader.spans()}
    assert painted[("the cough", True)] is False
    assert painted[("cough", False)] is False
    assert painted[("heart was large", False)] is True
    # Both have it; it is there once.
    assert painted[("deaf", True)] is True
    assert ("deaf", False) not in painted


def test_a_key_decides_at_once_goes_on_and_is_on_disk(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    before = rec.work.current
    assert before is not None
    rec.press("R")
    assert rec.work.queue is not None
    assert rec.work.queue.state(before.difference.id) == "decided"
    assert rec.work.current != before
    assert rec.mode.queue.progress.full_text() == "1 of 6 differences decided"
    (there,) = rec.on_disk()
    assert (there.choice, there.decided_by) == ("right", ME)
    assert [one.quote for one in there.findings] == ["cough"]
    assert there.seconds is not None


def test_what_cannot_be_chosen_says_why_and_its_key_does_nothing(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    both = rec.mode.card.choices.buttons["both"]
    assert not both.isEnabled()
    assert "cannot be both present and negated" in both.accessibleDescription()
    rec.press("B")
    assert rec.on_disk() == []


def test_reason_note_clause_and_confidence_go_with_the_decision_that_follows(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    rec.press("3")
    assert rec.work.rationale.reason
    # The key of a reason takes it back, too.
    rec.press("3")
    assert not rec.work.rationale.reason
    rec.press("3")
    rec.press("S")
    rec.press("T")
    assert rec.mode.rationale.note.hasFocus()
    QTest.keyClicks(rec.mode.rationale.note, "Left or right?")
    rec.press(Qt.Key.Key_Return)
    assert rec.reader.hasFocus()
    rec.mode.rationale.clause.setCurrentIndex(1)
    rec.mode.rationale.clause.activated.emit(1)
    clause = rec.mode.rationale.clause.currentText()
    assert clause
    rec.press("L")
    (there,) = rec.on_disk()
    assert (there.reason_code, there.note, there.confidence) == ("ambiguous-text", "Left or right?", 1.0)
    # How sure one is can be chosen from the list as well.
    confidence = rec.mode.rationale.confidence
    confidence.setCurrentIndex(2)
    confidence.activated.emit(2)
    assert rec.work.rationale.confidence == confidence.itemData(2) not in (None, 1.0)
    assert there.clause == clause
    assert rec.work.rationale.reason == ""


def test_what_either_side_says_is_shown_whole_for_every_difference(rec: Reconciling) -> None:
    card = rec.mode.card
    for place in rec.work.cursor.queue_places:
        rec.work.go_to(place)
        for view, quotes in (
            (card.left, place.difference.group.left),
            (card.right, place.difference.group.right),
        ):
            words = view.quotes.toPlainText().splitlines()
            if quotes and place.difference.kind in ("label", "polarity"):
                # What they differ in is in sight, however long the quotes are.
                words = [line for two in zip(words[1::2], words[::2], strict=True) for line in two]
            quoted = [f"“{one.finding.quote}”" for one in quotes] or ["Nothing here"]
            assert words[::2] == quoted
            names = [rec.session.scheme.category(one.finding.category).name for one in quotes]
            assert [name in line for name, line in zip(names, words[1::2], strict=False)] == [True] * len(
                names
            )
            negated = [one.finding.polarity == "negated" for one in quotes]
            assert ["negated" in line for line in words[1::2]][: len(negated)] == negated
    rec.settle()


def test_a_difference_of_a_list_is_gone_to_or_said_to_be_gone(rec: Reconciling) -> None:
    places = rec.work.cursor.queue_places
    for place in (places[-1], places[1]):
        rec.mode._go_to_decided(place.item.report, place.difference.id)
        assert rec.work.current == place
    rec.mode._go_to_decided("PMC1", "nothing")
    assert rec.told[-1] == "The queue as it is shown has no such difference in PMC1."
    assert rec.work.current == places[1]
    rec.settle()
    rec.told.clear()
    work = rec.work
    for begin, by, there, told in (
        (places[0], 1, places[1], []),
        (places[1], -1, places[0], []),
        (places[0], -1, places[0], ["This is the first one."]),
        (places[-1], 1, places[-1], ["This is the last one."]),
    ):
        rec.told.clear()
        work.go_to(begin)
        work.step(by)
        assert (work.current, rec.told) == (there, told)
    # From a whole pair to the next one, in whose first difference one is then.
    work.go_to(places[0], whole=True)
    work.step(1)
    assert (work.current, work.whole) == (places[1], False)
    work.go_to(places[-1], whole=True)
    assert not work.whole, "it is no pair"
    work.busy = "Wait."
    rec.told.clear()
    work.go_to(places[0])
    work.step(-1)
    work.toggle_whole()
    work.go_to_open()
    assert (work.current, rec.told) == (places[-1], ["Wait."] * 3)
    work.busy = ""
    work.go_to_open()
    assert work.current == places[0], "round the end"
    work.set_filters(Filters(state="decided"))
    assert work.current is None
    assert not work.hidden
    work.step(1)
    work.go_to_open()
    assert rec.told[3:] == ["Nothing that is shown is undecided."]
    rec.settle()


def test_what_is_not_in_question_is_dimmed_in_the_text(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    text = rec.reader.text()
    shown = {(text[one.start : one.end], one.dimmed) for one in rec.reader.spans()}
    assert ("rash", False) in shown
    assert {words for words, dimmed in shown if dimmed} >= {"fever", "heart was large"}
    assert ("rash", True) not in shown


def test_a_reason_given_afterwards_is_recorded_with_the_same_choice(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    decided = rec.work.current
    assert decided is not None
    rec.press("L")
    rec.work.go_to(decided)
    rec.press("2")
    first, second = rec.on_disk()
    assert (first.choice, first.reason_code) == ("left", "")
    assert (second.choice, second.reason_code, second.seconds) == ("left", "slip", first.seconds)
    assert rec.work.current == decided


def test_the_clause_of_a_decision_is_marked_in_the_guideline(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    assert "▸" not in rec.mode.clauses.text.toPlainText()
    clause = rec.mode.rationale.clause
    for place in (0, 2):
        clause.setCurrentIndex(place)
        clause.activated.emit(place)
        (marked,) = [
            line for line in rec.mode.clauses.text.toPlainText().splitlines() if line.startswith("▸")
        ]
        assert marked == f"▸ {as_read(clause.itemText(place), rec.session.scheme)}"


def test_undo_takes_a_decision_back_and_goes_there(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    decided = rec.work.current
    assert decided is not None
    rec.press("N")
    rec.press("Z", CTRL)
    rec.qtbot.waitUntil(lambda: rec.on_disk() == [])
    rec.qtbot.waitUntil(lambda: rec.kind == ("PMC1", "boundary"))
    assert rec.work.queue is not None
    assert rec.work.queue.state(decided.difference.id) == "open"


def test_an_edited_span_is_the_readers_selection_with_what_the_card_says(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("E")
    assert rec.reader.hasFocus()
    assert rec.reader.text()[slice(*rec.reader.selection())] == "the cough"
    for _ in range(4):
        rec.press(Qt.Key.Key_Right, SHIFT)
    rec.mode.card.edit.polarity.setCurrentText("uncertain")
    rec.mode.card.edit.polarity.setFocus()
    rec.press(Qt.Key.Key_Return)
    (there,) = rec.on_disk()
    assert there.choice == "edited"
    assert [(one.quote, one.polarity) for one in there.findings] == [("the cough and", "uncertain")]


def test_more_than_one_span_may_be_given(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("E")
    first = rec.reader.selection()
    rec.press("+")
    # The same once more is the same.
    rec.reader.select(*first)
    rec.press("+")
    start = TEXTS["PMC1"].index(" fever")
    rec.reader.select(start, start + 6)
    rec.press(Qt.Key.Key_Return)
    (there,) = rec.on_disk()
    assert [one.quote for one in there.findings] == ["the cough", "fever"]


def test_escape_gives_an_edit_up_and_choices_wait_until_then(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("E")
    rec.press("L")
    assert rec.told[-1] == "A span is being edited: Return records it, Escape cancels."
    unsaved = [rec.mode.unsaved]
    rec.press(Qt.Key.Key_Escape)
    assert [*unsaved, rec.mode.unsaved] == ["The span that is being edited is not recorded yet.", ""]
    assert not rec.mode.card.edit.active
    assert rec.reader.selection()[0] == rec.reader.selection()[1]
    assert rec.on_disk() == []


def test_ask_again_leaves_it_undecided_as_a_question(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    asked = rec.work.current
    assert asked is not None
    rec.press("A")
    assert rec.work.queue is not None
    assert rec.work.queue.state(asked.difference.id) == "asked"
    assert rec.work.queue.decided == 0
    rec.mode.queue.fill_filters()
    wanted_words = "To be asked again"
    wanted = next(a for a in rec.mode.queue.filter_menu.actions() if a.text() == wanted_words)
    wanted.trigger()
    assert [queue_place.name for queue_place in rec.work.cursor.queue_places] == [asked.name]
    # Chosen again it is no filter any more.
    rec.mode.queue.fill_filters()
    again = next(a for a in rec.mode.queue.filter_menu.actions() if a.text() == wanted_words)
    assert again.isChecked()
    again.trigger()
    assert rec.work.filters == Filters()


def test_filters_narrow_by_kind_category_and_words(rec: Reconciling) -> None:
    def shown(filters: Filters) -> list[tuple[str, str]]:
        rec.work.set_filters(filters)
        return [
            (queue_place.item.report, queue_place.difference.kind)
            for queue_place in rec.work.cursor.queue_places
        ]

    assert shown(Filters(kind="boundary")) == [(key, "boundary") for key in TEXTS]
    assert {kind for _, kind in shown(Filters(category="DERM"))} == {"polarity"}
    assert set(shown(Filters(kind="pair"))) == {("PMC1", "missing"), ("PMC1", "label")}
    assert shown(Filters(words="wheeze")) == [("PMC3", "boundary")]
    # A report is found by its key also where its title does not have it.
    queue = rec.work.queue
    assert queue is not None
    places = finished(listing_places(replace(queue, items=tuple(replace(i, title="") for i in queue.items))))
    kept = Filters(words="PMC3 wheeze").kept(queue, places)
    assert [places.all[number].item.report for number in kept] == ["PMC3"]


def test_whoever_is_taken_from_the_other_side_leaves_it_to_who_was_here(rec: Reconciling) -> None:
    for box in (rec.mode.queue.left, rec.mode.queue.right):
        other = rec.work.right if box is rec.mode.queue.left else rec.work.left
        before = rec.work.left, rec.work.right
        box.setCurrentIndex(box.findData(other))
        box.activated.emit(box.currentIndex())
        assert (rec.work.left, rec.work.right) == before[::-1]
        assert (rec.mode.queue.left.currentData(), rec.mode.queue.right.currentData()) == before[::-1]
        rec.settle()


def test_a_filter_puts_the_first_of_what_is_left_on_the_card(rec: Reconciling) -> None:
    rec.go_to("PMC3", "boundary")
    rec.work.set_filters(Filters(kind="boundary"))
    # Also where the one on the card is left: one begins at the head of the list.
    assert rec.kind == ("PMC1", "boundary")
    rec.mode.queue.search.setText("whee")
    rec.settle()
    assert rec.kind == ("PMC3", "boundary")
    assert rec.session.report_model.key == "PMC3"


def test_showing_everything_again_leaves_one_where_one_is(rec: Reconciling) -> None:
    rec.mode.queue.search.setText("wheeze")
    rec.mode.queue.search.setText("")
    rec.settle()
    assert rec.kind == ("PMC3", "boundary")
    # So does the last entry of the menu, which empties the search as well.
    rec.mode.queue.search.setText("wheeze")
    rec.mode.queue.fill_filters()
    rec.mode.queue.filter_menu.actions()[-1].trigger()
    assert (rec.mode.queue.search.text(), rec.work.filters, rec.kind) == ("", Filters(), ("PMC3", "boundary"))


def test_where_nothing_matches_the_filters_the_card_says_so(rec: Reconciling) -> None:
    rec.mode.queue.search.setText("nowhere to be found")
    assert rec.mode.card.message.text() == "No difference matches the filters; choose others at the left."
    assert rec.mode.card.message.isVisible()


def test_another_order_begins_at_its_first(rec: Reconciling) -> None:
    rec.go_to("PMC3", "boundary")
    rec.mode.queue.order.setCurrentIndex(1)
    rec.mode.queue.order.activated.emit(1)
    rec.settle()
    assert rec.work.current == rec.work.cursor.queue_places[0]


def test_a_pair_is_decided_whole_by_one_act(rec: Reconciling) -> None:
    rec.go_to("PMC1", "label")
    # How much a pair has in common is told where it is one, and then it can be taken whole.
    told = rec.mode.card.where.full_text(), rec.mode.card.whole.isEnabled()
    assert (told[0].endswith(" · score 0"), told[1]) == (True, True)
    # Not while a span is edited, and then it does not look so.
    rec.press("E")
    rec.mode.card.whole.click()
    assert (rec.work.whole, rec.mode.card.whole.isChecked()) == (False, False)
    rec.press(Qt.Key.Key_Escape)
    rec.press("W")
    assert rec.work.whole
    assert rec.mode.card.kind.full_text().startswith("All of ")
    rec.press("L")
    assert not rec.work.whole
    (there,) = rec.on_disk()
    assert (there.choice, [one.category for one in there.findings]) == ("left", ["CVS"])
    # It stands in the pairs of both its categories.
    assert rec.work.queue is not None
    both = [item for item in rec.work.queue.items if there.difference in [d.id for d in item.differences]]
    assert [rec.work.queue.state_of(item) for item in both] == ["decided", "decided"]


def test_others_alike_are_offered_and_decided_in_one_act(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("2")
    rec.press("R")
    rec.qtbot.waitUntil(lambda: rec.mode.card.offer.offer is not None)
    assert rec.reader.hasFocus()
    bar = rec.mode.card.offer
    offer = bar.offer
    assert offer is not None
    assert bar.text() == "2 others are alike (Y): the same words (1), the same edge “the” (1)"
    rec.work.offered.emit(replace(offer, items=offer.items[:1]))
    assert bar.text() == "1 other is alike (Y): the same words (1)"
    rec.work.offered.emit(offer)
    # One of them is on screen, from which it goes on once that is decided.
    rec.go_to("PMC2", "boundary")
    rec.press("Y")
    dialog = rec.dialog(AlikeDialog)
    assert dialog.decide.text() == "&Decide on 2 differences"
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    rec.qtbot.waitUntil(lambda: len(rec.on_disk()) == 3)
    taken = rec.on_disk()
    assert {one.choice for one in taken} == {"right"}
    assert {one.reason_code for one in taken} == {"slip"}
    # Those alike took no time of their own.
    assert [one.seconds is None for one in taken] == [False, True, True]
    assert rec.work.current is not None
    assert rec.work.current.difference.id not in [one.difference for one in taken]
    # A screen without a window manager activates nothing by itself.
    rec.window.activateWindow()
    rec.qtbot.waitUntil(rec.reader.hasFocus)
    rec.press("Z", CTRL)
    rec.qtbot.waitUntil(lambda: len(rec.on_disk()) == 1)


def test_where_nothing_is_alike_the_key_says_so(rec: Reconciling) -> None:
    rec.press("Y")
    assert rec.told[-1] == "Decide on a difference first; those like it are offered then."
    rec.go_to("PMC1", "polarity")
    rec.press("L")
    rec.settle()
    rec.press("Y")
    assert rec.told[-1] == "Nothing that is undecided is like the difference decided last."
    rec.press("A")
    rec.settle()
    rec.press("Y")
    assert rec.told[-1] == "What is to be asked again is not decided on others."
    rec.press("Z", CTRL)
    rec.settle()
    rec.press("Y")
    assert rec.told[-1] == "Decide on a difference first; those like it are offered then."


def test_what_is_widely_alike_is_offered_folded_and_unticked(
    tmp_path: Path, open_study: Callable[[Path], Reconciling]
) -> None:
    said: dict[str, tuple[list[Said], list[Said]]] = {
        "PMC1": ([("RESP", "cough", "present"), ("RESP", "fever", "present")], []),
        "PMC2": ([("RESP", "cough", "present"), ("RESP", "boy of nine", "present")], []),
    }
    rec = open_study(write_study(tmp_path / "wide.casespan", said))
    rec.mode.queue.search.setText("cough")
    rec.settle()
    rec.reader.setFocus()
    rec.press("L")
    rec.qtbot.waitUntil(lambda: rec.mode.card.offer.offer is not None)
    rec.press("Y")
    dialog = rec.dialog(AlikeDialog)
    groups = [dialog.tree.topLevelItem(row) for row in range(dialog.tree.topLevelItemCount())]
    told = [(one.text(0), one.checkState(0), one.isExpanded()) for one in groups if one is not None]
    checked, unchecked = Qt.CheckState.Checked, Qt.CheckState.Unchecked
    assert told == [
        ("The same words (1)", checked, True),
        ("The same habit: ana alone has a single word (1)", unchecked, False),
        ("All that ana alone has in Respiratory (1)", unchecked, False),
    ]
    assert dialog.decide.text() == "&Decide on 1 difference"
    dialog.reject()


def test_only_what_is_ticked_is_decided(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("L")
    rec.qtbot.waitUntil(lambda: rec.mode.card.offer.offer is not None)
    rec.press("Y")
    dialog = rec.dialog(AlikeDialog)
    assert "He was deaf" in dialog.detail.toPlainText()
    dialog.none.click()
    assert not dialog.decide.isEnabled()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
    assert dialog.decide.text() == "&Decide on 1 difference"
    dialog.decide.click()
    rec.qtbot.waitUntil(lambda: len(rec.on_disk()) == 2)


def test_an_edit_offers_none(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("E")
    rec.press(Qt.Key.Key_Return)
    rec.settle()
    assert rec.mode.card.offer.offer is None


def test_the_whole_queue_by_keyboard_to_gold(rec: Reconciling) -> None:
    for _ in range(6):
        rec.press("L")
        rec.settle()
    assert rec.work.current is None
    assert rec.mode.card.message.text() == "All 6 differences have been decided on."
    assert rec.mode.card.build.isVisible()
    rec.press("G", SHIFT)
    rec.qtbot.waitUntil(lambda: "added" in rec.mode.gold.words.text())
    rec.qtbot.waitUntil(lambda: "gold" in rec.session.rows["PMC1"].others)
    with Project.open(rec.path) as project:
        gold = read_annotations(project, annotator=annotator(project, "gold").uuid)
    assert sorted(one.finding.quote for one in gold) == sorted(
        quote for left, _ in SAID.values() for _, quote, _ in left
    )
    rec.settle()
    rec.press("C", SHIFT)
    dialog = rec.dialog(CorrectionsDialog)
    dialog.annotator.setCurrentText(BEN)
    words = "6 differences with others decided; 0 as ben had it."
    rec.qtbot.waitUntil(lambda: dialog.about.text() == words)
    assert dialog.tree.topLevelItemCount() == 6
    dialog.reject()


def test_stop_and_go_on_finds_the_first_undecided_and_the_same_sides(rec: Reconciling) -> None:
    rec.mode.queue.left.setCurrentText(BEN)
    rec.mode.queue.left.activated.emit(0)
    rec.qtbot.waitUntil(lambda: rec.work.queue is not None and rec.work.queue.left.name == BEN)
    rec.settle()
    rec.press("L")
    undecided = rec.work.current
    assert undecided is not None
    rec.settle()
    rec.window.close_project()
    again = entered(rec.window, rec.path, rec.qtbot)
    assert (again.work.left, again.work.right) == (BEN, ANA)
    assert again.work.current is not None
    assert again.work.current.name == undecided.name


def looks_of(path: Path) -> list[Disclosure]:
    with Project.open(path) as project:
        return [look for look in disclosures(project) if look.annotator == ME]


def test_nothing_of_both_sides_is_shown_until_it_is_asked_for(
    open_study: Callable[[Path], Reconciling], window: MainWindow, qtbot: QtBot, study: Path
) -> None:
    open_in(window, study, qtbot)
    rec = Reconciling(window, qtbot, study)
    rec.press("4", CTRL)
    qtbot.waitUntil(lambda: rec.work.unseen != ())
    assert rec.work.queue is None
    assert rec.mode.queue.list.model().rowCount() == 0
    read_again: list[object] = []
    rec.session.worker.looking.connect(read_again.append)
    assert rec.mode.card.look.isVisible()
    assert looks_of(study) == []
    for chooser in (rec.mode.queue.left, rec.mode.queue.order):
        chooser.setFocus()
        rec.press(Qt.Key.Key_Return)
        rec.press(Qt.Key.Key_Enter)
    assert (rec.work.unseen != (), rec.work.queue, looks_of(study)) == (True, None, [])
    rec.reader.setFocus()
    rec.press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rec.work.queue is not None)
    assert not read_again
    assert rec.work.unseen == ()
    assert len({look.document for look in looks_of(study)}) == 3
    # Who goes on annotating then has seen both, and the record says of which state that was.
    rec.session.controller.set_state("in progress")
    rec.settle_session()
    rec.work.read()
    rec.settle_session()
    here = rec.session.report_model.review.document
    looks = [(look.shown, look.state) for look in looks_of(study) if look.document == here]
    assert len(looks) == 4
    assert [state for _, state in looks][2:] == ["in progress"] * 2


def test_the_keys_act_in_the_text_once_the_differences_were_shown_by_a_click(
    window: MainWindow, qtbot: QtBot, study: Path
) -> None:
    open_in(window, study, qtbot)
    rec = Reconciling(window, qtbot, study)
    rec.press("4", CTRL)
    qtbot.waitUntil(lambda: rec.work.unseen != ())
    look = rec.mode.card.look
    # As a click on some systems leaves it.
    look.setFocus()
    QTest.mouseClick(look, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: rec.work.current is not None)
    rec.settle()
    assert rec.reader.hasFocus()
    rec.press("L")
    rec.settle()
    assert len(rec.on_disk()) == 1


def test_an_offer_of_others_alike_changes_no_heights(rec: Reconciling) -> None:
    card = rec.mode.card
    before = card.minimumSizeHint().height(), card.height()
    rec.go_to("PMC1", "boundary")
    rec.press("L")
    rec.qtbot.waitUntil(card.offer.isVisible)
    rec.settle()
    assert (card.minimumSizeHint().height(), card.height()) == before
    assert card.outcome.full_text() == ""


def test_others_alike_are_set_side_by_side_in_most_of_the_width(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("L")
    rec.qtbot.waitUntil(lambda: rec.mode.card.offer.offer is not None)
    rec.press("Y")
    dialog = rec.dialog(AlikeDialog)
    header = dialog.tree.header()
    first = dialog.tree.currentItem()
    assert first is not None
    assert header.sectionSize(0) < dialog.tree.viewport().width() / 3
    assert header.sectionSize(0) >= dialog.fontMetrics().horizontalAdvance(first.text(0))
    assert dialog.width() >= 0.8 * 0.9 * dialog.screen().availableSize().width()
    dialog.reject()


def test_a_look_at_both_sides_is_on_record_once(rec: Reconciling) -> None:
    before = looks_of(rec.path)
    rec.go_to("PMC2", "boundary")
    rec.press("1", CTRL)
    rec.press("4", CTRL)
    rec.settle()
    assert rec.work.queue is not None
    with Project.open(rec.path) as project:
        shown = {annotator(project, name).uuid for name in (ANA, BEN)}
    assert {look.shown for look in before} == shown
    assert looks_of(rec.path) == before


def test_leaving_gives_the_text_back_and_coming_back_keeps_the_place(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    rec.press("1", CTRL)
    assert rec.reader.spans() == []
    rec.press("L")
    rec.press("4", CTRL)
    rec.settle()
    assert rec.on_disk() == []
    assert rec.kind == ("PMC1", "polarity")
    assert rec.reader.spans()


def test_another_theme_colours_what_stands_beside_the_text(rec: Reconciling) -> None:
    def paper() -> tuple[int, ...]:
        return rec.mode.card.swatch._palette.paper

    light, preferences = paper(), rec.workbench.preferences
    preferences.theme = "dark"
    assert paper() != light
    preferences.theme = "light"
    assert paper() == light


def test_keys_in_a_field_are_typed(rec: Reconciling) -> None:
    rec.mode.queue.search.setFocus()
    for letter in "rlnb":
        rec.press(letter)
    assert rec.mode.queue.search.text() == "rlnb"
    assert rec.on_disk() == []


def test_decisions_that_no_longer_apply_are_listed(rec: Reconciling) -> None:
    rec.go_to("PMC3", "boundary")
    rec.press("R")
    assert len(rec.on_disk()) == 1
    rec.window.close_project()
    with Project.open(rec.path, write=True) as project:
        holder = annotator(project, BEN).uuid
        span = next(
            one for one in read_annotations(project, annotator=holder) if one.finding.quote == "wheeze"
        )
        start = span.finding.start or 0
        move_span(project, span.uuid, start, start + len("wheeze at night"))
    again = entered(rec.window, rec.path, rec.qtbot)
    assert again.mode.queue.outdated.text() == "1 decision no longer applies"
    again.mode.queue.outdated.click()
    dialog = rec.dialog(OutdatedDialog)
    assert dialog.tree.topLevelItemCount() == 1
    dialog.reject()


def test_where_nothing_differs_it_says_so_and_offers_gold(
    open_study: Callable[[Path], Reconciling], tmp_path: Path
) -> None:
    left = {key: (sides[0], sides[0]) for key, sides in SAID.items()}
    rec = open_study(write_study(tmp_path / "agreed.casespan", left))
    words = "ana and ben agree everywhere (9 spans in 3 reports); there is nothing to decide."
    assert rec.mode.card.message.text() == words
    assert rec.mode.card.build.isVisible()
    rec.press("L")
    assert rec.told[-1] == "No difference is shown here; nothing was decided."


def test_without_two_sets_it_says_what_this_is_for(
    open_study: Callable[[Path], Reconciling], project: Path
) -> None:
    rec = open_study(project)
    assert rec.mode.card.message.text().startswith("Here two sets of annotations are reconciled")
    assert not rec.mode.card.build.isVisible()
    rec.press("L", NONE)
    assert rec.on_disk() == []


def test_a_gold_set_is_told_as_built_until_something_changes(rec: Reconciling) -> None:
    rec.press("L")
    rec.press("G", SHIFT)
    rec.qtbot.waitUntil(lambda: "5 differences undecided and left out" in rec.mode.gold.words.text())
    rec.settle()
    offer = rec.work.offer_of_sides
    assert offer is not None
    assert offer.golds == {frozenset((ANA, BEN)): "gold"}
    # The set may have another name, where the usual one holds what was imported.
    rec.work.offer_of_sides = replace(offer, golds={frozenset((ANA, BEN)): BEN})
    rec.mode.gold.export.click()
    dialog = rec.dialog(ExportDialog)
    rec.qtbot.waitUntil(lambda: dialog.form.value.annotator == BEN)
    dialog.reject()
    rec.window.activateWindow()
    rec.reader.setFocus()
    rec.qtbot.waitUntil(rec.reader.hasFocus)
    rec.press("Z", CTRL)
    rec.qtbot.waitUntil(lambda: rec.mode.gold.words.text() == "3 spans agreed, 1 decided, 5 undecided.")


def test_an_amendment_is_drafted_from_a_decision_and_not_before(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    decided = rec.work.current
    assert decided is not None
    rec.press("G")
    assert rec.told[-1] == "Decide first: the amendment is drafted from the decision."
    rec.press("R")
    rec.work.go_to(decided)
    rec.settle()
    rec.press("G")
    dialog = rec.dialog(AmendmentDialog)
    rec.qtbot.waitUntil(lambda: "PMC1" in dialog.about.text())
    assert dialog.form.value.category == "RESP"
    dialog.reject()


def test_a_reason_set_before_turning_to_the_whole_pair_is_kept(rec: Reconciling) -> None:
    rec.go_to("PMC1", "label")
    rec.press("4")
    rec.press("W")
    rec.press("R")
    (there,) = rec.on_disk()
    assert (there.choice, there.reason_code) == ("right", "model-error")


def test_the_queue_is_read_anew_when_spans_have_changed(rec: Reconciling) -> None:
    rec.press("1", CTRL)
    with rec.qtbot.waitSignal(rec.session.annotator_changed):
        rec.session.set_annotator(BEN)
    rec.qtbot.waitUntil(lambda: bool(rec.session.report_model.spans))
    rec.session.controller.remove(list(rec.session.report_model.spans))
    rec.settle_session()
    rec.enter()
    rec.qtbot.waitUntil(lambda: rec.work.queue is not None and len(rec.work.queue.differences) != 6)


def test_what_is_refused_is_said_and_the_queue_read_again(rec: Reconciling) -> None:
    rec.go_to("PMC3", "boundary")
    stale = rec.work.queue
    assert stale is not None
    holder = stale.right.uuid

    def shorten(project: Project) -> None:
        span = next(
            one for one in read_annotations(project, annotator=holder) if one.finding.quote == "wheeze"
        )
        move_span(project, span.uuid, span.finding.start or 0, (span.finding.end or 0) - 1)

    # As if it came from elsewhere: nobody tells the window.
    rec.session.worker.ask(shorten, lambda _: None)
    rec.press("L")
    rec.qtbot.waitUntil(lambda: rec.told != [])
    assert rec.told == ["A quote in question was changed since the queue was read; read the queue again."]
    rec.settle()
    assert rec.work.counts["decided"] == 0
    assert rec.on_disk() == []

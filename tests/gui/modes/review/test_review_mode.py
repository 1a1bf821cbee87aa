"""A run is gone through quote by quote, with one key each, beside the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.inspector import Inspector
from app.gui.modes.review import reviewing
from app.gui.modes.review.cells import verdict_words
from app.gui.session import stopwatch
from app.gui.shell.acts.commands import arranged
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.project.files import create_project
from app.operations.review.verdicts import judge_spans
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.disclosures import disclosures
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reconcile.verdicts import verdicts
from app.store.reports.documents import add_document
from extractors.model.document import Document
from extractors.model.errors import ProjectError
from extractors.model.finding import Finding
from tests.builders import Kept, is_blind
from tests.gui.conftest import ME
from tests.gui.modes.review.conftest import FIRST, RUN, SECOND, Reviewing, place
from tests.verbs import asked

ALT = Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier


def cards(review: Reviewing) -> list[tuple[str, str, str]]:
    """What stands on the cards: relation, mine, theirs."""
    return [
        (
            cell.relation,
            cell.left.finding.quote if cell.left else "",
            cell.right.finding.quote if cell.right else cell.heading,
        )
        for cell in review.mode.reviewing.cells
    ]


def test_cards_stand_in_text_order_and_those_without_a_place_below_a_heading(review: Reviewing) -> None:
    assert cards(review) == [
        ("same", "headache", "headache"),
        ("overlapping", "then ataxia", "ataxia of gait"),
        ("only right", "", "rash"),
        ("only left", "both arms", ""),
        ("ungrounded", "", "Without a place in the text (2)"),
        ("conflict", "", "no fever"),
        ("ungrounded", "", "vomiting"),
    ]


def test_nothing_is_shown_before_somebody_is_chosen_and_the_look_is_recorded(
    reviewed: Path, open_review: Callable[[Path], Reviewing], qtbot: QtBot
) -> None:
    review = open_review(reviewed)
    theirs = review.mode.columns.theirs
    assert review.session.report_model.others == {}
    assert "Casespan records that you have seen them" in theirs.words.text()
    assert theirs.choice.hasFocus()
    assert not theirs.go_on.isVisible()
    assert blind(review, qtbot)
    review.choose()
    assert theirs.pages.currentIndex() == 0
    assert not blind(review, qtbot)


def blind(review: Reviewing, qtbot: QtBot) -> bool:
    return asked(review.session.worker, qtbot, lambda p: is_blind(p, ME, FIRST))


def test_the_text_shows_both_sets_until_the_mode_is_left(review: Reviewing) -> None:
    assert {span.mine for span in review.reader.spans()} == {True, False}
    review.workbench.frame.open_mode("annotate")
    review.settle()
    assert {span.mine for span in review.reader.spans()} == {True}
    review.enter()
    assert {span.mine for span in review.reader.spans()} == {True, False}


def test_before_a_set_is_chosen_every_key_says_so(
    reviewed: Path, open_review: Callable[[Path], Reviewing]
) -> None:
    review = open_review(reviewed)
    review.reader.setFocus()
    for key in "ABERNPS":
        review.mode.strip.sentence.say("")
        review.press(key)
        assert review.message == "Choose an annotation set to review first.", key


def test_a_report_is_judged_by_single_keys(review: Reviewing) -> None:
    assert review.at == "headache"
    review.press("A")
    review.press("A")
    review.press("R")
    assert review.verdicts == {"headache": "accepted", "ataxia of gait": "accepted", "rash": "rejected"}
    assert review.own() == {
        ("Neuro", "headache", "present", "human"),
        ("Neuro", "ataxia of gait", "present", "edited"),
        ("MSK", "both arms", "present", "human"),
    }
    assert review.at == "no fever"
    assert review.mode.columns.theirs.progress.full_text() == "3 of 5 judged"
    review.press("z", CTRL)
    review.mode.reviewing.set_current(6)
    review.press("N")
    assert review.at == "rash"


def test_a_card_says_before_it_is_accepted_that_it_replaces_ones_own(review: Reviewing) -> None:
    review.press("A")
    assert review.at == "ataxia of gait"
    assert review.message.startswith("A replaces yours, B keeps both. The edges differ")
    assert review.mode.strip.buttons["review.both"].isEnabled()
    theirs = review.mode.columns.theirs.list.model()
    assert "accepting replaces yours" in theirs.index(1, 0).data()
    assert "replaces" not in theirs.index(0, 0).data()
    sizes, changed = review.mode.columns._sizes, list[tuple[int, int]]()
    theirs.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    assert len(sizes.texts(review.mode.reviewing.cells[1], "right")) == 2
    review.press("A")
    assert review.at == "rash"
    assert (1, 1) in changed
    assert len(sizes.texts(review.mode.reviewing.cells[1], "right")) == 1
    assert "replaces" not in review.message
    assert not review.mode.strip.buttons["review.both"].isEnabled()


def test_both_are_kept_by_a_key_shown_on_its_button_and_undone_in_one(review: Reviewing) -> None:
    review.press("A")
    assert review.mode.strip.buttons["review.both"].text() == "Keep both (B)"
    before = review.own()
    review.press("B")
    assert review.verdicts == {"headache": "accepted", "ataxia of gait": "accepted"}
    assert review.own() == before | {("Neuro", "ataxia of gait", "present", "accepted")}
    assert review.at == "rash"
    review.press("z", CTRL)
    assert review.own() == before
    assert review.verdicts == {"headache": "accepted"}


def test_where_nothing_is_replaced_there_is_nothing_to_keep_both_of(review: Reviewing) -> None:
    before = review.own()
    review.press("B")
    assert review.message == "Nothing of yours would be replaced here; A accepts it."
    assert (review.own(), review.verdicts) == (before, {})


def test_a_quote_without_a_place_is_not_accepted_but_placed_at_the_selection(review: Reviewing) -> None:
    review.mode.reviewing.set_current(6)
    review.press("A")
    assert "has no place in the text" in review.message
    assert review.verdicts == {}
    review.reader.select(*place("cough"))
    review.press("E")
    assert review.verdicts == {"vomiting": "edited"}
    assert ("GI", "cough", "present", "edited") in review.own()


def test_editing_takes_what_is_selected_and_chosen_when_it_is_finished(review: Reviewing) -> None:
    review.press("N")
    review.press("E")
    assert review.reader.selection() == place("ataxia of gait")
    review.press(Qt.Key.Key_Left, ALT)
    review.press("2")
    review.mode.item_edit.set_category("MSK")
    review.press(Qt.Key.Key_Return)
    assert review.verdicts == {"ataxia of gait": "edited"}
    assert ("MSK", "ataxia of", "negated", "edited") in review.own()
    assert not any(quote == "then ataxia" for _, quote, _, _ in review.own())
    assert review.mode.item_edit.draft is None


def test_a_conflicts_proposed_place_is_framed_and_taken_by_editing(review: Reviewing) -> None:
    review.mode.reviewing.set_current(5)
    assert review.reader.caret() == place("fever")[0]
    assert review.reader.text()[slice(*place("fever"))] == "fever"
    review.press("E")
    assert review.reader.selection() == place("fever")
    review.press(Qt.Key.Key_Return)
    assert ("EENT", "fever", "present", "edited") in review.own()


def test_escape_gives_an_edit_up(review: Reviewing) -> None:
    before = review.own()
    review.press("E")
    review.press(Qt.Key.Key_Escape)
    assert review.mode.item_edit.draft is None
    assert (review.own(), review.verdicts, review.at) == (before, {}, "headache")
    assert review.reader.selection()[0] == review.reader.selection()[1]
    # Going to another card does so, too.
    review.press("E")
    review.mode.reviewing.set_current(2)
    assert review.mode.item_edit.draft is None


def test_category_and_field_of_an_edit_are_picked_from_menus(review: Reviewing) -> None:
    review.press("E")
    strip, edit = review.mode.strip, review.mode.item_edit
    strip.category.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(action for action in menu.actions() if "Derm" in action.text() or "Skin" in action.text()).trigger()
    menu.close()
    draft = edit.draft
    assert draft is not None
    assert draft.category == "DERM"
    strip.field.click()
    fields = QApplication.activePopupWidget()
    assert isinstance(fields, QMenu)
    fields.actions()[1].trigger()
    fields.close()
    assert review.mode.item_edit.draft is not None
    assert review.mode.item_edit.draft.field == "skin"
    edit.set_category("DERM")
    named = (strip.category, strip.polarity, strip.field)
    assert [one.accessibleName() for one in named] == ["Category: DE", "Polarity: present", "Field: skin"]
    for _ in range(2):
        strip.polarity.click()
    edit.set_category("MSK")
    assert [one.text() for one in named] == ["MS (C) ▾", "uncertain (1 2 3)", "no field (F) ▾"]
    for keys, told in (({"review.negated": "7"}, "uncertain (1 7 3)"), ({}, "uncertain (1 2 3)")):
        review.workbench.actions_.add(arranged(review.session.scheme, keys))
        assert strip.polarity.text() == told
    review.press("A")
    assert review.message == "A quote is being edited: Return takes it, Esc cancels."
    strip.give_up.click()
    assert (edit.idle(), review.message) == (True, "No quote is being edited; E begins an edit.")
    review.mode.reviewing.set_current(3)
    edit.begin()
    assert review.message == "There is nothing to edit here; go to a quote of the other set."
    assert (edit.draft, review.verdicts) == (None, {})


def test_one_undo_takes_a_verdict_back_on_the_cards_as_well(review: Reviewing) -> None:
    before = review.own()
    review.press("N")
    review.press("A")
    assert review.own() != before
    review.press("Z", CTRL)
    review.settle()
    assert (review.own(), review.verdicts) == (before, {})


def test_a_second_verdict_takes_the_place_of_the_first(review: Reviewing) -> None:
    before = review.own()
    review.press("N")
    review.press("A")
    review.press("P")
    assert review.at == "ataxia of gait"
    review.press("R")
    assert (review.own(), review.verdicts) == (before, {"ataxia of gait": "rejected"})
    # What is judged offers no more to replace anything.
    review.press("P")
    assert review.message.startswith("The edges differ")
    review.press("P")
    assert review.at == "headache"


def test_what_the_disk_refuses_waits_for_a_verdict_again(
    review: Reviewing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ProjectError("The disk is full.")

    monkeypatch.setattr(reviewing, "judge_spans", refuse)
    with review.qtbot.waitSignal(review.session.failed) as told:
        review.press("A")
    assert told.args == ["The disk is full."]
    assert review.at == "ataxia of gait"
    assert review.mode.reviewing.is_open(review.mode.reviewing.cells[0])


def test_all_that_is_the_same_is_accepted_by_one_key(review: Reviewing) -> None:
    review.session.controller.label(*place("rash"), "DERM")
    review.settle()
    own = review.mode.columns.own
    # What is not under review is not accepted unseen.
    own.filter.setCurrentIndex(own.filter.findData("Neuro"))
    for _ in range(2):
        review.press("S")
        assert review.verdicts == {"headache": "accepted"}
    assert "is left to accept" in review.message
    own.filter.setCurrentIndex(0)
    review.press("S")
    assert review.verdicts == {"headache": "accepted", "rash": "accepted"}


def test_at_the_end_the_next_report_is_offered_and_opened_on_demand(review: Reviewing) -> None:
    for _ in range(5):
        review.press("R")
    assert review.message == f"All 5 are judged here. G opens {SECOND}, where more of {RUN} waits."
    assert review.session.report_model.key == FIRST
    review.press("G")
    review.qtbot.waitUntil(lambda: review.session.report_model.key == SECOND)
    review.qtbot.waitUntil(lambda: review.at == "headache")
    review.press("R")
    assert review.message == f"All 1 are judged here; no other report has anything of {RUN} left."


def test_of_the_category_under_review_the_next_report_is_one_that_has_some(review: Reviewing) -> None:
    own = review.mode.columns.own
    own.filter.setCurrentIndex(own.filter.findData("DERM"))
    review.press("R")
    where = f"{RUN} in {review.session.scheme.category('DERM').name}"
    assert review.message == f"All here are judged; no other report has anything of {where} left."
    review.press("G")
    assert review.message == f"No other report has anything of {where} left to judge."
    assert review.session.report_model.key == FIRST


def test_the_time_from_when_an_item_came_up_is_recorded(
    review: Reviewing, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(stopwatch, "monotonic", lambda: now)
    review.press("R")
    now = 104.0
    review.mode.reviewing.set_current(review.mode.reviewing.current)
    now = 107.5
    review.press("R")
    review.press("E")
    review.press("2")
    now = 110.0
    review.press(Qt.Key.Key_Return)
    seconds = asked(review.session.worker, qtbot, lambda p: [one.seconds for one in verdicts(p)])
    assert seconds[1:] == [7.5, 2.5]


def test_a_report_that_is_opened_for_a_place_goes_on_with_the_item_there(review: Reviewing) -> None:
    review.session.open_report(SECOND)
    review.settle()
    start, end = place("ataxia of gait")
    review.workbench.arrival.wait_for(FIRST, lambda: review.workbench.page.show_place(start, end))
    review.session.open_report(FIRST)
    review.settle()
    assert (review.at, review.reader.caret()) == ("ataxia of gait", start)


def test_a_span_chosen_in_the_text_is_the_current_card(review: Reviewing) -> None:
    there = review.reader.rect_of(*place("rash")).center()
    QTest.mouseClick(review.reader.viewport(), Qt.MouseButton.LeftButton, pos=there)
    assert review.at == "rash"
    columns = review.mode.columns
    assert columns.theirs.list.currentIndex().row() == columns.own.list.currentIndex().row() == 2


def test_what_is_selected_for_an_edit_may_begin_in_another_quote(review: Reviewing) -> None:
    for key, at in ((Qt.Key.Key_Escape, "headache"), (Qt.Key.Key_Return, "ataxia of gait")):
        review.press("E")
        review.reader.select(place("ataxia of gait")[0] + 1, place("ataxia of gait")[0] + 1)
        review.reader.select(*place("ataxia of gait"))
        review.press(key)
        assert (review.at, review.reader.caret()) == (at, place(at)[0])
    assert review.verdicts == {"headache": "edited"}


def test_the_current_quote_is_outlined_in_the_text(review: Reviewing) -> None:
    review.press("N")
    item = review.mode.reviewing.item
    assert item is not None
    assert review.reader.selected_span == item.uuid
    assert review.reader.caret() == place("ataxia of gait")[0]


def test_the_cards_are_gone_through_by_arrows_and_chosen_by_a_click(review: Reviewing) -> None:
    theirs = review.mode.columns.theirs.list
    theirs.setFocus()
    review.press(Qt.Key.Key_Down)
    assert review.at == "ataxia of gait"
    own = review.mode.columns.own.list
    middle = own.visualRect(own.model().index(3, 0)).center()
    assert own.viewport().rect().contains(middle)
    QTest.mouseClick(own.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert review.reader.caret() == place("both arms")[0]
    review.press("A")
    assert "yours alone" in review.message


def test_cards_of_a_row_stand_at_one_height(review: Reviewing) -> None:
    left, right = review.mode.columns.own.list, review.mode.columns.theirs.list
    for row in range(len(review.mode.reviewing.cells)):
        one, other = (view.visualRect(view.model().index(row, 0)) for view in (left, right))
        assert (one.top(), one.height()) == (other.top(), other.height())
    assert left.mapToGlobal(QPoint(0, 0)).y() == right.mapToGlobal(QPoint(0, 0)).y()
    bars = [view.verticalScrollBar() for view in (left, right)]
    for moved, height in ((0, 40), (1, 70)):
        for bar in bars:
            bar.setRange(0, 100)
        bars[moved].setValue(height)
        assert bars[1 - moved].value() == height, "rows stand beside each other wherever one scrolls"


def test_words_that_one_side_alone_has_are_told_apart(review: Reviewing) -> None:
    cell = review.mode.reviewing.cells[1]
    assert cell.words("left") == (("then ", True), ("ataxia", False))
    assert cell.words("right") == (("ataxia ", False), ("of gait", True))
    review.press("N")
    assert review.message.endswith(
        "The edges differ: only your set has “then”; only the other set has “of gait”"
    )


def test_a_card_says_by_ear_what_it_says_by_eye(review: Reviewing) -> None:
    review.press("R")
    model = review.mode.columns.theirs.list.model()
    spoken = [
        model.data(model.index(row, 0), Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())
    ]
    usual = f"no field, present, by {RUN}"
    assert spoken == [
        f"= same\nNeurology and cognition, {usual}: “headache”\n✗ rejected",
        f"≈ overlaps\naccepting replaces yours\nNeurology and cognition, {usual}: “ataxia of gait”",
        f"theirs only\nDermatology, {usual}: “rash”",
        f"nothing by {RUN} here",
        "Without a place in the text (2)",
        f"! conflict\nEyes, ears, nose, throat, {usual}: “no fever”\nDenied.",
        f"? not in text\nGastrointestinal, {usual}: “vomiting”\nAbsent.",
    ]


def test_one_category_can_be_gone_through_alone(review: Reviewing) -> None:
    own = review.mode.columns.own
    own.filter.setCurrentIndex(own.filter.findData("DERM"))
    assert [theirs for _, _, theirs in cards(review)] == ["rash"]
    review.press("N")
    assert review.message.startswith("Only theirs"), "the only one that is open"
    review.press("R")
    assert review.message.startswith("All here are judged")
    own.filter.setCurrentIndex(own.filter.findData("CVS"))
    assert "Neither of you" in review.mode.columns.theirs.words.text()


def test_without_anybody_elses_spans_the_way_to_some_is_shown(
    project: Path, open_review: Callable[[Path], Reviewing]
) -> None:
    theirs = open_review(project).mode.columns.theirs
    assert "let the rules or a model" in theirs.words.text()
    assert theirs.extract.isVisible()
    assert not theirs.go_on.isVisible()


def test_a_project_without_reports_has_nothing_to_review_and_no_fault(
    tmp_path: Path, open_review: Callable[[Path], Reviewing]
) -> None:
    review = open_review(create_project(tmp_path / "empty.casespan", ME))
    assert review.mode.reviewing.cells == ()


def test_where_the_run_has_nothing_the_next_report_is_one_key_away(
    reviewed: Path, open_review: Callable[[Path], Reviewing]
) -> None:
    with Project.open(reviewed, write=True) as project, begin_act(project, "add", ME) as act:
        add_document(act, Document("R", "Nothing of note.", (), {"pmcid": "3"}), "r.xml", "0" * 64)
    review = open_review(reviewed)
    review.choose()
    review.session.open_report("PMC3")
    review.qtbot.waitUntil(lambda: review.session.report_model.key == "PMC3")
    review.settle()
    assert f"{RUN} has nothing in this report." in review.mode.columns.theirs.words.text()
    review.mode.columns.theirs.go_on.click()
    review.qtbot.waitUntil(lambda: review.session.report_model.key == FIRST)


def test_categories_are_not_labelled_by_keys_while_reviewing(review: Reviewing) -> None:
    before = review.own()
    review.press("H")
    assert review.own() == before
    assert not any(panel.isVisible() for panel in review.window.findChildren(Inspector))


def test_done_is_the_same_as_in_annotating(review: Reviewing) -> None:
    review.press(Qt.Key.Key_Return, CTRL)
    review.qtbot.waitUntil(lambda: review.session.rows[FIRST].state == "done")


def write_crowded(path: Path) -> None:
    """A report with 300 spans of mine and 300 of the run's, half of them other than mine."""
    text = " ".join(f"finding{number} of some words." for number in range(400))
    with create_project_file(path, None, ME) as project, begin_act(project, "add", ME) as act:
        stored = add_document(act, Document("R", text, (), {"pmcid": "1"}), "r.xml", "0" * 64)
        for name, shift in ((ME, 0), (RUN, 3)):
            holder = ensure_annotator(act, name, "person" if name == ME else "run").uuid
            spans = []
            for number in range(300):
                start = text.index(f"finding{number} ") + (shift if number % 2 else 0)
                end = start + 12
                spans.append(Finding(project.scheme.ids[number % 14], text[start:end], start, end))
            add_annotations(act, stored.uuid, holder, spans, "model")


@pytest.fixture
def crowded(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(write_crowded, tmp_path / "crowded.casespan")


def test_hundreds_of_quotes_are_stepped_through_one_by_one(
    crowded: Path, open_review: Callable[[Path], Reviewing]
) -> None:
    review = open_review(crowded)
    review.choose()
    report_review = review.mode.reviewing.report_review
    assert report_review is not None
    for _ in report_review.items:
        review.mode.reviewing.next()
    assert len(report_review.items) == 300
    assert review.mode.reviewing.report_review is report_review


def test_somebody_else_reviews_under_the_own_name_and_never_the_own_set(review: Reviewing) -> None:
    review.press("R")
    review.session.set_annotator("Dr Ben Osei")
    review.settle()
    review.choose()
    assert review.verdicts == {}
    assert review.mode.columns.own.title.full_text() == "Dr Ben Osei"
    assert ME in review.mode.reviewing.names
    review.choose(ME)
    review.session.set_annotator(ME)
    review.settle()
    assert review.mode.reviewing.run == ""


def test_who_takes_over_has_seen_nothing_of_what_was_reviewed(review: Reviewing, reviewed: Path) -> None:
    review.session.set_annotator("Dr Ben Osei")
    review.settle()
    assert review.mode.reviewing.run == ""
    assert review.session.showing == ()
    assert review.mode.reviewing.cells == ()
    with Project.open(reviewed) as project:
        assert is_blind(project, "Dr Ben Osei", FIRST)


def test_after_undo_the_quote_of_which_it_was_is_the_current_one(review: Reviewing) -> None:
    first = review.at
    review.press("A")
    assert review.at != first
    review.press("Z", CTRL)
    review.qtbot.waitUntil(lambda: review.at == first)
    review.press("R")
    assert review.verdicts == {first: "rejected"}
    review.press("Z", CTRL)
    review.qtbot.waitUntil(lambda: review.verdicts == {})
    # Of several that were judged in one act it is the first.
    several = [cell.right.uuid for cell in review.mode.reviewing.cells[:3:2] if cell.right]
    review.session.worker.act(lambda p: judge_spans(p, ME, several, "rejected"), lambda _: None)
    review.session.reload()
    review.settle()
    review.qtbot.waitUntil(lambda: len(review.verdicts) == 2)
    review.mode.reviewing.set_current(6)
    review.press("Z", CTRL)
    review.qtbot.waitUntil(lambda: review.at == first)
    assert review.verdicts == {}
    review.press("N")
    review.press("Z", CTRL | Qt.KeyboardModifier.ShiftModifier)
    review.qtbot.waitUntil(lambda: review.at == first)


def test_no_key_throws_an_edit_away(review: Reviewing) -> None:
    review.press("E")
    review.press("2")
    for key in "ARNPSG":
        review.mode.strip.sentence.say("")
        review.press(key)
        assert review.mode.item_edit.draft is not None, key
        assert review.mode.item_edit.draft.polarity == "negated"
        assert review.verdicts == {}
        assert "Esc cancels" in review.message


def test_an_edit_given_up_by_going_elsewhere_is_named_and_closing_would_ask(review: Reviewing) -> None:
    told: list[str] = []
    review.session.message.connect(told.append)
    for leave in (review.mode.reviewing.next, partial(review.press, "1", CTRL)):
        unsaved = [review.mode.unsaved]
        review.press("E")
        unsaved.append(review.mode.unsaved)
        assert unsaved == ["", "The quote that is being edited is not taken over yet."]
        leave()
        assert told == ["The quote that was being edited was left as it is."]
        # What stays selected would be taken for the next quote that is edited.
        assert review.reader.selection()[0] == review.reader.selection()[1]
        told.clear()


def test_an_edit_that_changes_nothing_accepts(review: Reviewing) -> None:
    quote = review.at
    review.press("E")
    review.press(Qt.Key.Key_Return)
    assert review.verdicts == {quote: "accepted"}
    # So does one of a quote that ends within a word.
    report = review.session.report_model.report
    assert report is not None
    start, _ = place("cough")

    def add(project: Project) -> None:
        with begin_act(project, "add", ME) as act:
            holder = ensure_annotator(act, RUN, "run").uuid
            part = Finding("RESP", "cou", start, start + 3)
            add_annotations(act, report.stored.uuid, holder, [part], "model")

    review.session.worker.act(add, lambda _: None)
    review.session.reload()
    review.settle()
    quotes = [cell.right.finding.quote if cell.right else "" for cell in review.mode.reviewing.cells]
    review.mode.reviewing.set_current(quotes.index("cou"))
    review.press("E")
    review.press(Qt.Key.Key_Return)
    assert review.verdicts == {quote: "accepted", "cou": "accepted"}


def test_whom_one_was_shown_before_comes_back_and_of_several_none_is_chosen(review: Reviewing) -> None:
    add_somebody(review, "Zoe")
    for shown in ((RUN, "Zoe"), (RUN,)):
        review.mode.reviewing.choose("")
        review.workbench.frame.open_mode("annotate")
        review.session.show_others(shown)
        review.settle()
        review.enter()
        assert review.mode.reviewing.run == (RUN if len(shown) == 1 else "")
        review.choose()
        assert list(review.session.report_model.others) == [RUN]
        review.workbench.frame.open_mode("annotate")
        review.settle()
        assert set(review.session.report_model.others) == set(shown)
        review.enter()


def test_what_was_accepted_and_then_deleted_says_so(review: Reviewing) -> None:
    review.press("N")
    review.press("N")
    quote = review.at
    review.press("A")
    review.press("1", CTRL)
    made = next(one.uuid for one in review.session.report_model.spans.values() if one.finding.quote == quote)
    review.session.controller.remove([made])
    review.settle()
    review.press("2", CTRL)

    def said_of_it() -> str:
        report_review = review.mode.reviewing.report_review
        item = (
            next((one for one in report_review.items if one.finding.quote == quote), None)
            if report_review
            else None
        )
        return (
            verdict_words(report_review, item.uuid) if report_review is not None and item is not None else ""
        )

    review.qtbot.waitUntil(lambda: said_of_it() == "✓ accepted, removed since")


def test_the_sentence_follows_what_becomes_of_the_current_quote(review: Reviewing) -> None:
    review.press("N")
    review.press("N")
    assert review.message.startswith("Only theirs")
    review.press("A")
    review.press("P")
    assert review.message.startswith("The same")
    review.press("Z", CTRL)
    review.qtbot.waitUntil(lambda: review.message.startswith("Only theirs"))
    review.session.set_annotator("Dr Cai Lin")
    assert review.message == "", "there is no quote of which it would be true"


def test_a_letter_in_the_list_of_sets_judges_nothing_and_shows_nothing_before_it_is_chosen(
    review: Reviewing, reviewed: Path
) -> None:
    add_somebody(review, "Zoe")
    choice = review.mode.columns.theirs.choice
    choice.setFocus()
    before = looks_of(review)
    QTest.keyClick(choice, Qt.Key.Key_Z)
    review.qtbot.waitUntil(choice.view().isVisible)
    QTest.keyClick(choice.view(), Qt.Key.Key_R)
    review.settle()
    assert review.verdicts == {}
    assert (review.mode.reviewing.run, looks_of(review)) == (RUN, before)
    view = choice.view()
    view.setCurrentIndex(choice.model().index(choice.findData("Zoe"), 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    review.settle()
    assert review.mode.reviewing.run == "Zoe"
    assert looks_of(review) == before + 1


def test_down_and_return_choose_the_first_set_where_none_was_chosen(
    reviewed: Path, open_review: Callable[[Path], Reviewing]
) -> None:
    review = open_review(reviewed)
    choice = review.mode.columns.theirs.choice
    assert (choice.currentIndex(), choice.placeholderText()) == (-1, "Choose a set…")
    QTest.keyClick(choice, Qt.Key.Key_Down)
    review.qtbot.waitUntil(choice.view().isVisible)
    assert review.mode.reviewing.run == ""
    QTest.keyClick(choice.view(), Qt.Key.Key_Return)
    review.settle()
    assert review.mode.reviewing.run == choice.itemData(0) == choice.currentData()


def add_somebody(review: Reviewing, name: str) -> None:
    """Somebody else who has a span in the first report."""
    review.session.worker.act(
        lambda p: add_span(p, name, SpanPlace(FIRST, *place("fever")), "Neuro"), lambda _: None
    )
    review.settle()
    review.session.reload()
    review.settle()
    review.qtbot.waitUntil(lambda: review.mode.columns.theirs.choice.findData(name) >= 0)


def looks_of(review: Reviewing) -> int:
    """How many looks are on record."""
    return asked(review.session.worker, review.qtbot, lambda p: len(disclosures(p)))


def test_whoever_is_chosen_the_keys_act_in_the_text_again(review: Reviewing) -> None:
    choice = review.mode.columns.theirs.choice
    choice.setFocus()
    choice.activated.emit(choice.currentIndex())
    assert review.reader.hasFocus()


def test_the_cards_follow_the_text_as_it_is_scrolled(
    crowded: Path, open_review: Callable[[Path], Reviewing], qtbot: QtBot
) -> None:
    review = open_review(crowded)
    review.choose()
    theirs, own = review.mode.columns.theirs.list, review.mode.columns.own.list
    bar = review.reader.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    seen = review.reader.offset_at(QPoint(0, 0))
    cells = review.mode.reviewing.cells
    first = next(number for number, cell in enumerate(cells) if (cell.start or 0) >= seen)

    def follows() -> bool:
        return theirs.indexAt(QPoint(20, 10)).row() == first and own.indexAt(QPoint(20, 10)).row() == first

    qtbot.waitUntil(follows)


def test_the_current_card_is_in_view_at_every_step(
    crowded: Path, open_review: Callable[[Path], Reviewing]
) -> None:
    review = open_review(crowded)
    review.choose()
    theirs = review.mode.columns.theirs.list
    for _ in range(40):
        review.mode.reviewing.next()
        review.mode.columns.follow()
        box = theirs.visualRect(theirs.currentIndex())
        assert theirs.viewport().rect().contains(box)
        assert theirs.currentIndex().row() == review.mode.reviewing.current


def test_what_is_judged_fades_in_the_text_and_comes_back_with_the_verdict(review: Reviewing) -> None:
    reviewing = review.mode.reviewing
    item = reviewing.item
    assert item is not None

    def settled() -> set[str]:
        return {span.id for span in review.reader.spans() if span.settled}

    assert settled() == set()
    review.press("A")
    assert settled() == {item.uuid}
    assert not any(span.settled for span in review.reader.spans() if span.mine)
    review.session.undoing.undo()
    review.settle()
    review.qtbot.waitUntil(lambda: settled() == set())
    review.press("R")
    assert settled() == {item.uuid}
    review.workbench.frame.open_mode("annotate")
    review.settle()
    assert settled() == set()


def test_whom_one_chose_to_review_stays_chosen_where_another_is_shown(review: Reviewing) -> None:
    reviewing = review.mode.reviewing
    assert len(review.workbench.session.report_model.others) == 1
    reviewing.leave()
    reviewing.run = "somebody else"
    reviewing.enter()
    assert reviewing.run == "somebody else"

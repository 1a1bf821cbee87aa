"""The span under the caret: what is said of it, what is done to it, where the focus goes then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.annotate.field_menu import FieldMenu
from app.gui.modes.annotate.inspector import NO_SPAN, Inspector
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, category_commands, with_keys
from app.operations.annotate.report import open_report
from app.operations.exchange.importing import ImportOptions, import_reports
from extractors.model.coding import Coding
from tests.verbs import asked, exposed

# What the offscreen platform says of every menu that pops up.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support (raise|grabbing the keyboard)")
TEXT = (
    "She had no seizures and walked well. Her blood pressure was 120/80 mmHg. The cornea was clear and the "
    "cornea stayed clear."
)


class Bench:
    """An inspector beside something that can have the focus, as the text has in the window."""

    def __init__(self, session: ProjectSession) -> None:
        self.window = QMainWindow()
        self.session, self.report_model, self.controller = session, session.report_model, session.controller
        self.actions = Actions(self.window)
        self.actions.add((*COMMANDS, *category_commands(session.scheme)))
        self.inspector = Inspector(session, self.actions)
        self.text = QLineEdit()
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.addWidget(self.inspector)
        column.addWidget(self.text)
        self.window.setCentralWidget(whole)
        self.inspector.text_wanted.connect(self.text.setFocus)

    def label(self, words: str, category: str) -> str:
        start = self.report_model.text.index(words)
        uuid = self.controller.label(start, start + len(words), category)
        self.inspector.show_spans([uuid])
        return uuid

    def listed(self) -> list[str]:
        return [self.inspector.list.item(row).text() for row in range(self.inspector.list.count())]


@pytest.fixture
def made(tmp_path: Path, project: Path) -> Path:
    """The sample reports and one of four sentences; somebody else has quotes in that, one without a place."""
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "walked.txt").write_text(TEXT, encoding="utf-8")
    quotes = (
        '[{"pmcid": "walked", "title": "", "text": '
        f'"{TEXT}", "Neuro": ["no seizures"], "EENT": ["optic <b>atrophy</b>"]}}]'
    )
    (folder / "walked.json").write_text(quotes, encoding="utf-8")
    for _ in import_reports(project, [folder / "walked.txt"]):
        pass
    for _ in import_reports(project, [folder / "walked.json"], ImportOptions(annotator="Dr Bo <i>Lind</i>")):
        pass
    return project


@pytest.fixture
def bench(made: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot) -> Bench:
    session = open_session(made)
    key = next(key for key, row in session.rows.items() if row.others)
    with qtbot.waitSignal(session.report_model.opened):
        session.open_report(key)
    qtbot.waitUntil(lambda: bool(session.others_there))
    bench = Bench(session)
    exposed(qtbot, bench.window, 320, 640)
    bench.text.setFocus()
    return bench


@pytest.fixture
def others(bench: Bench, qtbot: QtBot) -> Bench:
    bench.session.show_others(tuple(other.name for other in bench.session.others_there))
    qtbot.waitUntil(lambda: bool(bench.report_model.others))
    return bench


def shows(bench: Bench, page: QWidget) -> Callable[[], bool]:
    return lambda: page.isVisible()


def test_without_a_span_it_says_how_to_make_one(bench: Bench) -> None:
    assert bench.inspector.empty.isVisible()
    assert bench.inspector.empty.text() == NO_SPAN


def test_it_lists_all_spans_under_the_caret_and_marks_the_current_one(others: Bench, qtbot: QtBot) -> None:
    own = others.label("seizures", "Neuro")
    theirs = next(
        s for spans in others.report_model.others.values() for s in spans if s.finding.start is not None
    )
    others.inspector.show_spans([own, theirs.uuid])
    others.report_model.set_current(theirs.uuid)
    qtbot.waitUntil(lambda: others.inspector.list.currentRow() == 1)
    assert others.listed()[0] == "“seizures”"
    assert others.listed()[1].startswith("Dr Bo <i>Lind</i>")
    assert others.inspector.holder.full_text() == "By Dr Bo <i>Lind</i>"
    # One that is not under the caret comes before those that are.
    others.inspector.show_spans([own])
    qtbot.waitUntil(lambda: others.inspector.list.currentRow() == 0)
    assert [words.startswith("Dr Bo") for words in others.listed()] == [True, False]


def test_the_arrow_keys_choose_another_span(bench: Bench, qtbot: QtBot) -> None:
    first, second = bench.label("no seizures", "Neuro"), bench.label("seizures", "Neuro")
    bench.inspector.show_spans([second, first])
    qtbot.waitUntil(lambda: bench.inspector.list.count() == 2)
    bench.inspector.take_focus()
    with qtbot.waitSignal(bench.inspector.chosen) as heard:
        QTest.keyClick(bench.inspector.list, Qt.Key.Key_Down)
    assert heard.args == [first]
    assert bench.report_model.current == second
    QTest.keyClick(bench.inspector.list, Qt.Key.Key_Escape)
    assert bench.text.hasFocus()


@pytest.mark.parametrize(("key", "field"), [(Qt.Key.Key_2, "cognitive"), (Qt.Key.Key_T, "tests")])
def test_a_digit_or_first_letter_picks_the_field_and_leads_back_to_the_text(
    bench: Bench, qtbot: QtBot, key: Qt.Key, field: str
) -> None:
    uuid = bench.label("seizures", "Neuro")
    qtbot.waitUntil(shows(bench, bench.inspector.details))
    bench.inspector.details.field.click()
    menu = bench.inspector.findChild(FieldMenu)
    assert menu is not None
    QTest.keyClick(menu, key)
    assert bench.report_model.spans[uuid].finding.field == field
    assert bench.text.hasFocus()
    qtbot.waitUntil(lambda: field in bench.inspector.details.field.text())
    qtbot.waitUntil(lambda: bench.session.worker.waiting == 0)


def test_a_letter_of_several_fields_goes_from_one_to_the_next(qtbot: QtBot) -> None:
    menu = FieldMenu(["haematological conditions", "pulse", "haematology measurements", "height"], "")
    qtbot.addWidget(menu)
    with qtbot.waitSignal(menu.picked) as heard:
        QTest.keyClick(menu, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(menu, Qt.Key.Key_H)
        QTest.keyClick(menu, Qt.Key.Key_H)
        QTest.keyClick(menu, Qt.Key.Key_Return)
    assert heard.args == ["haematology measurements"]
    # From the last of them it goes to the first again; the first ten have a digit.
    menu = FieldMenu(
        ["pulse", "haematology", *(f"part {number}" for number in range(3, 11)), "haemostasis"], ""
    )
    qtbot.addWidget(menu)
    assert [action.text()[0] for action in menu.actions()] == [*"0123456789", " ", " "]
    with qtbot.waitSignal(menu.picked) as heard:
        for key in (Qt.Key.Key_H, Qt.Key.Key_H, Qt.Key.Key_H, Qt.Key.Key_Return):
            QTest.keyClick(menu, key)
    assert heard.args == ["haematology"]


def test_escape_leaves_the_fields_without_picking(bench: Bench, qtbot: QtBot) -> None:
    uuid = bench.label("seizures", "Neuro")
    bench.inspector.edit_field()
    menu = bench.inspector.findChild(FieldMenu)
    assert menu is not None
    with qtbot.waitSignal(bench.inspector.text_wanted):
        QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert bench.report_model.spans[uuid].finding.field == ""


def test_the_button_of_the_concept_asks_for_it_as_its_key_does(bench: Bench, qtbot: QtBot) -> None:
    bench.label("seizures", "Neuro")
    qtbot.waitUntil(shows(bench, bench.inspector.details))
    with qtbot.waitSignal(bench.actions["span.concept"].triggered):
        bench.inspector.details.concept.click()


def test_a_polarity_button_sets_the_polarity(bench: Bench, qtbot: QtBot) -> None:
    uuid = bench.label("seizures", "Neuro")
    bench.inspector.details.polarities["negated"].setFocus()
    qtbot.waitUntil(shows(bench, bench.inspector.details))
    bench.inspector.details.polarities["negated"].click()
    assert bench.report_model.spans[uuid].finding.polarity == "negated"
    assert bench.text.hasFocus()
    assert "2" in bench.inspector.details.polarities["negated"].text()
    bench.controller.set_polarity(uuid, "uncertain")
    qtbot.waitUntil(lambda: bench.inspector.details.polarities["uncertain"].isChecked())


def come_back(bench: Bench, key: str, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bench.report_model.key != key)
    bench.session.open_report(key)
    qtbot.waitUntil(lambda: bench.report_model.key == key)


@pytest.mark.parametrize("leave", ["enter", "focus", "shortcut", "another span", "another report"])
def test_a_note_is_on_disk_however_it_is_left(bench: Bench, qtbot: QtBot, leave: str) -> None:
    other = bench.label("cornea", "EENT")
    uuid = bench.label("seizures", "Neuro")
    bench.inspector.edit_note()
    note = bench.inspector.details.note
    assert note.hasFocus()
    QTest.keyClicks(note, "see figure")
    if leave == "enter":
        QTest.keyClick(note, Qt.Key.Key_Return)
        assert bench.text.hasFocus()
    elif leave == "focus":
        bench.text.setFocus()
    elif leave == "shortcut":
        before = bench.report_model.key
        bench.actions.on("report.next", lambda: bench.session.step_report(-1, list(bench.session.rows)))
        QTest.keyClick(note, Qt.Key.Key_PageDown, Qt.KeyboardModifier.AltModifier)
        come_back(bench, before, qtbot)
    elif leave == "another report":
        before = bench.report_model.key
        bench.session.open_report(next(key for key in bench.session.rows if key != before))
        come_back(bench, before, qtbot)
    else:
        bench.report_model.set_current(other)
    qtbot.waitUntil(lambda: bench.report_model.spans[uuid].note == "see figure")
    qtbot.waitUntil(lambda: bench.session.worker.waiting == 0)
    key, name = bench.report_model.key, bench.session.annotator
    stored = asked(bench.session.worker, qtbot, lambda p: open_report(p, key, name))
    assert {one.uuid: one.note for one in stored.annotations}[uuid] == "see figure"
    assert bench.report_model.spans[other].note == ""


def test_escape_restores_the_note(bench: Bench) -> None:
    uuid = bench.label("seizures", "Neuro")
    bench.controller.set_note(uuid, "first")
    bench.inspector.edit_note()
    note = bench.inspector.details.note
    QTest.keyClicks(note, "second")
    QTest.keyClick(note, Qt.Key.Key_Escape)
    assert bench.text.hasFocus()
    assert note.text() == "first"
    assert bench.report_model.spans[uuid].note == "first"


def test_what_is_being_typed_survives_a_change_of_the_same_span(bench: Bench, qtbot: QtBot) -> None:
    uuid = bench.label("seizures", "Neuro")
    bench.inspector.edit_note()
    QTest.keyClicks(bench.inspector.details.note, "half a th")
    bench.controller.set_polarity(uuid, "negated")
    qtbot.waitUntil(lambda: bench.inspector.details.polarities["negated"].isChecked())
    assert bench.inspector.details.note.text() == "half a th"


def test_a_span_that_goes_while_its_note_or_the_list_has_the_focus_leaves_it_to_the_text(
    bench: Bench, qtbot: QtBot
) -> None:
    for take in (bench.inspector.edit_note, bench.inspector.take_focus):
        uuid = bench.label("seizures", "Neuro")
        qtbot.waitUntil(shows(bench, bench.inspector.span))
        take()
        assert not bench.text.hasFocus()
        bench.controller.remove([uuid])
        qtbot.waitUntil(bench.text.hasFocus)


def test_delete_removes_the_current_span(bench: Bench, qtbot: QtBot) -> None:
    uuid = bench.label("seizures", "Neuro")
    qtbot.waitUntil(lambda: bench.inspector.remove.isEnabled())
    bench.inspector.remove.click()
    assert uuid not in bench.report_model.spans
    assert bench.text.hasFocus()
    qtbot.waitUntil(shows(bench, bench.inspector.empty))


def test_what_a_check_warns_of_is_said_with_its_repair(bench: Bench, qtbot: QtBot) -> None:
    uuid = bench.label("120/80", "Vitals_Hema")
    given: list[str] = []
    bench.actions.on("span.repair", lambda: given.append(bench.report_model.current or ""))
    qtbot.waitUntil(lambda: bench.inspector.repair.isEnabled())
    assert bench.session.warnings[uuid][0].sentence in bench.inspector.about.toPlainText()
    assert "(X)" in bench.inspector.repair.text()
    bench.inspector.repair.click()
    assert given == [uuid]


def test_what_a_span_stands_for_is_said_first(bench: Bench, qtbot: QtBot) -> None:
    uuid = bench.label("seizures", "Neuro")
    coding = Coding("HPO", "2025-01-16", "HP:0001250", "Seizure", "", "human")
    bench.session.controller.set_concept(uuid, coding)
    qtbot.waitUntil(lambda: bench.inspector.about.toPlainText().startswith("HP:0001250 Seizure"))
    assert bench.inspector.details.concept.accessibleName() == "Concept: HP:0001250 Seizure"


def test_a_span_with_nothing_to_mend_offers_no_repair(bench: Bench, qtbot: QtBot) -> None:
    uuid = bench.label("The cornea was clear", "EENT")
    qtbot.waitUntil(lambda: uuid in bench.session.warnings)
    qtbot.waitUntil(lambda: bench.inspector.about.toPlainText() != "")
    assert "Labelled by hand." in bench.inspector.about.toPlainText()
    assert not bench.inspector.repair.isEnabled()


def test_somebody_elses_span_can_be_accepted_and_not_changed(others: Bench, qtbot: QtBot) -> None:
    theirs = next(
        s for spans in others.report_model.others.values() for s in spans if s.finding.start is not None
    )
    others.report_model.set_current(theirs.uuid)
    qtbot.waitUntil(lambda: others.inspector.accept.isVisible())
    assert not others.inspector.details.isVisible()
    assert not others.inspector.remove.isEnabled()
    given: list[bool] = []
    others.actions.on("span.accept", lambda: given.append(True))
    others.inspector.accept.click()
    assert given == [True]


def test_the_focus_is_asked_for_nothing_where_there_is_no_own_span(others: Bench, qtbot: QtBot) -> None:
    theirs = next(s for spans in others.report_model.others.values() for s in spans)
    others.report_model.set_current(theirs.uuid)
    others.inspector.edit_note()
    others.inspector.edit_field()
    assert others.text.hasFocus()
    assert others.inspector.findChild(FieldMenu) is None


def test_quotes_without_a_place_are_listed_with_their_reason(others: Bench, qtbot: QtBot) -> None:
    side = others.inspector.unplaced
    qtbot.waitUntil(lambda: side.list.count() == 1)
    item = side.list.item(0)
    theirs = next(
        s for spans in others.report_model.others.values() for s in spans if s.finding.start is None
    )
    assert "“optic <b>atrophy</b>”" in item.text()
    assert theirs.finding.reason in item.text()
    assert not side.place.isEnabled()
    with qtbot.waitSignal(others.inspector.chosen) as chosen:
        side.list.setCurrentRow(0)
    assert chosen.args == [theirs.uuid]
    # A click leads to it again.
    with qtbot.waitSignal(others.inspector.chosen):
        place = side.list.visualItemRect(side.list.item(0)).center()
        QTest.mouseClick(side.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not side.place.isEnabled()
    others.report_model.set_current(theirs.uuid)
    qtbot.waitUntil(lambda: others.inspector.pages.currentWidget() is others.inspector.theirs)
    assert not others.inspector.accept.isEnabled()
    # What is chosen stays so when there are more of them.
    (first, *rest) = others.report_model.others["Dr Bo <i>Lind</i>"]
    another = replace(theirs, uuid="another")
    others.report_model.show_others({"Dr Bo <i>Lind</i>": (another, first, *rest)})
    qtbot.waitUntil(lambda: side.list.count() == 2)
    assert side.list.currentRow() == 1
    assert side.title.full_text() == "Quotes without a place (2)"


def test_ones_own_quote_without_a_place_can_be_given_one(bench: Bench, qtbot: QtBot) -> None:
    bench.session.set_annotator(bench.session.others_there[0].name)
    side = bench.inspector.unplaced
    qtbot.waitUntil(lambda: side.list.count() == 1)
    side.list.setCurrentRow(0)
    with qtbot.waitSignal(bench.inspector.unplaced.place_wanted) as wanted:
        side.place.click()
    uuid = wanted.args[0]
    bench.report_model.set_current(uuid)
    qtbot.waitUntil(lambda: "not found" in bench.inspector.about.toPlainText())
    bench.controller.move(uuid, 4, 10)
    qtbot.waitUntil(lambda: not side.isVisible())
    qtbot.waitUntil(lambda: bench.session.worker.waiting == 0)


def test_others_quotes_without_a_place_are_hidden_with_the_others(others: Bench, qtbot: QtBot) -> None:
    qtbot.waitUntil(shows(others, others.inspector.unplaced))
    others.session.show_others(())
    qtbot.waitUntil(lambda: not others.inspector.unplaced.isVisible())


def test_keys_can_be_changed_after_the_panel_has_gone(bench: Bench, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bench.inspector.destroyed):
        bench.inspector.deleteLater()
    bench.actions.add(with_keys(COMMANDS, {"span.repair": "Ctrl+8", "span.present": "7", "span.note": "J"}))
    assert bench.actions.key("span.repair") == "Ctrl+8"


def test_a_changed_key_is_printed_on_its_button(bench: Bench) -> None:
    bench.actions.add(with_keys(COMMANDS, {"span.repair": "Ctrl+8", "span.present": "7", "span.note": "J"}))
    assert bench.inspector.repair.text() == "Repair (Ctrl+8)"
    assert bench.inspector.details.polarities["present"].text() == "Present (7)"
    assert bench.inspector.details.note.placeholderText() == "Note (J)"


def test_what_stands_below_moves_for_no_span(others: Bench, qtbot: QtBot) -> None:
    inspector = others.inspector
    qtbot.waitUntil(shows(others, inspector.unplaced))
    theirs = next(
        s for spans in others.report_model.others.values() for s in spans if s.finding.start is not None
    )
    top = inspector.unplaced.y()
    own = others.label("120/80", "Vitals_Hema")
    qtbot.waitUntil(lambda: inspector.repair.isEnabled())
    assert inspector.unplaced.y() == top
    others.inspector.show_spans([own, theirs.uuid])
    others.report_model.set_current(theirs.uuid)
    qtbot.waitUntil(shows(others, inspector.accept))
    assert inspector.unplaced.y() == top

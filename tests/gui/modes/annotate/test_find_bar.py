"""Find in the report, by keyboard, without the text moving."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.find_bar import FindBar
from app.gui.reader.view import Reader
from app.palette import page_palette
from extractors.model.scheme import default_scheme
from tests.verbs import press

TEXT = (
    "😀 Seizures began at two. No seizures\u00a0since; a se\u0301izure-like spell.\n" + "Nothing else. " * 400
)


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[FindBar]:
    window = QWidget()
    qtbot.addWidget(window)
    reader = Reader(page_palette(default_scheme(), dark=False))
    reader.setParent(window)
    reader.load(TEXT)
    bar = FindBar(reader)
    column = QVBoxLayout(window)
    column.addWidget(reader, 1)
    column.addWidget(bar)
    bar.text_wanted.connect(reader.setFocus)
    window.resize(800, 600)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    reader.setFocus()
    qtbot.waitUntil(reader.hasFocus)
    yield bar
    window.close()


def selected(bar: FindBar) -> str:
    start, end = bar._reader.selection()
    return bar._reader.text()[start:end]


def test_words_are_found_as_they_are_typed(bar: FindBar) -> None:
    bar.open()
    QTest.keyClicks(bar.words, "seizure")
    assert selected(bar) == "Seizure"
    assert (bar.count.full_text(), bar._next.isEnabled()) == ("1 of 3", True)
    QTest.keyClicks(bar.words, "s s")
    assert selected(bar) == "seizures\u00a0s"
    assert bar.count.full_text() == "1 of 1"
    QTest.keyClicks(bar.words, "q")
    assert (bar.count.full_text(), selected(bar)) == ("None", "")
    assert not bar._next.isEnabled()
    press(Qt.Key.Key_Escape)
    assert (bar.isVisible(), bar.words.text(), bar.count.full_text()) == (True, "", "None")


def test_typing_searches_from_where_one_was(bar: FindBar) -> None:
    bar._reader.go_to(20)
    bar.open()
    QTest.keyClicks(bar.words, "seizure")
    assert bar.count.full_text() == "2 of 3"
    bar.words.selectAll()
    QTest.keyClicks(bar.words, "began")
    assert bar.count.full_text() == "1 of 1, from the start"
    bar._reader.go_to(TEXT.index("began"))
    bar.find_next()
    assert bar.count.full_text() == "1 of 1"


def test_enter_goes_on_and_shift_enter_back_and_both_say_when_they_wrap(bar: FindBar, qtbot: QtBot) -> None:
    bar.open()
    qtbot.waitUntil(bar.words.hasFocus)
    QTest.keyClicks(bar.words, "seizure")
    qtbot.waitUntil(lambda: bar.count.full_text() == "1 of 3")
    seen = []
    for modifiers in [Qt.KeyboardModifier.NoModifier] * 3 + [Qt.KeyboardModifier.ShiftModifier] * 2:
        QTest.keyClick(bar.words, Qt.Key.Key_Return, modifiers)
        seen.append(f"{bar.count.full_text()}: {selected(bar)}")
    assert "; ".join(seen) == (
        "2 of 3: seizure; 3 of 3: se\u0301izure; 1 of 3, from the start: Seizure; "
        "3 of 3, from the end: se\u0301izure; 2 of 3: seizure"
    )


def test_escape_leaves_the_place_selected_and_gives_the_focus_back(bar: FindBar, qtbot: QtBot) -> None:
    bar.open()
    QTest.keyClicks(bar.words, "since")
    with qtbot.waitSignal(bar.text_wanted):
        press(Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert selected(bar) == "since"
    assert bar._reader.hasFocus()


def test_finding_on_after_the_bar_was_closed_says_where_one_is(bar: FindBar) -> None:
    bar.open()
    QTest.keyClicks(bar.words, "seizure")
    press(Qt.Key.Key_Escape)
    bar.find_next()
    assert (bar.isVisible(), bar.count.full_text()) == (True, "2 of 3")
    assert bar._reader.hasFocus()
    bar.find_previous()
    assert bar.count.full_text() == "1 of 3"


def test_finding_on_without_words_asks_for_them(bar: FindBar) -> None:
    bar.find_next()
    assert bar.words.hasFocus()


def test_whole_words_leave_out_parts(bar: FindBar) -> None:
    bar.open()
    QTest.keyClicks(bar.words, "seizure")
    bar.whole.click()
    assert selected(bar) == "se\u0301izure"
    assert bar.count.full_text() == "1 of 1"
    bar.show_first(["nowhere", "seizure"])
    assert (bar.whole.isChecked(), bar.count.full_text()) == (False, "1 of 3")


def test_what_is_selected_is_searched(bar: FindBar) -> None:
    start = TEXT.index("began")
    bar._reader.select(start, start + 5)
    bar.open()
    assert bar.words.text() == "began"
    assert bar.words.selectedText() == "began"
    assert selected(bar) == "began"
    bar._reader.select(start, TEXT.index("else"))
    bar.open()
    assert bar.words.text() == "began"


def test_the_text_stays_where_it_is(bar: FindBar) -> None:
    reader = bar._reader
    for value in (reader.verticalScrollBar().value(), reader.verticalScrollBar().maximum()):
        reader.verticalScrollBar().setValue(value)
        before = reader.viewport().size(), reader.verticalScrollBar().value()
        bar.open()
        QApplication.processEvents()
        assert (reader.viewport().size(), reader.verticalScrollBar().value()) == before
        bar.close_bar()
        QApplication.processEvents()
        assert (reader.viewport().size(), reader.verticalScrollBar().value()) == before


def test_another_report_is_searched_as_soon_as_it_is_shown(bar: FindBar) -> None:
    bar._reader.go_to(20)
    bar.open()
    QTest.keyClicks(bar.words, "seizure")
    bar._reader.load("No seizure.")
    assert bar.count.full_text() == "1 found"
    press(Qt.Key.Key_Return)
    assert selected(bar) == "seizure"
    QTest.keyClicks(bar.words, "s")
    press(Qt.Key.Key_Backspace)
    assert bar.count.full_text() == "1 of 1"


def test_keys_and_clicks_in_the_bar_do_not_reach_the_text(bar: FindBar) -> None:
    bar._reader.go_to(5)
    bar.open()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Up):
        press(key)
    assert bar._reader.caret() == 5


def test_every_part_of_the_bar_has_a_name(bar: FindBar) -> None:
    bar.open()
    parts = [part for part in bar.findChildren(QWidget) if part.focusPolicy() != Qt.FocusPolicy.NoFocus]
    assert len(parts) == 5
    assert all(part.accessibleName() or part is bar.whole for part in parts)

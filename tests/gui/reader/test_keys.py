"""The keyboard in the reader: what moves the caret, what is left to the window, what is shown of it."""

from __future__ import annotations

from itertools import product

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from app.palette import page_palette
from extractors.model.scheme import default_scheme
from tests.gui.reader.looking import LONG, Open, changed_box, picture, place_of

TEXT = "History\nShe had fever 😀 of 39.5 °C. No rash was seen.\nExam\nThe spleen was large. No more."
EXAM = TEXT.index("Exam")
CODES = {
    "n": Qt.Key.Key_N,
    "1": Qt.Key.Key_1,
    "Space": Qt.Key.Key_Space,
    ".": Qt.Key.Key_Period,
    "[": Qt.Key.Key_BracketLeft,
    "Del": Qt.Key.Key_Delete,
    "Backspace": Qt.Key.Key_Backspace,
    "Return": Qt.Key.Key_Return,
}
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize("key", CODES)
@pytest.mark.parametrize("shift", ["", "Shift+"])
def test_keys_that_write_are_free_for_actions(open_reader: Open, qtbot: QtBot, key: str, shift: str) -> None:
    reader = open_reader(LONG)
    action = QAction(reader)
    action.setShortcut(QKeySequence(shift + key))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    reader.addAction(action)
    code = CODES[key]
    with qtbot.waitSignal(action.triggered, timeout=1000):
        QTest.keyClick(reader, code, SHIFT if shift else Qt.KeyboardModifier.NoModifier)
    assert reader.verticalScrollBar().value() == 0
    assert reader.caret() == 0
    assert reader.toPlainText() == LONG


def test_the_caret_goes_by_sentence_and_section(open_reader: Open) -> None:
    reader = open_reader(TEXT)
    reader.set_sections([(0, EXAM), (EXAM, len(TEXT))])
    rash, spleen = TEXT.index("No rash"), TEXT.index("The spleen")
    keys = [
        (Qt.Key.Key_PageDown, EXAM),
        (Qt.Key.Key_Down, spleen),
        (Qt.Key.Key_PageUp, EXAM),
        (Qt.Key.Key_Up, rash),
        (Qt.Key.Key_PageUp, 0),
    ]
    pads = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
    for pad, (key, expected) in product(pads, keys):
        QTest.keyClick(reader, key, CONTROL | pad)
        assert reader.selection() == (expected, expected)


def test_shift_selects_by_sentence_and_section_and_back(open_reader: Open) -> None:
    reader = open_reader(TEXT)
    reader.set_sections([(0, EXAM), (EXAM, len(TEXT))])
    rash = TEXT.index("No rash")
    reader.go_to(rash)
    QTest.keyClick(reader, Qt.Key.Key_Down, CONTROL | SHIFT)
    assert TEXT[slice(*reader.selection())] == "No rash was seen.\n"
    QTest.keyClick(reader, Qt.Key.Key_Up, CONTROL | SHIFT)
    QTest.keyClick(reader, Qt.Key.Key_Up, CONTROL | SHIFT)
    assert reader.selection() == (TEXT.index("She"), rash)
    assert reader.caret() == TEXT.index("She")
    QTest.keyClick(reader, Qt.Key.Key_PageDown, CONTROL | SHIFT)
    assert reader.selection() == (rash, EXAM)
    QTest.keyClick(reader, Qt.Key.Key_Right, CONTROL | SHIFT)
    assert reader.caret() > EXAM


def test_tab_leaves_the_reader_both_ways(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    before, reader, after = QLineEdit(), Reader(page_palette(default_scheme(), False)), QLineEdit()
    for widget in (before, reader, after):
        layout.addWidget(widget)
    reader.load(TEXT)
    with qtbot.waitExposed(window):
        window.show()
    reader.setFocus()
    QTest.keyClick(reader, Qt.Key.Key_Tab)
    qtbot.waitUntil(after.hasFocus)
    reader.setFocus()
    QTest.keyClick(reader, Qt.Key.Key_Backtab)
    qtbot.waitUntil(before.hasFocus)


def test_the_caret_can_be_seen_and_grows_with_the_text(
    qapp: QApplication, open_reader: Open, qtbot: QtBot
) -> None:
    reader = open_reader(TEXT)
    assert reader.cursorWidth() == 2
    reader.set_text_size(250)
    assert reader.cursorWidth() == 5
    reader.go_to(10)
    seen = picture(reader)
    # Tests have it stand still; it blinks from when it moves next.
    qapp.setCursorFlashTime(200)
    reader.go_to(11)
    reader.go_to(10)
    qtbot.waitUntil(lambda: reader.cursorWidth() == 0)
    box = changed_box(seen, picture(reader))
    assert box is not None
    assert abs(box[0] - place_of(reader, 10).x()) <= 5
    reader.go_to(12)
    assert reader.cursorWidth() == 5


@pytest.mark.parametrize("key", [(Qt.Key.Key_Menu, None), (Qt.Key.Key_F10, SHIFT)])
def test_the_menu_key_asks_for_a_menu_at_the_caret(
    open_reader: Open, qtbot: QtBot, key: tuple[Qt.Key, Qt.KeyboardModifier | None]
) -> None:
    reader = open_reader(TEXT, [ShownSpan("a", 8, 20, "GI")])
    reader.go_to(12)
    with qtbot.waitSignal(reader.context_requested) as asked:
        QTest.keyClick(reader, key[0], key[1] or Qt.KeyboardModifier.NoModifier)
    assert asked.args is not None
    offset, place = asked.args
    assert offset == 12
    assert isinstance(place, QPoint)
    assert reader.offset_at(reader.viewport().mapFromGlobal(place) - QPoint(0, 3)) == 12


def test_escape_gives_up_a_selection_and_else_is_left_to_the_window(qtbot: QtBot) -> None:
    class Window(QWidget):
        heard = 0

        def keyPressEvent(self, event: QKeyEvent) -> None:
            self.heard += event.key() == Qt.Key.Key_Escape

    window = Window()
    qtbot.addWidget(window)
    reader = Reader(page_palette(default_scheme(), False), window)
    reader.load(TEXT)
    with qtbot.waitExposed(window):
        window.show()
    reader.setFocus()
    reader.select(12, 4)
    QTest.keyClick(reader, Qt.Key.Key_Escape)
    assert (reader.selection(), window.heard) == ((4, 4), 0)
    QTest.keyClick(reader, Qt.Key.Key_Escape)
    assert (reader.selection(), window.heard) == ((4, 4), 1)

"""Widgets in a row that goes on below where there is no more room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.gui.widgets.boxes import scrolled
from app.gui.widgets.flow import FlowRow, TwoColumns
from app.gui.widgets.plain import ElidedLabel

_PARTS, _GAP = 7, 4


@pytest.fixture
def row(qtbot: QtBot) -> FlowRow:
    made = FlowRow()
    qtbot.addWidget(made)
    for _ in range(_PARTS):
        made.add(QPushButton("Accept"))
    return made


def _rows(row: FlowRow, parts: int) -> list[int]:
    buttons = row.findChildren(QPushButton)
    row.resize(parts * (buttons[0].sizeHint().width() + _GAP), 300)
    row.arrange()
    tops = [button.y() for button in buttons]
    return [tops.count(top) for top in sorted(set(tops))]


@pytest.mark.parametrize(
    ("room", "rows"), [(7, [7]), (6, [4, 3]), (5, [4, 3]), (4, [4, 3]), (3, [3, 3, 1]), (1, [1] * 7)]
)
def test_rows_are_as_few_as_can_be_and_then_as_even_as_they_can_be(
    row: FlowRow, room: int, rows: list[int]
) -> None:
    assert _rows(row, room) == rows


def test_new_words_have_the_room_they_need(qtbot: QtBot) -> None:
    row = FlowRow()
    qtbot.addWidget(row)
    parts = [QPushButton("A"), QPushButton("B")]
    words = ElidedLabel()
    row.add(words)
    for part in parts:
        row.add(part)
    row.resize(600, 40)
    row.show()
    parts[0].setText("Accept all that is the same in both sets")
    words.say("571 spans")
    QApplication.processEvents()
    assert parts[0].width() >= parts[0].sizeHint().width()
    assert parts[1].x() > parts[0].geometry().right()
    assert words.text() == "571 spans"


@pytest.mark.parametrize(("columns", "places"), [(2, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]), (1, None)])
def test_two_columns_are_read_downwards_and_become_one_where_there_is_no_room(
    qtbot: QtBot, columns: int, places: list[tuple[int, int]] | None
) -> None:
    both = TwoColumns()
    qtbot.addWidget(both)
    for _ in range(5):
        both.add(QPushButton("Neurology"))
    parts = both.findChildren(QPushButton)
    both.resize(both.sizeHint().width() - (columns == 1), 400)
    both.arrange()
    wide, high = (max(1, at) for at in (parts[-1].x(), parts[1].y()))
    assert [(part.x() // wide, part.y() // high) for part in parts] == (places or [(0, n) for n in range(5)])
    assert both.minimumSizeHint().width() == parts[0].sizeHint().width()


def test_words_that_scroll_end_below_a_whole_line(qtbot: QtBot) -> None:
    area = scrolled(QLabel("\n".join(f"line {number}" for number in range(30))), "Lines")
    qtbot.addWidget(area)
    line = area.fontMetrics().lineSpacing()
    area.show()
    for height in range(4 * line, 5 * line):
        area.resize(200, height)
        assert area.viewport().height() == 4 * line
    for key, place in ((Qt.Key.Key_End, area.verticalScrollBar().maximum()), (Qt.Key.Key_Home, 0)):
        QTest.keyClick(area, key)
        assert area.verticalScrollBar().value() == place
    area.resize(200, 40 * line)
    assert not area.verticalScrollBar().maximum()

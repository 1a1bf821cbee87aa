"""Widgets in a row that goes on below where there is no more room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS
from app.gui.widgets.boxes import FlexRow, print_key, scrolled
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
    words = QLabel("\n".join(f"line {number}" for number in range(30)))
    area = scrolled(words, "Lines")
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
    words.setContentsMargins(0, 8, 0, 0)
    for height, seen in ((5 * line, 4 * line + 8), (line + 4, line + 4)):
        area.resize(200, height)
        assert area.viewport().height() == seen


def test_keys_are_shed_before_buttons_go_below_each_other(qtbot: QtBot) -> None:
    near, far = "As it is written here", "As it is written there"
    holder = QWidget()
    qtbot.addWidget(holder)
    actions, buttons = Actions(holder), [QPushButton(), QPushButton()]
    actions.add(COMMANDS)
    for button, words, command in zip(buttons, (near, far), ("span.next", "span.again"), strict=True):
        print_key(button, words, actions, command)
    row = FlexRow(buttons, shed=buttons)
    row.setParent(holder)
    wide = row.sizeHint().width()
    said = []
    for width in (wide, wide - 1, buttons[0].sizeHint().width(), wide):
        row.resize(width, 100)
        holder.show()
        QApplication.processEvents()
        said.append(([button.text() for button in buttons], buttons[0].y() == buttons[1].y()))
    keyed = [f"{near} (.)", f"{far} (A)"]
    assert said == [(keyed, True), ([near, far], True), (keyed, False), (keyed, True)]
    # Another key is written where there is room for it.
    row.resize(wide - 1, 100)
    actions.add([actions.command("span.again")._replace(keys=())])
    QApplication.processEvents()
    assert [button.text() for button in buttons] == [f"{near} (.)", far]

"""The bar names the modes and their keys, by eye, by ear and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.gui.modes.mode import ModeId
from app.gui.shell.actions import Actions
from app.gui.shell.commands import COMMANDS, with_keys
from app.gui.shell.mode_bar import BottomLine, ModeBar
from tests.gui.modes.annotate.parts import actions_for

MODES: tuple[ModeId, ...] = ("annotate", "review", "agreement", "reconcile")


@pytest.fixture
def actions(qtbot: QtBot) -> Actions:
    return actions_for(qtbot)


@pytest.fixture
def bar(qtbot: QtBot, actions: Actions) -> Iterator[ModeBar]:
    bar = ModeBar(actions, MODES)
    line = BottomLine(bar, QLabel())
    qtbot.addWidget(line)
    line.resize(1600, 40)
    with qtbot.waitExposed(line):
        line.show()
    bar.show_mode("annotate")
    yield bar
    line.close()


def press(key: Qt.Key) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key)


def written(bar: ModeBar) -> list[str]:
    return [button.text() for button in bar.buttons.values()]


def test_every_mode_is_named_with_its_key_as_it_is_now(bar: ModeBar, actions: Actions) -> None:
    assert written(bar) == ["Annotate  Ctrl+1", "Review  Ctrl+2", "Agreement  Ctrl+3", "Reconcile  Ctrl+4"]
    actions.add(with_keys(COMMANDS, {"mode.review": "Ctrl+8", "mode.agreement": ""}))
    QApplication.processEvents()
    assert written(bar)[1:3] == ["Review  Ctrl+8", "Agreement"]


def test_each_button_has_a_name_and_says_what_it_is_for(bar: ModeBar) -> None:
    assert [button.accessibleName() for button in bar.buttons.values()] == [
        "Annotate", "Review", "Agreement", "Reconcile",
    ]  # fmt: skip
    assert "(Ctrl+4)" in bar.buttons["reconcile"].accessibleDescription()


def test_the_arrow_keys_go_along_the_modes_and_enter_opens_one(
    qtbot: QtBot, bar: ModeBar, actions: Actions
) -> None:
    bar.take_focus()
    assert bar.buttons["annotate"].hasFocus()
    press(Qt.Key.Key_Right)
    assert bar.buttons["review"].hasFocus()
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Left)
    assert bar.buttons["reconcile"].hasFocus()
    assert bar.buttons["annotate"].isChecked()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        with qtbot.waitSignal(actions["mode.reconcile"].triggered):
            press(key)


def test_where_there_is_little_room_keys_go_first_and_words_are_cut_last(bar: ModeBar) -> None:
    line = bar.parentWidget()
    assert isinstance(line, BottomLine)
    wide = bar.width()
    line.resize(wide * 3 // 2, 40)
    assert written(bar) == ["Annotate", "Review", "Agreement", "Reconcile"]
    named = bar.width()
    assert named < wide
    line.resize(named, 40)
    assert bar.width() <= named // 2
    assert line.minimumSizeHint().width() < named
    assert all(button.toolTip() for button in bar.buttons.values())

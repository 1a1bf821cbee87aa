"""The bar names the modes and their keys, by eye, by ear and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.gui.modes.command import Command
from app.gui.modes.mode import ModeId
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, with_keys
from app.gui.shell.lines.mode_bar import ModeBar, TopLine
from app.gui.shell.look.theme import apply_theme
from tests.gui.modes.annotate.parts import actions_for
from tests.verbs import exposed, press

MODES: tuple[ModeId, ...] = ("annotate", "review", "agreement", "reconcile")


@pytest.fixture
def actions(qtbot: QtBot) -> Actions:
    return actions_for(qtbot)


@pytest.fixture
def bar(qtbot: QtBot, actions: Actions) -> Iterator[ModeBar]:
    bar = ModeBar(actions, MODES)
    line = exposed(qtbot, TopLine(bar, QLabel()), 1600, 40)
    bar.show_mode("annotate")
    yield bar
    line.close()


def written(bar: ModeBar) -> list[str]:
    return [button.text() for button in bar.buttons.values()]


def test_every_mode_is_named_with_its_key_as_it_is_now(bar: ModeBar, actions: Actions) -> None:
    assert written(bar) == [
        "Annotate (Ctrl+1)",
        "Review (Ctrl+2)",
        "Agreement (Ctrl+3)",
        "Reconcile (Ctrl+4)",
    ]
    actions.add(with_keys(COMMANDS, {"mode.review": "Ctrl+8", "mode.agreement": ""}))
    QApplication.processEvents()
    assert written(bar)[1:3] == ["Review (Ctrl+8)", "Agreement"]


def test_the_button_of_the_mode_on_screen_alone_is_pressed_and_has_the_focus(bar: ModeBar) -> None:
    bar.activateWindow()
    for mode in MODES:
        bar.show_mode(mode)
        assert [name for name, button in bar.buttons.items() if button.isChecked()] == [mode]
        bar.take_focus()
        assert [name for name, button in bar.buttons.items() if button.hasFocus()] == [mode]


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
    assert isinstance(line, TopLine)
    wide = bar.width()
    line.resize(wide, 40)
    assert written(bar) == ["Annotate", "Review", "Agreement", "Reconcile"]
    named = bar.width()
    assert named < wide
    line.resize(named, 40)
    assert bar.width() <= named * 0.85
    assert line.minimumSizeHint().width() < named
    assert all(button.toolTip() for button in bar.buttons.values())


@pytest.mark.parametrize("size", [100, 150])
def test_six_modes_fit_into_a_small_window_at_150_percent(qtbot: QtBot, actions: Actions, size: int) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, "light", size)
    coming = [Command("mode.phenotypes", "P&henotypes", ("Ctrl+6",), "Mode")]
    actions.add([*COMMANDS, *coming])
    bar = ModeBar(actions, cast("tuple[ModeId, ...]", (*MODES, "study", "phenotypes")))
    line = TopLine(bar, QLabel("Dr Ana Ruiz"))
    exposed(qtbot, line, 1280, 40)
    try:
        for button in bar.buttons.values():
            assert button.width() >= button.sizeHint().width()
        words = [button.text() for button in bar.buttons.values()]
        assert [one.split(" (")[0] for one in words][4:] == ["Study", "Phenotypes"]
        assert (words[0] == "Annotate (Ctrl+1)") == (size == 100)
    finally:
        apply_theme(application, "light", 100)

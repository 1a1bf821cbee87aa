"""The modes that come with the program, in the real window, by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.modes.command import Command
from app.gui.shell.main_window import MainWindow
from app.operations.project.files import create_project
from tests.gui.conftest import ME, open_in
from tests.verbs import press, settle

CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
KEYS = {"2": "review", "3": "agreement", "4": "reconcile", "5": "study"}


@pytest.mark.parametrize("reports", [True, False])
def test_every_mode_is_reached_by_its_key_with_the_focus_where_one_sees_it(
    window: MainWindow, project: Path, tmp_path: Path, qtbot: QtBot, reports: bool
) -> None:
    path = project if reports else create_project(tmp_path / "empty.casespan", ME)
    bench = open_in(window, path, qtbot)
    for key in "2345321":
        press(key, CTRL)
        settle(bench.session.worker, qtbot)
        assert bench.frame.current == KEYS.get(key, "annotate")
        for _ in bench.frame.panes():
            press(Qt.Key.Key_F6)
            focused = QApplication.focusWidget()
            assert focused is not None
            assert focused.isVisible()


@pytest.mark.parametrize("key", ["2", "5"])
def test_after_a_project_is_closed_nothing_of_its_modes_hears_of_the_window(
    window: MainWindow, project: Path, qtbot: QtBot, key: str
) -> None:
    bench = open_in(window, project, qtbot)
    for one in KEYS:
        press(one, CTRL)
        settle(bench.session.worker, qtbot)
    press(key, CTRL)
    window.close_project()
    QApplication.processEvents()
    window.preferences.theme = "dark"
    window.preferences.keys = {"mode.review": "Ctrl+8"}
    again = open_in(window, project, qtbot)
    press("8", CTRL)
    assert again.frame.current == "review"
    window.preferences.theme = "light"
    settle(again.session.worker, qtbot)


def test_no_letter_of_the_text_makes_a_span_in_another_mode(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    bench = open_in(window, project, qtbot)
    labels: list[Command] = [one for one in bench.actions_.commands() if one.menu == "Label"]
    for key in KEYS:
        press(key, CTRL)
        settle(bench.session.worker, qtbot)
        if bench.reader.isVisible():
            bench.reader.setFocus()
            for label in labels:
                bench.reader.go_to(3)
                press(label.keys[0])
        assert not bench.session.report_model.spans
        press("1", CTRL)

"""Tab goes round the whole window, both ways, whatever it starts from."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.gui.shell.main_window import MainWindow
from app.operations.project.files import create_project
from tests.gui.conftest import ME, open_in

FORTH = (Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
BACK = (Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)


def focused_in(window: MainWindow, path: Path, qtbot: QtBot) -> QWidget:
    workbench = open_in(window, path, qtbot)
    qtbot.waitUntil(lambda: window.isActiveWindow() and QApplication.focusWidget() is not None)
    return workbench


def round_from(start: QWidget, way: tuple[Qt.Key, Qt.KeyboardModifier], most: int) -> list[QWidget]:
    start.setFocus()
    reached: list[QWidget] = []
    while len(reached) < most:
        focused = QApplication.focusWidget()
        assert isinstance(focused, QWidget)
        if focused in reached:
            break
        reached.append(focused)
        QTest.keyClick(focused, *way)
    return reached


def stops(window: QWidget) -> list[QWidget]:
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.window() is window
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    ]


@pytest.mark.parametrize("way", [FORTH, BACK], ids=["forth", "back"])
@pytest.mark.parametrize("empty", [False, True], ids=["reports", "no reports"])
def test_tab_from_anywhere_reaches_everything_and_returns(
    window: MainWindow,
    project: Path,
    tmp_path: Path,
    qtbot: QtBot,
    empty: bool,
    way: tuple[Qt.Key, Qt.KeyboardModifier],
) -> None:
    focused_in(window, create_project(tmp_path / "empty.casespan", ME) if empty else project, qtbot)
    all_stops = stops(window)
    assert len(all_stops) > 6

    for start in all_stops:
        assert set(round_from(start, way, 2 * len(all_stops))) == set(all_stops), start

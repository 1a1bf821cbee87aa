"""The start page: begin, go on, and be told what went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.start_page import StartPage
from app.gui.widgets.large import ElidedWords, LargeButton


@pytest.fixture
def preferences() -> Preferences:
    preferences = Preferences()
    preferences.forget_recent()
    return preferences


@pytest.fixture
def page(qtbot: QtBot, preferences: Preferences) -> StartPage:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = Actions(window)
    actions.add(COMMANDS)
    page = StartPage(actions, preferences)
    window.setCentralWidget(page)
    window.resize(1280, 720)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    return page


def remember(preferences: Preferences, folder: Path, *names: str) -> list[Path]:
    paths = [folder / f"{name}.casespan" for name in names]
    for path in paths:
        path.touch()
        preferences.remember(path)
    return [path.resolve() for path in reversed(paths)]


def words(page: StartPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page)]


@pytest.mark.parametrize(
    ("name", "command", "key"),
    [
        ("New project", "project.new", "Ctrl+N"),
        ("Open project", "project.open", "Ctrl+O"),
        ("Open the sample project", "project.sample", ""),
    ],
)
def test_each_large_button_gives_its_command_and_shows_its_key(
    page: StartPage, qtbot: QtBot, name: str, command: str, key: str
) -> None:
    button = next(b for b in page.findChildren(LargeButton) if b.accessibleName() == name)
    assert key in [label.text() for label in button.findChildren(QLabel)]
    with qtbot.waitSignal(page._actions[command].triggered):
        QTest.mouseClick(button.findChildren(QLabel)[0], Qt.MouseButton.LeftButton)
    button.setFocus()
    for pressed in (Qt.Key.Key_Space, Qt.Key.Key_Return):
        with qtbot.waitSignal(page._actions[command].triggered):
            QTest.keyClick(button, pressed)


def test_without_projects_the_page_says_what_will_be_listed(page: StartPage) -> None:
    assert "Projects that you have opened are listed here." in words(page)
    assert "Nothing leaves this computer." in words(page)


def test_a_recent_project_is_opened_by_click_and_by_enter(
    page: StartPage, preferences: Preferences, qtbot: QtBot, tmp_path: Path
) -> None:
    paths = remember(preferences, tmp_path, "one", "two")
    first, second = page.recent.buttons()
    with qtbot.waitSignal(page.project_chosen) as chosen:
        QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert chosen.args == [paths[1]]
    first.setFocus()
    with qtbot.waitSignal(page.project_chosen) as chosen:
        QTest.keyClick(first, Qt.Key.Key_Return)
    assert chosen.args == [paths[0]]


def test_delete_takes_a_project_off_the_list_and_leaves_its_file(
    page: StartPage, preferences: Preferences, tmp_path: Path
) -> None:
    three, two, one = remember(preferences, tmp_path, "one", "two", "three")
    button = page.recent.buttons()[1]
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Delete)
    assert preferences.recent == [three, one]
    assert [b.accessibleName() for b in page.recent.buttons()] == ["three", "one"]
    assert page.recent.buttons()[1].hasFocus()
    assert two.exists()


def test_the_menu_of_a_project_takes_it_off_the_list(
    page: StartPage, preferences: Preferences, qtbot: QtBot, tmp_path: Path
) -> None:
    remember(preferences, tmp_path, "one")
    page.recent.buttons()[0].own_menu().actions()[1].trigger()
    assert preferences.recent == []
    qtbot.waitUntil(lambda: "Projects that you have opened are listed here." in words(page))


def test_names_and_messages_are_plain_text(page: StartPage, preferences: Preferences, tmp_path: Path) -> None:
    remember(preferences, tmp_path, "<b>bold<")
    page.show_message("<i>study</i> is open in another window.")
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in page.findChildren(QLabel))
    assert "<i>study</i> is open in another window." in words(page)


def test_a_message_moves_nothing(page: StartPage) -> None:
    button = page.findChildren(LargeButton)[0]
    before = button.mapTo(page, button.rect().topLeft())
    page.show_message("The project cannot be read. " * 6)
    QApplication.processEvents()
    assert button.mapTo(page, button.rect().topLeft()) == before
    page.show_message("")
    QApplication.processEvents()
    assert button.mapTo(page, button.rect().topLeft()) == before


def test_a_long_folder_loses_its_middle_only(qtbot: QtBot) -> None:
    folder = ElidedWords("/home/ana/" + "a very long folder/" * 8 + "Studies")
    qtbot.addWidget(folder)
    folder.resize(200, 20)
    folder.show()
    assert folder.text().startswith("/home")
    assert folder.text().endswith("Studies")
    assert "…" in folder.text()
    assert folder.fontMetrics().horizontalAdvance(folder.text()) <= 200
    folder.resize(4000, 20)
    assert "…" not in folder.text()


@pytest.mark.parametrize("backward", [False, True])
def test_tab_reaches_every_button_and_nothing_else(
    page: StartPage, preferences: Preferences, tmp_path: Path, backward: bool
) -> None:
    remember(preferences, tmp_path, "one", "two")
    recent = list(page.recent.buttons())
    buttons = recent + [one for one in page.findChildren(LargeButton) if type(one) is LargeButton]
    buttons[0].setFocus()
    reached = []
    for _ in buttons:
        reached.append(page.window().focusWidget())
        page.focusNextPrevChild(not backward)
    order = buttons if not backward else [buttons[0], *reversed(buttons[1:])]
    assert reached == order


def test_the_page_scrolls_only_where_it_has_to(
    page: StartPage, preferences: Preferences, tmp_path: Path
) -> None:
    remember(preferences, tmp_path, *"abcdef")
    bar, lowest = page.verticalScrollBar(), page.recent.buttons()[-1]
    for height, scrolls in ((720, False), (300, True), (720, False)):
        page.window().resize(1280, height)
        QApplication.processEvents()
        assert (bar.maximum() > 0) == scrolls
        assert page.horizontalScrollBar().maximum() == 0
    assert page.viewport().rect().contains(lowest.mapTo(page.viewport(), lowest.rect().bottomLeft()))


def test_the_last_project_comes_first_and_return_opens_it(
    page: StartPage, preferences: Preferences, qtbot: QtBot, tmp_path: Path
) -> None:
    new = next(b for b in page.findChildren(LargeButton) if b.accessibleName() == "New project")
    page.take_focus()
    assert new.hasFocus()
    assert new.mapTo(page, QPoint()).x() < page.recent.mapTo(page, QPoint()).x()
    paths = remember(preferences, tmp_path, "one", "two")
    QApplication.processEvents()
    assert page.recent.mapTo(page, QPoint()).x() < new.mapTo(page, QPoint()).x()
    page.take_focus()
    focused = QApplication.focusWidget()
    assert focused is page.recent.buttons()[0]
    with qtbot.waitSignal(page.project_chosen) as chosen:
        QTest.keyClick(focused, Qt.Key.Key_Return)
    assert chosen.args == [paths[0]]


def test_a_project_whose_file_is_gone_is_shown_as_missing_and_does_not_take_the_focus(
    page: StartPage, preferences: Preferences, tmp_path: Path
) -> None:
    two, one = remember(preferences, tmp_path, "one", "two")
    two.unlink()
    page.refresh()
    gone, there = page.recent.buttons()
    assert (gone.path, there.path) == (two, one)
    assert "Missing" in [label.text() for label in gone.findChildren(QLabel)]
    assert "Missing" not in [label.text() for label in there.findChildren(QLabel)]
    assert gone.accessibleDescription().startswith("Missing")
    page.take_focus()
    assert there.hasFocus()

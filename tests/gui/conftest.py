"""Real widgets without a display; a warning of Qt's fails the test it is given in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import Desk
from app.gui.shell.main_window import MainWindow
from app.gui.shell.preferences import Preferences
from app.operations.exchange.importing import import_reports
from app.operations.project.files import create_project
from extractors.assets import asset

ME = "Dr Ana Ruiz"


def key_of(key: Qt.Key | str) -> Qt.Key:
    """A key, or that of a letter, digit or sign."""
    return Qt.Key(ord(key.upper())) if isinstance(key, str) else key


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's settings are read or changed."""
    folder = tmp_path_factory.mktemp("settings")
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the ten sample reports and no annotations."""
    path = create_project(tmp_path / "study.casespan", ME)
    for _ in import_reports(path, [asset("resources", "demo", "reports")]):
        pass
    return path


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """The window with its start page."""
    preferences = Preferences()
    preferences.annotator = ME
    window = MainWindow(preferences)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    yield window
    window.close()
    window.deleteLater()


@pytest.fixture
def open_desk(qtbot: QtBot) -> Iterator[Callable[[Path], Desk]]:
    """Opens projects and closes them after the test; the first report is on the sheet."""
    desks: list[Desk] = []

    def open_(path: Path) -> Desk:
        desk = Desk(path)
        desks.append(desk)
        with qtbot.waitSignal(desk.opened):
            desk.start()
        if desk.rows:
            qtbot.waitUntil(lambda: desk.sheet.key != "")
        return desk

    yield open_
    for desk in desks:
        desk.close()


@pytest.fixture
def desk(project: Path, open_desk: Callable[[Path], Desk]) -> Desk:
    """The sample reports, open."""
    return open_desk(project)

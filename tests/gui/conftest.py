"""Real widgets without a display; a warning of Qt's fails the test it is given in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import ProjectSession
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
def open_session(qtbot: QtBot) -> Iterator[Callable[[Path], ProjectSession]]:
    """Opens projects and closes them after the test; the first report is on the report model."""
    desks: list[ProjectSession] = []

    def open_(path: Path) -> ProjectSession:
        session = ProjectSession(path)
        desks.append(session)
        with qtbot.waitSignal(session.opened):
            session.start()
        if session.rows:
            qtbot.waitUntil(lambda: session.report_model.key != "")
        return session

    yield open_
    for session in desks:
        session.close()


@pytest.fixture
def session(project: Path, open_session: Callable[[Path], ProjectSession]) -> ProjectSession:
    """The sample reports, open."""
    return open_session(project)

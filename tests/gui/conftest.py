"""Real widgets without a display; a warning of Qt's fails the test it is given in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import ProjectSession
from app.gui.shell.main_window import MainWindow
from app.gui.shell.preferences import Preferences
from tests.builders import ME, Kept, sample_reports
from tests.verbs import key_of

__all__ = ["ME", "key_of"]
_PATIENCE = 30_000
_LOOK_AGAIN = 1


class PatientBot(QtBot):
    """Waits as long as a busy machine may need: what is late is not absent."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = _PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def wait(self, ms: int) -> None:
        """Look again after what has come meanwhile: most answers need no ten milliseconds."""
        super().wait(min(ms, _LOOK_AGAIN))


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's own, with more patience."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's settings are read or changed."""
    folder = tmp_path_factory.mktemp("settings")
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))


@pytest.fixture(autouse=True)
def own_look(qapp: QApplication) -> Iterator[None]:
    """A theme or size that a test chooses is not left to the next one; no caret blinks in a picture."""
    font, palette = qapp.font(), qapp.palette()
    qapp.setCursorFlashTime(0)
    yield
    if qapp.styleSheet():
        qapp.setStyleSheet("")
        qapp.setFont(font)
        qapp.setPalette(palette)
        qapp.styleHints().unsetColorScheme()


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Path:
    """A project with the ten sample reports and no annotations."""
    return kept.copy(sample_reports, tmp_path / "study.casespan")


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
    """Opens projects and closes them after the test; the first report is on the page."""
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

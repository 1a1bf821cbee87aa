"""Real widgets without a display; a warning of Qt's fails the test it is given in."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QEvent, QEventLoop, QSettings, QTimer
from PySide6.QtGui import QFont, QImage, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.finder import panel, spans, words
from app.gui.session import jobs
from app.gui.session.project_session import ProjectSession
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.look.theme import apply_theme
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.operations.extract.rules import extract_with_rules
from tests.builders import ME, Kept, sample_reports
from tests.gui.lending import Lending, put_away, until_shown
from tests.verbs import key_of, settle

__all__ = ["ME", "key_of", "put_away"]
Look = tuple[QFont, QPalette]
_PATIENCE = 30_000
_LOOK_AGAIN = 5


class PatientBot(QtBot):
    """Waits as long as a busy machine may need: what is late is not absent."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = _PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def wait(self, ms: int) -> None:
        """Until something has come: most answers need no ten milliseconds, and many not one.

        A loop that is told to end wakes the next one, which would wait for nothing.
        """
        late = QTimer(singleShot=True, interval=min(ms, _LOOK_AGAIN))
        late.start()
        QAbstractEventDispatcher.instance().processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's own, with more patience."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's settings are read or changed."""
    folder = tmp_path_factory.mktemp("settings")
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))


@pytest.fixture(autouse=True, scope="session")
def own_clipboard(qapp: QApplication) -> Iterator[None]:
    """What Python put there must go before Python does: without a display Qt lets go of it at last."""
    yield
    qapp.clipboard().clear()


@pytest.fixture(autouse=True)
def sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """What shows itself once it has taken a second, or once one has typed, need not be waited for as long."""
    monkeypatch.setattr(jobs, "LONG_MS", 250)
    monkeypatch.setattr(jobs, "_KNOWN_SECONDS", 0.4)
    monkeypatch.setattr(words, "_TYPING_MS", 20)
    for module in (panel, spans):
        monkeypatch.setattr(module, "SAVED_MS", 20)


@pytest.fixture(autouse=True)
def own_look(qapp: QApplication, plain_look: Look, request: pytest.FixtureRequest) -> Iterator[None]:
    """A theme or size that a test chooses is left to no other but one that wears its own."""
    if "wear" not in request.fixturenames:
        _undress(qapp, plain_look)
        with look_put_back(qapp):
            yield
    else:
        yield


@pytest.fixture(scope="session")
def plain_look(qapp: QApplication) -> Look:
    """As it is before the first test."""
    return qapp.font(), qapp.palette()


@pytest.fixture(scope="module")
def wardrobe(qapp: QApplication) -> Iterator[None]:
    """Tests that show one part after the other in a theme do not put it on and off for each."""
    with look_put_back(qapp):
        yield


@pytest.fixture
def wear(wardrobe: None, qapp: QApplication) -> Callable[[str, int], None]:
    """Gives everything a theme and a size."""
    return partial(apply_theme, qapp)


@contextmanager
def look_put_back(application: QApplication) -> Iterator[None]:
    """No caret blinks in a picture, and in the end all looks as it did."""
    look = application.font(), application.palette()
    application.setCursorFlashTime(0)
    yield
    _undress(application, look)


def _undress(application: QApplication, look: Look) -> None:
    if application.property("themed"):
        # What goes away needs no other look: giving it one takes longer than many a test.
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        application.setProperty("themed", None)
        application.setStyleSheet("")
        application.setFont(look[0])
        application.setPalette(look[1])
        application.styleHints().unsetColorScheme()


def pixels(picture: QImage) -> list[list[int]]:
    """The colours of a picture as QColor takes them, line by line."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    values, wide = array("I", bytes(plain.constBits())), plain.width()
    return [values[start : start + wide].tolist() for start in range(0, len(values), wide)]


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Path:
    """A project with the ten sample reports and no annotations."""
    return kept.copy(sample_reports, tmp_path / "study.casespan")


def unpainted(window: MainWindow) -> None:
    """Nobody looks at it: painting takes a quarter of the time, and is what other tests are about."""
    window.setUpdatesEnabled(False)


def shown(qtbot: QtBot) -> MainWindow:
    """The window with its start page."""
    preferences = Preferences()
    preferences.annotator = ME
    window = MainWindow(preferences)
    unpainted(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    return window


def open_in(window: MainWindow, path: Path, qtbot: QtBot) -> Workbench:
    """A project on screen, its first report open if it has any."""
    window.open_project(path)
    qtbot.waitUntil(lambda: window.workbench is not None)
    workbench = window.workbench
    assert workbench is not None
    if workbench.session.rows:
        qtbot.waitUntil(lambda: workbench.reader.text() != "")
    return workbench


def opened_window(path: Path, qtbot: QtBot) -> MainWindow:
    """The window with a project."""
    window = shown(qtbot)
    open_in(window, path, qtbot)
    return window


@pytest.fixture
def windows() -> Iterator[list[MainWindow]]:
    """What is put here is put away after the test."""
    there: list[MainWindow] = []
    yield there
    for window in there:
        put_away(window)


@pytest.fixture
def window(qtbot: QtBot, windows: list[MainWindow]) -> MainWindow:
    """The window with its start page."""
    windows.append(shown(qtbot))
    return windows[0]


class Annotating:
    """The window with a project, of which the first report is open to annotate."""

    def __init__(self, window: MainWindow, path: Path, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self.workbench = open_in(window, path, qtbot)
        self.session = self.workbench.session
        self._begun_at = self.workbench.reader.caret()

    def settle(self) -> None:
        """Until all that was asked is answered, and shown."""
        settle(self.session.worker, self.qtbot, 3)
        until_shown(self.workbench, self.qtbot)

    def put_back(self) -> None:
        """To where one begins."""
        bench = self.workbench
        bench.frame.open_mode("annotate")
        bench.palette_.show_all()
        bench.page.show_instead(None)
        self.session.open_report(next(iter(self.session.rows)))
        self.session.use_category(self.session.scheme.ids[0])
        self.settle()
        bench.reader.turn_to(self._begun_at)
        bench.reader.setFocus()


@pytest.fixture(scope="module")
def lending() -> Iterator[Lending[Any]]:
    """Of the one kind of window that a module's tests share."""
    there: Lending[Any] = Lending()
    yield there
    there.close()


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


def write_with_rules(path: Path) -> None:
    sample_reports(path)
    for _ in extract_with_rules(path):
        pass


@pytest.fixture
def with_rules(kept: Kept, tmp_path: Path, open_session: Callable[[Path], ProjectSession]) -> ProjectSession:
    """The sample reports, open, with what the rules found in them."""
    return open_session(kept.copy(write_with_rules, tmp_path / "study.casespan"))

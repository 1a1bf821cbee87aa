"""Time at a decision, or at a quote under review."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.session import stopwatch
from app.gui.session.stopwatch import Stopwatch


def test_time_stands_still_while_the_program_is_not_in_use(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(stopwatch, "monotonic", lambda: now)
    watch = Stopwatch()
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    watch.start()
    now = 103.0
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    now = 200.0
    assert watch.seconds == 3
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    now = 202.0
    assert watch.seconds == 5
    watch.pause()
    # Whoever comes back to the program does not thereby go on with what was paused.
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    now = 300.0
    assert watch.seconds == 5
    watch.go_on()
    now = 301.0
    assert watch.seconds == 6
    # Nor does it run while another program is in use.
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    watch.go_on()
    now = 400.0
    assert watch.seconds == 6
    watch.start()
    assert watch.seconds == 0

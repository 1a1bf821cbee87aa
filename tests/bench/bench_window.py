"""How long the first window takes to stand painted, against a bare window of Qt, as whole processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.measure import Measure, interleaved_ratio

ROOT = Path(__file__).resolve().parents[2]
REPEATS = 9
_BARE = """
from PySide6.QtWidgets import QApplication, QWidget
application = QApplication([])
window = QWidget()
window.resize(1280, 720)
"""
# What app.gui.application.run does until its loop, with settings that are nobody's.
_OURS = """
import sys
from PySide6.QtCore import QSettings
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, sys.argv[1])
from app.gui.application import Application
from app.gui.main_window import MainWindow
from app.gui.preferences import Preferences
from app.gui.theme import apply_theme
application = Application([])
preferences = Preferences()
apply_theme(application, preferences.theme, preferences.interface_size)
window = MainWindow(preferences)
"""
_SHOW = """
window.show()
while not window.windowHandle().isExposed():
    application.processEvents()
application.processEvents()
"""


def measures() -> list[Measure]:
    """From the start of the process to the painted start page."""
    with TemporaryDirectory() as folder:
        ratio = interleaved_ratio(
            lambda: _run(_OURS + _SHOW, folder), lambda: _run(_BARE + _SHOW, folder), REPEATS
        )
    return [Measure("first window", ratio, 1.5, "a bare window of Qt")]


def _run(program: str, folder: str) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    command = [sys.executable, "-c", program, folder]
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)

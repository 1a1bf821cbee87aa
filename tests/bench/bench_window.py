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
_UNTIL_PAINTED = """
def until_painted(*_):
    from PySide6.QtWidgets import QApplication
    window = next(window for window in QApplication.topLevelWidgets() if window.isVisible())
    while not window.windowHandle().isExposed():
        QApplication.processEvents()
    QApplication.processEvents()
    return 0
"""
_BARE = f"""
{_UNTIL_PAINTED}
from PySide6.QtWidgets import QApplication, QWidget
application = QApplication([])
window = QWidget()
window.resize(1280, 720)
window.show()
until_painted()
"""
# What a user starts, but for its loop, which ends when the window stands. To set that on Qt's own class would
# give all of Qt's constants their names first. Qt comes after what stands before it in such a start: it reads
# the source of every module that is imported later.
_OURS = f"""
{_UNTIL_PAINTED}
import gc
gc.disable()
import sys
from app.launch import main
from app.gui.shell.application import Application
Application.exec = until_painted
sys.exit(main([]))
"""


def measures() -> list[Measure]:
    """From the start of the process to the painted start page."""
    with TemporaryDirectory() as folder:
        ratio = interleaved_ratio(lambda: _run(_OURS, folder), lambda: _run(_BARE, folder), REPEATS)
    return [Measure("first window", ratio, 1.3, "a bare window of Qt")]


def _run(program: str, folder: str) -> None:
    """Run a program without a display and with settings that are nobody's."""
    settings = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "APPDATA"), folder)
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, **settings}
    # As installed: modules are compiled once.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "compiled")
    command = [sys.executable, "-c", program]
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)

"""Driving the real window in benchmarks: waiting as Qt's own loop does, and seeing what is painted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QObject
from PySide6.QtWidgets import QApplication, QWidget

from app.gui.shell.collector import collect_here
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.look.theme import apply_theme
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench

ME = "Dr Ana Ruiz"
SIZE = (1280, 720)


def the_application() -> QApplication:
    """The one there is, or a new one."""
    if not (application := QApplication.instance()):
        application = QApplication([])
        collect_here(application)
    assert isinstance(application, QApplication)
    return application


class Painted(QObject):
    """Sees that a widget is being painted with what is waited for on it."""

    def __init__(self, widget: QWidget, ready: Callable[[], bool] = lambda: True) -> None:
        super().__init__(widget)
        self._ready = ready
        self._seen = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self._seen = self._seen or (event.type() == QEvent.Type.Paint and self._ready())
        return False

    def seconds_after(self, deed: Callable[[], object]) -> float:
        """From before the deed until the paint has been carried out."""
        self._seen = False
        began = time.perf_counter()
        deed()
        wait(lambda: self._seen)
        return time.perf_counter() - began


def wait(done: Callable[[], bool]) -> None:
    """As Qt's own loop: other threads run while there is nothing to do."""
    while not done():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def show_window(application: QApplication, path: Path) -> MainWindow:
    """The window on a project, which is being opened."""
    preferences = Preferences()
    preferences.annotator = ME
    window = MainWindow(preferences)
    apply_theme(application, preferences.theme, preferences.interface_size, window)
    window.resize(*SIZE)
    window.show()
    window.open_project(path)
    return window


def workbench_of(window: MainWindow) -> Workbench:
    """The workbench, once a report is on its page."""
    wait(lambda: window.workbench is not None and window.workbench.reader.text() != "")
    assert window.workbench is not None
    return window.workbench


def settle(workbench: Workbench) -> None:
    """Until all that was asked of the project is answered."""
    answers: list[bool] = []
    workbench.session.worker.ask(lambda _: True, answers.append)
    wait(lambda: bool(answers))
    QApplication.processEvents()


def let_go(widget: QWidget) -> None:
    """Close a widget and delete it now."""
    widget.close()
    widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

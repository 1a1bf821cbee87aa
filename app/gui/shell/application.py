"""The running program: one application, one window, and files that the system asks it to open."""

from __future__ import annotations

import gc
import signal
import sys
from pathlib import Path

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.gui.shell.collector import collect_here
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.look.theme import application_icon, apply_theme, follow_desktop, interface_font
from app.gui.shell.main_window import UNTIL_PAINTED_MS, MainWindow


class Application(QApplication):
    """Tells of files that were opened by a double click where the system sends them as events (macOS)."""

    file_asked_for = Signal(Path)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_asked_for.emit(Path(event.file()))
            return True
        return super().event(event)


def _show_error(error: BaseException) -> None:
    # Here it is a fault also where work on a project would be told of it, as of a path that is too long.
    from app.gui.session.jobs import unexpected

    if isinstance(error, Exception):
        unexpected(error)


def run(project: Path | None) -> int:
    """Show the window until it is closed; returns the exit code."""
    # The same style on every desktop; asking for it by code loads all the names of styles first.
    application = Application([*sys.argv[:1], "-style", "fusion"])
    application.setApplicationName("Casespan")
    application.setDesktopFileName("casespan")
    # Qt's loop runs no Python meanwhile: the default handler ends the program; every act is on disk anyway.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What goes wrong in the window itself; the default would write texts that errors name to stderr.
    sys.excepthook = lambda _kind, error, _trace: _show_error(error)
    preferences = Preferences()
    follow_desktop(application, preferences)
    # Menus and words that are made before this would keep the desktop's size.
    application.setFont(interface_font(preferences.interface_size))
    window = MainWindow(preferences)
    apply_theme(application, preferences.theme, preferences.interface_size, window)
    application.file_asked_for.connect(window.open_project)
    window.show_first()
    gc.freeze()
    collect_here(application)
    QTimer.singleShot(UNTIL_PAINTED_MS, application, lambda: application.setWindowIcon(application_icon()))
    if project is not None:
        window.open_project(project)
    return application.exec()

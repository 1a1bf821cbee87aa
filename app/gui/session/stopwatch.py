"""How long somebody has been at a decision, pauses left out."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication


class Stopwatch(QObject):
    """Runs while it is started and the program is the one in use."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = 0.0
        self._since: float | None = None
        self._started = False
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._follow)

    def start(self) -> None:
        self._before, self._started, self._since = 0.0, True, monotonic()

    def pause(self) -> None:
        """Stand still until `go_on`."""
        self._hold()
        self._started = False

    def go_on(self) -> None:
        """Run again from where it stood."""
        if not self._started:
            self._started, self._since = True, monotonic()

    @property
    def seconds(self) -> float:
        return self._before + (monotonic() - self._since if self._since is not None else 0.0)

    def _hold(self) -> None:
        self._before, self._since = self.seconds, None

    def _follow(self, state: Qt.ApplicationState) -> None:
        if state != Qt.ApplicationState.ApplicationActive:
            self._hold()
        elif self._started and self._since is None:
            self._since = monotonic()

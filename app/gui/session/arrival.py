"""What is to be done in a report once it is on the page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.gui.session.project_session import ProjectSession


class Arrival(QObject):
    """Waits for a report to do something in it; only what was asked for last is done."""

    def __init__(self, session: ProjectSession, parent: QObject | None = None) -> None:
        super().__init__(parent or session)
        self._session = session
        self._waiting: tuple[str, Callable[[], None]] | None = None
        session.report_model.opened.connect(self._arrived)

    def wait_for(self, key: str, call: Callable[[], None]) -> None:
        """Call once the report of that key, which is being opened, is on the page; at once where it is."""
        self._waiting = None
        if self._session.report_model.key == key:
            call()
        else:
            self._waiting = key, call

    def _arrived(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting[0] == self._session.report_model.key:
            self._session.report_model.went_to_place = True
            waiting[1]()

"""Copies of the open project, kept without asking."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer

from app.gui.session.project_session import ProjectSession
from app.operations.project.backups import keep_backup, look_through

_FIRST_MS, _EVERY_MS = 20_000, 30 * 60_000


def keep_backups(session: ProjectSession) -> None:
    """Keep a copy soon after opening and then every half hour, where something was changed."""
    timer = QTimer(session)

    def keep() -> None:
        timer.start(_EVERY_MS)
        # As a change: while an act is under way, what it writes cannot be copied.
        session.worker.note(lambda project: keep_backup(project, "opened"), lambda _: None)

    timer.timeout.connect(keep)
    session.opened.connect(partial(timer.start, _FIRST_MS))
    # At once: what is not in memory is lost when another program writes over the file.
    session.opened.connect(lambda: session.worker.ask(look_through, lambda _: None))

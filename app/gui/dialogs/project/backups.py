"""The copies that are kept of the open project without asking, and going back to one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.gui.dialogs.forms import FormDialog, Role, named, plain_label
from app.gui.widgets.boxes import labelled
from app.operations.project.backups import keep_backup, list_backups, look_through, restore_project
from app.text import size_in_words

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.copies.backups import Backup

_WHEN = {
    "opened": "while it was open",
    "merge": "before copies were brought together",
    "restore": "before an earlier copy was gone back to",
}


class RestoreDialog(FormDialog):
    """The copies of a project, the latest first; accepted with `chosen`."""

    guide = "project"

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__("Restore a copy", parent)
        self.list = named(QListWidget(), "Copies that were kept")
        for backup in list_backups(path):
            item = QListWidgetItem(_words(backup))
            item.setData(Qt.ItemDataRole.UserRole, backup.path)
            self.list.addItem(item)
        there = self.list.count() > 0
        about = plain_label(
            "What is in the project now is kept among the copies, so that you can come back to it."
            if there
            else "None yet: a copy is kept soon after a project is opened, and every half hour."
        )
        self.lay_out(labelled("Co&pies that were kept:", self.list), self.list, about)
        self.add_cancel()
        self.go_button = self.add_button("&Restore", Role.AcceptRole, self.accept, default=True)
        self.go_button.setEnabled(there)
        self.list.itemActivated.connect(lambda _: self.accept())
        self.list.setCurrentRow(0)

    @property
    def chosen(self) -> Path:
        path: Path = self.list.currentItem().data(Qt.ItemDataRole.UserRole)
        return path


def ask_to_restore(
    path: Path,
    window: QWidget,
    while_closed: Callable[[str, Callable[[], str]], object],
) -> None:
    """Ask for a copy, and put it in the place of the project while that is closed."""

    def restore() -> None:
        backup, when = dialog.chosen, dialog.list.currentItem().text().partition(",")[0]

        def done() -> str:
            kept = restore_project(path, backup)
            words = " What was there is kept among the copies." if kept else ""
            return f"{path.name} is as it was on {when}.{words}"

        while_closed(f"Restoring {backup.name}…", done)

    dialog = RestoreDialog(path, window)
    dialog.accepted.connect(restore)
    dialog.open()


def _words(backup: Backup) -> str:
    """When, why and how large: "2026-11-22 21:30, while it was open, 6.3 MB"."""
    made = backup.made.astimezone()
    reason = _WHEN.get(backup.reason, backup.reason)
    return f"{made:%Y-%m-%d %H:%M:%S}, {reason}, {size_in_words(backup.path.stat().st_size)}"


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

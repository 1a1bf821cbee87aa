"""Rename a report, and ask before one is deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QWidget

from app.gui.dialogs.fields import Ask, SettingsDialog, asked, line
from app.gui.dialogs.forms import question_box
from app.gui.dialogs.watching import busy_sentence
from app.gui.session.housekeeping import delete, rename
from app.operations.project.reports import contents_of

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.project.reports import Contents


@dataclass(frozen=True, slots=True)
class ReportName:
    """What a report is called."""

    title: str = asked("", Ask(line, "&Title:"))
    key: str = asked(
        "", Ask(line, "&Short name:", below="It stands for the report in exports, and on the command line.")
    )


class RenameDialog(SettingsDialog[ReportName]):
    """Title and short name of a report; its text and what is said of it stay as they are."""

    def __init__(self, session: ProjectSession, report: str, parent: QWidget | None = None) -> None:
        called = ReportName(session.rows[report].title, report)
        super().__init__("Rename the report", called, "&Rename", parent)
        self._session, self._report = session, report
        self.body.addStretch(1)
        self.check()

    def trouble(self) -> str:
        """Why it cannot be called so."""
        called = self.form.value
        if not (called.title and called.key):
            return "A report has a title and a short name."
        taken = called.key != self._report and called.key in self._session.rows
        return f"There is another report {called.key}; choose another short name." if taken else ""

    def act(self) -> None:
        """Call it so."""
        called = self.form.value
        rename(self._session, self._report, called.title, called.key)
        self.accept()


def ask_to_delete(
    session: ProjectSession, report: str, then: str, parent: QWidget, show: Callable[[QDialog], None]
) -> None:
    """Say what would go with a report (key), and delete it where that is meant; `then` (key) is opened."""
    busy = busy_sentence(session)
    if busy:
        session.said.emit(busy)
        return

    def ask(contents: Contents) -> None:
        told = f" With it go: {contents.words}." if contents.words else " Nothing is annotated in it."
        question = f"Delete “{contents.title}” ({contents.key})?{told} Undo brings all of it back."
        box = question_box(parent, "Delete the report", question, "&Delete")
        box.accepted.connect(lambda: delete(session, report, then))
        show(box)

    session.worker.ask(lambda project: contents_of(project, report), ask)

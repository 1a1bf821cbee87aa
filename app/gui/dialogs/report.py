"""Rename a report, and ask before one is deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QWidget

from app.gui.dialogs.forms import FormDialog, plain_label, question_box
from app.gui.dialogs.watching import busy_sentence
from app.gui.session.housekeeping import delete, rename
from app.operations.project.reports import contents_of

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.project.reports import Contents


class RenameDialog(FormDialog):
    """Title and short name of a report; its text and what is said of it stay as they are."""

    def __init__(self, session: ProjectSession, report: str, parent: QWidget | None = None) -> None:
        super().__init__("Rename the report", parent)
        self._session, self._report = session, report
        self.title, self.key = QLineEdit(session.rows[report].title), QLineEdit(report)
        for words, field in (("&Title:", self.title), ("&Short name:", self.key)):
            field.setAccessibleName(words.replace("&", "").rstrip(":"))
            label = QLabel(words)
            label.setBuddy(field)
            self.body.addWidget(label)
            self.body.addWidget(field)
            field.textChanged.connect(lambda _: self._check())
        self.body.addWidget(
            plain_label("The short name stands for the report in exports, and on the command line.")
        )
        self.body.addStretch(1)
        self.ok_button = self.add_button("&Rename", QDialogButtonBox.ButtonRole.AcceptRole, default=True)
        self.add_cancel()
        self.ok_button.clicked.connect(self._rename)
        self.title.selectAll()
        self._check()

    def _check(self) -> None:
        key = self.key.text().strip()
        trouble = ""
        if not (self.title.text().strip() and key):
            trouble = "A report has a title and a short name."
        elif key != self._report and key in self._session.rows:
            trouble = f"There is another report {key}; choose another short name."
        self.say(trouble)
        self.ok_button.setEnabled(not trouble)

    def _rename(self) -> None:
        rename(self._session, self._report, self.title.text(), self.key.text())
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

"""Rename a report, and ask before one is deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QDialog, QWidget

from app.gui.dialogs.fields import Ask, SettingsDialog, asked, line
from app.gui.dialogs.forms import question_box
from app.gui.dialogs.watching import busy_sentence
from app.gui.session.housekeeping import delete, rename
from app.gui.session.project_session import ProjectSession
from app.operations.project.reports import Contents, contents_of
from app.text import counted

# Of several that are to be deleted, so many are named.
_NAMED = 12


@dataclass(frozen=True, slots=True)
class ReportName:
    """What a report is called."""

    title: str = asked("", Ask(line, "&Title:"))
    key: str = asked(
        "", Ask(line, "&Short name:", below="It stands for the report in exports, and on the command line.")
    )


class RenameDialog(SettingsDialog[ReportName]):
    """Title and short name of a report; its text and what is said of it stay as they are."""

    guide = "project"

    def __init__(self, session: ProjectSession, report: str, parent: QWidget | None = None) -> None:
        called = ReportName(session.rows[report].title, report)
        super().__init__("Rename the report", called, "&Rename", parent)
        self._session, self._report = session, report
        self.body.addStretch(1)
        self.check()

    def problem(self) -> str:
        called = self.form.value
        if not (called.title and called.key):
            return "A report has a title and a short name."
        taken = called.key != self._report and called.key in self._session.rows
        return f"There is another report {called.key}; choose another short name." if taken else ""

    def act(self) -> None:
        called = self.form.value
        rename(self._session, self._report, called.title, called.key)
        self.accept()


def ask_to_delete(
    session: ProjectSession,
    reports: Sequence[str],
    then: str,
    parent: QWidget,
    show: Callable[[QDialog], None],
) -> None:
    """Say what would go with reports (keys), and delete them where that is meant; `then` (key) is opened."""
    busy = busy_sentence(session)
    if busy:
        session.message.emit(busy)
        return

    def ask(found: list[Contents]) -> None:
        title = "Delete the report" if len(found) == 1 else "Delete the reports"
        question = f"{_question(found)}Undo brings all of it back."
        show(question_box(parent, title, question, "Delete", lambda: delete(session, reports, then)))

    session.worker.ask(lambda project: [contents_of(project, report) for report in reports], ask)


def _question(found: Sequence[Contents]) -> str:
    """What is to be deleted, and what goes with it; of several, by report, as far as they can be read."""
    if len(found) == 1:
        besides = f" With it go: {found[0].words}." if found[0].words else " Nothing is annotated in it."
        return f"Delete “{found[0].title}” ({found[0].key})?{besides} "
    lines = [f"{one.key}: {one.words or 'nothing annotated'}" for one in found[:_NAMED]]
    lines += [f"and {len(found) - _NAMED} more"] if len(found) > _NAMED else []
    return f"Delete {counted(len(found), 'report')}, and what is about them?\n\n" + "\n".join(lines) + "\n\n"

"""A project gone back to a copy, in the window."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from app.gui.dialogs.project.backups import RestoreDialog
from app.gui.shell.main_window import MainWindow
from app.operations.project.backups import keep_backup, list_backups
from app.operations.project.reports import delete_reports


def test_going_back_to_a_copy_opens_the_project_as_it_was(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    keep_backup(project, "opened")
    window.open_project(project)
    qtbot.waitUntil(lambda: window.workbench is not None)
    before = window.session
    assert before is not None
    qtbot.waitUntil(lambda: before.report_model.key != "")
    key = before.report_model.key
    with qtbot.waitSignal(before.worker.saved):
        before.worker.act(lambda p: delete_reports(p, [key]), lambda _: None)
    window.actions_["project.restore"].trigger()
    dialog = window.findChild(RestoreDialog)
    assert dialog is not None
    assert dialog.list.count() == 1
    dialog.go_button.click()
    qtbot.waitUntil(lambda: window.session not in (None, before) and window.workbench is not None)
    assert window.session is not None
    assert window.workbench is not None
    assert key in window.session.rows
    assert len(list_backups(project)) == 2
    assert "What was there is kept among the copies." in window.workbench.status.messages.log[-1].sentence
    window.actions_["project.restore"].trigger()
    assert window.findChild(RestoreDialog) is not None, "also of a project that was opened later"

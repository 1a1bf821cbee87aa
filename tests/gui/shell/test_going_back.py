"""A project gone back to a copy, in the window."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from app.gui.dialogs.project.backups import RestoreDialog
from app.gui.shell.main_window import MainWindow
from app.operations.project.backups import keep_backup, list_backups
from app.operations.project.reports import delete_reports
from app.store.creation import create_project_file
from extractors.model.errors import ProjectError
from tests.verbs import double_click


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
    dialog = window.findChild(RestoreDialog)
    assert dialog is not None, "also of a project that was opened later"
    later = window.session
    double_click(dialog.list, 0)
    qtbot.waitUntil(lambda: window.session not in (None, later) and window.workbench is not None)


@pytest.mark.parametrize("fails", [False, True])
def test_what_was_opened_while_another_project_was_worked_on_stays(
    window: MainWindow, project: Path, qtbot: QtBot, fails: bool
) -> None:
    goes_on, other = Event(), project.with_name("other.casespan")
    create_project_file(other).close()

    def work() -> str:
        assert goes_on.wait(10)
        if fails:
            raise ProjectError("It is done.")
        return "It is done."

    window.open_project(project)
    qtbot.waitUntil(lambda: window.workbench is not None)
    window.while_closed("Working…", work)
    window.open_project(other)
    qtbot.waitUntil(lambda: window.workbench is not None)
    opened = window.session
    assert opened is not None
    with qtbot.waitSignal(opened.message, check_params_cb=lambda said: said == "It is done."):
        goes_on.set()
    assert window.session is opened

"""Making a project, and saying who annotates."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.dialogs.project.projects import AnnotatorDialog, NewProjectDialog, ask_annotator
from app.gui.session.project_session import ProjectSession
from app.gui.shell.look.preferences import Preferences
from app.operations.project.opening import open_project
from tests.gui.conftest import ME
from tests.gui.dialogs.conftest import Window
from tests.verbs import double_click


def new_project(window: Window, path: Path, name: str = ME) -> NewProjectDialog:
    dialog = NewProjectDialog(Preferences(window), window)
    dialog.open()
    dialog.form.put(file=str(path), name=name)
    return dialog


def test_a_project_is_made_under_the_name_which_is_remembered(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    dialog = new_project(window, tmp_path / "study")
    with qtbot.waitSignal(dialog.created) as created:
        dialog.ok_button.click()
    assert created.args == [tmp_path / "study.casespan"]
    with open_project(tmp_path / "study.casespan", write=False) as project:
        assert project.owner == ME
    assert NewProjectDialog(Preferences(window), window).form.value.name == ME


@pytest.mark.parametrize("name", ["", "  ", "gold", "Rules"])
def test_a_name_that_nobody_may_have_is_told_while_it_is_typed(
    window: Window, tmp_path: Path, name: str
) -> None:
    dialog = new_project(window, tmp_path / "study", name)
    assert "name" in dialog.notice.text()
    assert not dialog.ok_button.isEnabled()


def test_a_project_that_is_there_is_not_written_over(window: Window, project: Path) -> None:
    dialog = new_project(window, project)
    assert "is there already" in dialog.notice.text()
    assert not dialog.ok_button.isEnabled()


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("/tmp/" + 300 * "n", os.strerror(errno.ENAMETOOLONG)),
        ("~nobody-of-that-name/study", "Could not determine home directory"),
    ],
)
def test_a_path_that_cannot_be_looked_for_is_told(window: Window, file: str, reason: str) -> None:
    dialog = new_project(window, Path(file))
    assert dialog.notice.text() == f"That path cannot be used: {reason}."
    assert not dialog.ok_button.isEnabled()


def test_a_broken_scheme_is_told_and_nothing_made(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    (tmp_path / "scheme").mkdir()
    (tmp_path / "scheme" / "scheme.toml").write_text("name = ", encoding="utf-8")
    dialog = new_project(window, tmp_path / "study")
    dialog.form.put(scheme=str(tmp_path / "scheme"))
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: "scheme.toml" in dialog.notice.text())
    assert not (tmp_path / "study.casespan").exists()
    assert dialog.ok_button.isEnabled()


def test_escape_makes_nothing_and_remembers_nothing(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    dialog = new_project(window, tmp_path / "study")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert list(tmp_path.iterdir()) == []
    assert Preferences(window).annotator == ""


def test_one_annotates_under_the_name_that_is_chosen(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = AnnotatorDialog(session, [ME, "Dr Ben Okafor"], window)
    dialog.open()
    assert (dialog.form.value.name, dialog.list.isVisible()) == (ME, True)
    dialog.list.setCurrentRow(1)
    assert dialog.form.value.name == "Dr Ben Okafor"
    with qtbot.waitSignal(session.annotator_changed) as changed:
        double_click(dialog.list, 1)
    assert changed.args == ["Dr Ben Okafor"]
    # Under the same name all stays as it is.
    with qtbot.assertNotEmitted(session.annotator_changed):
        AnnotatorDialog(session, [ME], window).ok_button.click()


def test_nobody_annotates_under_a_runs_name(window: Window, session: ProjectSession) -> None:
    dialog = AnnotatorDialog(session, [ME], window, taken=["tiny/ucp/few-shot"])
    dialog.form.put(name="tiny/ucp/few-shot")
    assert "belongs to a run" in dialog.notice.text()
    assert not dialog.ok_button.isEnabled()


def test_the_people_of_the_project_are_asked_for_and_runs_left_out(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    from app.operations.extract.rules import extract_with_rules

    job = session.worker.begin("rules", lambda project: extract_with_rules(project, ["PMC99000001"]))
    with qtbot.waitSignal(job.done, timeout=20_000):
        pass
    ask_annotator(session, window)
    dialog = window.wait_for(AnnotatorDialog)
    assert [dialog.list.item(row).text() for row in range(dialog.list.count())] == [ME]

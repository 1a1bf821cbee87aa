"""Encrypted projects in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.dialogs.project.copies import PacketsDialog
from app.gui.dialogs.project.passphrases import EncryptDialog, UnlockDialog
from app.gui.dialogs.project.summary import SummaryDialog
from app.gui.shell.main_window import MainWindow
from app.operations.project.backups import keep_backup, list_backups
from app.operations.project.encryption import encrypt_project, is_encrypted, lock, unlock
from app.operations.project.files import create_project
from app.store import keys
from tests.builders import ME

PASSPHRASE = " two blank words "


@pytest.fixture(autouse=True)
def quick_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "_ROUNDS", 1000)


def test_a_project_is_encrypted_locked_opened_and_made_plain_in_the_window(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    keep_backup(project, "asked")

    def opened() -> bool:
        return window.workbench is not None and window.session is not None

    def said() -> str:
        assert window.workbench is not None
        return window.workbench.status.messages.log[-1].sentence

    window.open_project(project)
    qtbot.waitUntil(opened)
    only = [window.actions_[f"project.{name}"] for name in ("lock", "decrypt")]
    assert not any(one.isEnabled() for one in only)
    window.actions_["project.encrypt"].trigger()
    dialog = window.findChild(EncryptDialog)
    assert dialog is not None
    assert (dialog.windowTitle(), dialog.ok_button.text()) == ("Encrypt the project", "&Encrypt")
    dialog.form.put(passphrase=PASSPHRASE, again=PASSPHRASE.strip())
    assert not dialog.ok_button.isEnabled()
    dialog.form.put(again=PASSPHRASE)
    before = window.session
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: opened() and window.session is not before)
    assert is_encrypted(project)
    assert all(is_encrypted(one.path) for one in list_backups(project))
    assert "encrypted" in window.windowTitle()
    assert said() == f"Encrypted with the passphrase you chose: {project.name} and 1 copy beside it."
    assert all(one.isEnabled() for one in only)
    again = EncryptDialog(window, changes=True)
    assert (again.windowTitle(), again.ok_button.text()) == ("Change the passphrase", "&Change")
    again.close()

    window.actions_["project.lock"].trigger()
    assert window.session is None
    assert not keys._known
    asking = window.findChild(UnlockDialog)
    assert asking is not None
    asking.form.put(passphrase=PASSPHRASE.strip())
    asking.ok_button.click()
    qtbot.waitUntil(lambda: "does not open" in asking.notice.text())
    asking.form.put(passphrase=PASSPHRASE)
    asking.ok_button.click()
    qtbot.waitUntil(opened)

    window.actions_["project.decrypt"].trigger()
    before, box = window.session, window.findChild(QMessageBox)
    assert box is not None
    box.buttons()[0].click()
    qtbot.waitUntil(lambda: opened() and window.session is not before)
    assert not is_encrypted(project)
    assert said() == f"Plain again: {project.name} and 1 copy beside it."


def test_a_locked_project_asks_for_its_passphrase_when_it_is_opened(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    encrypt_project(project, PASSPHRASE)
    lock()
    window.open_project(project)
    qtbot.waitUntil(lambda: window.findChild(UnlockDialog) is not None)
    asking = window.findChild(UnlockDialog)
    assert asking is not None
    asking.form.put(passphrase=PASSPHRASE)
    asking.ok_button.click()
    qtbot.waitUntil(lambda: window.workbench is not None)
    assert window.session is not None
    dialog = PacketsDialog(window.session, window)
    dialog.form.put(names="Ana")
    dialog.cut(project.parent)
    qtbot.waitUntil(lambda: window.findChild(SummaryDialog) is not None)
    shown = window.findChild(SummaryDialog)
    assert shown is not None
    assert "passphrase of this project" in shown.sentences.text(), "who gets a packet has to be told"
    window.close_project()
    assert not keys._known


def test_who_gives_no_passphrase_stays_in_the_project_that_is_open(
    window: MainWindow, project: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = create_project(tmp_path / "other.casespan", ME)
    encrypt_project(other, PASSPHRASE)
    lock()
    window.open_project(project)
    qtbot.waitUntil(lambda: window.workbench is not None)
    before = window.workbench
    for passphrase in ("", PASSPHRASE):
        window._open_dropped(other, alone=False)
        qtbot.waitUntil(lambda: window.findChild(UnlockDialog) is not None)
        asking = window.findChild(UnlockDialog)
        assert asking is not None
        assert window.workbench is before
        if not passphrase:
            asking.reject()
            qtbot.waitUntil(lambda: window.findChild(UnlockDialog) is None)
            assert window.workbench is before
    assert asking is not None
    # Whoever would not have its work stopped stays, too; the key is of no use then.
    with monkeypatch.context() as at_work:
        at_work.setattr(window, "_may_leave", lambda: False)
        unlock(other, PASSPHRASE)
        window.open_project(other)
    assert window.workbench is before
    assert not keys._known
    asking.form.put(passphrase=PASSPHRASE)
    asking.ok_button.click()
    qtbot.waitUntil(lambda: window.workbench not in (None, before))
    assert window.session is not None
    assert window.session.path == other
    assert window.workbench is not None
    assert "drop the rest once more" in window.workbench.status.messages.log[-1].sentence
    # Its key goes with it.
    window.open_project(project)
    assert not keys._known

"""The terminologies on this computer, and one brought in."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.gui.dialogs.project.terminologies import TerminologiesDialog
from extractors.terminology.library import FOLDER
from tests.gui.dialogs.conftest import Window
from tests.icd11 import write_tables


def test_what_was_downloaded_is_imported_and_listed_and_a_wrong_file_refused(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    dialog = TerminologiesDialog(window)
    dialog.open()
    assert not dialog.ok_button.isEnabled()
    assert "SimpleTabulation" in dialog.notice.text()
    (tmp_path / "wrong.txt").write_text("nothing of that kind")
    dialog.form.put(paths=f"{tmp_path}\n{tmp_path / 'gone'}")
    assert f"There is no {tmp_path / 'gone'}" in dialog.notice.text()
    # A folder will do.
    dialog.form.put(paths=str(tmp_path))
    assert "There is no" not in dialog.notice.text()
    assert dialog.ok_button.isEnabled()
    dialog.form.put(paths=str(tmp_path / "wrong.txt"))
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: "wrong.txt" in dialog.notice.text())
    assert dialog.ok_button.isEnabled()
    dialog.form.put(paths="\n".join(map(str, write_tables(tmp_path))))
    dialog.ok_button.click()
    qtbot.waitUntil(dialog.came.isVisible)
    assert "leaves" in dialog.came.toPlainText()
    assert ["HPO", "ICD11"] == sorted({row[0] for row in dialog.table.texts})

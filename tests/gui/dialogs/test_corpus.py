"""Searching a corpus, and opening what was found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.gui.dialogs.project import corpus as corpus_dialog
from app.gui.dialogs.project.corpus import CorpusDialog
from app.operations.project.files import list_project
from tests.gui.dialogs.conftest import Window
from tests.small_corpus import corpus
from tests.verbs import double_click


def test_a_hit_opens_as_the_report_of_a_new_project(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    dialog = CorpusDialog(tmp_path, window)
    dialog.open()
    assert "holds no corpus" in dialog.notice.text()
    dialog.form.put(folder=str(corpus(tmp_path / "corpus", 12)), words="rashes")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: dialog.notice.text() == "12 hits.")
    assert dialog.table.texts[0][:3] == ("r000", "2000", "A case 0")
    assert "Rash" in dialog.table.texts[0][3][:30]
    with qtbot.waitSignal(dialog.made) as made:
        dialog.take(tmp_path / "found.casespan", ["r003"])
        dialog.table.doubleClicked.emit(dialog.table.model().index(0, 0))
        assert dialog.findChild(QFileDialog) is None
    assert made.args == [tmp_path / "found.casespan"]
    assert [one.key for one in list_project(tmp_path / "found.casespan").documents] == ["r003"]


def test_all_that_is_shown_is_opened_each_report_once(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = CorpusDialog(corpus(tmp_path / "corpus", 3), window)
    dialog.open()
    assert dialog.notice.text() == "Type words to search for."
    dialog.table.put([("r001", "", "", "a rash"), ("r001", "", "", "the rash"), ("r000", "", "", "Rash")])
    dialog.check()
    asked: list[str] = []
    taken: list[list[str]] = []

    def ask(
        _: object, __: str, ___: str, take: Callable[[Path], None], ____: object, name: str, **____2: bool
    ) -> None:
        asked.append(name)
        take(tmp_path)

    monkeypatch.setattr(corpus_dialog, "ask_save", ask)
    monkeypatch.setattr(dialog, "take", lambda _, names: taken.append(names))
    dialog.one_button.click()
    dialog.all_button.click()
    double_click(dialog.table, 2)
    assert taken == [["r001"], ["r001", "r000"], ["r000"]]
    assert asked == ["r001.casespan", "found.casespan", "r000.casespan"]


def test_what_goes_wrong_is_said_and_can_be_put_right(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    dialog = CorpusDialog(corpus(tmp_path / "corpus", 12), window)
    dialog.open()
    dialog.form.put(words="..")
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: "Type words or numbers" in dialog.notice.text())
    assert dialog.ok_button.isEnabled()
    assert not dialog.all_button.isEnabled()

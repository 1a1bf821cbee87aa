"""The program says what it is, and opens nothing by itself."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app import __version__
from app.gui.dialogs.project.about import AboutDialog


def test_version_licence_and_this_machine_are_said_in_plain_text(qtbot: QtBot) -> None:
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    assert any(__version__ in label.text() for label in dialog.findChildren(QLabel))
    for words in ("MIT licence", "not a medical device", "Python 3", "Settings: "):
        assert words in dialog.text.toPlainText()
    assert not any(label.openExternalLinks() for label in dialog.findChildren(QLabel))
    dialog.copy_text.click()
    assert QGuiApplication.clipboard().text().startswith(f"Casespan {__version__}")

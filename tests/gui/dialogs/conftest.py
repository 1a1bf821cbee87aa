"""A window for dialogs to belong to, and how they are found in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

Dialog = TypeVar("Dialog", bound=QDialog)


class Window(QWidget):
    """Shows dialogs and finds the one that was opened last."""

    def __init__(self, qtbot: QtBot) -> None:
        super().__init__()
        self._qtbot = qtbot

    def wait_for(self, kind: type[Dialog]) -> Dialog:
        """The dialog of that kind, once it is in sight."""
        self._qtbot.waitUntil(lambda: bool(self._shown(kind)), timeout=30_000)
        return self._shown(kind)[-1]

    def _shown(self, kind: type[Dialog]) -> list[Dialog]:
        return [one for one in self.findChildren(kind) if one.isVisible()]


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = Window(qtbot)
    window.resize(900, 700)
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture(autouse=True)
def none_left_open(qapp: QApplication) -> Iterator[None]:
    """What a test leaves open would be given the look of every theme that later tests put on."""
    yield
    for one in qapp.topLevelWidgets():
        if isinstance(one, QDialog):
            one.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

"""What a user does in the window, and how a test waits for what comes of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.session.worker import Worker

NONE = Qt.KeyboardModifier.NoModifier


def key_of(key: Qt.Key | str) -> Qt.Key:
    """A key, or that of a letter, digit or sign."""
    return Qt.Key(ord(key.upper())) if isinstance(key, str) else key


def press(key: Qt.Key | str, modifier: Qt.KeyboardModifier = NONE) -> None:
    """A key pressed wherever the focus is."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key_of(key), modifier)


def settle(worker: Worker, qtbot: QtBot, rounds: int = 1) -> None:
    """Until nothing is on its way to the disk, and all that was asked has been answered; once for each round
    of questions that answers lead to."""
    for _ in range(rounds):
        answers: list[bool] = []
        qtbot.waitUntil(lambda: worker.waiting == 0)
        worker.ask(lambda project: True, answers.append)
        qtbot.waitUntil(partial(bool, answers))

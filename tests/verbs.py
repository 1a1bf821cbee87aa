"""What a user does in the window, and how a test waits for what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.gui.session.worker import Worker
from app.store.project import Project

T = TypeVar("T")
W = TypeVar("W", bound=QWidget)
NONE = Qt.KeyboardModifier.NoModifier


def key_of(key: Qt.Key | str) -> Qt.Key:
    """A key, or that of a letter, digit or sign."""
    return Qt.Key(ord(key.upper())) if isinstance(key, str) else key


def press(key: Qt.Key | str, modifier: Qt.KeyboardModifier = NONE) -> None:
    """A key pressed wherever the focus is."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key_of(key), modifier)


def double_click(view: QAbstractItemView, row: int) -> None:
    """A row clicked twice."""
    place = view.visualRect(view.model().index(row, 0)).center()
    # The second click leaves the button down, in whatever window comes next.
    for step in (QTest.mouseClick, QTest.mouseDClick, QTest.mouseRelease):
        step(view.viewport(), Qt.MouseButton.LeftButton, NONE, place)


def exposed(qtbot: QtBot, widget: W, *size: int) -> W:
    """A widget on the screen by itself, of that size."""
    qtbot.addWidget(widget)
    if size:
        widget.resize(*size)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def asked(worker: Worker, qtbot: QtBot, call: Callable[[Project], T]) -> T:
    """What is asked of a project, as soon as what is on its way is there."""
    found: list[T] = []
    worker.ask(call, found.append)
    qtbot.waitUntil(partial(bool, found))
    return found[0]


def settle(worker: Worker, qtbot: QtBot, rounds: int = 1) -> None:
    """Until nothing is on its way to the disk, and all that was asked has been answered; once for each round
    of questions that answers lead to."""
    for _ in range(rounds):
        qtbot.waitUntil(lambda: worker.waiting == 0)
        asked(worker, qtbot, bool)

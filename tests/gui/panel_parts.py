"""What tests of panels have in common."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import Desk
from app.gui.shell.actions import Actions
from app.gui.shell.commands import COMMANDS


def actions_for(qtbot: QtBot) -> Actions:
    """The actions of a window."""
    window = QWidget()
    qtbot.addWidget(window)
    actions = Actions(window)
    actions.add(COMMANDS)
    return actions


def open_report(qtbot: QtBot, desk: Desk, key: str) -> None:
    """Put a report on the sheet and wait for it."""
    desk.open_report(key)
    qtbot.waitUntil(lambda: desk.sheet.key == key)


def label(qtbot: QtBot, desk: Desk, start: int, end: int, category: str) -> None:
    """Label a place and wait until it is on disk and in the list."""
    key = desk.sheet.key
    before = sum(desk.rows[key].own.values())
    desk.hand.label(start, end, category)
    qtbot.waitUntil(lambda: sum(desk.rows[key].own.values()) == before + 1)
